/** An account with money, and a send of one unit at one cent, on a store in memory. */
import { Accounts } from "@watchword/ledger/Accounts"
import * as AccountsLayer from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import * as PriceTable from "@watchword/ledger/PriceTable"
import { RequestId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import { noKeys } from "@watchword/send/Claims"
import { permitted } from "../src/pipeline/Originator.ts"
import type { Outcome } from "@watchword/send/Outcome"
import { accepted } from "@watchword/send/Outcome"
import * as Heartbeat from "../src/pipeline/Heartbeat.ts"
import type { Request, Statuses } from "../src/internal/Request.ts"
import * as Send from "@watchword/send/Send"
import { makeMemory } from "@watchword/store/MemoryStore"
import { type Service, Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { whatIsSet } from "../../../test/whatIsSet.ts"

export const PRICE = 10_000
export const german = E164.make("+4915123456789")
export const someRequest = RequestId.make("4f1b6f0e-8a39-4a4f-9a39-1f1f0f4f5b11")

export const statuses: Statuses = {
  pending: { name: "sent", rank: 0 },
  accepted: { name: "sent", rank: 1 },
  failed: { name: "failed", rank: 2 }
}

/** Everything a send needs, on a store that may be wrapped. */
export const layerOn = (store: Service) =>
  Layer.mergeAll(Send.layer, Ledger.layer, AccountsLayer.layer).pipe(
    Layer.provide(Layer.succeed(PriceTable.Prices, Result.getOrThrow(PriceTable.parse({ sms: { "*": "0.01" } })))),
    Layer.provideMerge(whatIsSet),
    Layer.provideMerge(Heartbeat.layer),
    Layer.provideMerge(Layer.succeed(Store, store))
  )

export const layer = Layer.unwrap(Effect.sync(() => layerOn(makeMemory())))

/** Opens an account with a balance and answers its principal. */
export const principalWith = Effect.fnUntraced(function* (balance: number, mode: Principal["mode"] = "live") {
  const accounts = yield* Accounts
  const ledger = yield* Ledger.Ledger
  const account = yield* accounts.create({})
  if (balance > 0) yield* ledger.credit(account.id, MicroEuros.make(balance))
  const principal: Principal = { account, mode, key: null, scopes: null }
  return principal
})

/** A send whose gateway gives a scripted answer. */
export const request = (
  principal: Principal,
  outcome: Outcome | Effect.Effect<Outcome> = accepted(["ref-1"]),
  more: Partial<Request> = {}
): Request => ({
  principal,
  channel: "sms",
  statuses,
  to: german,
  from: Effect.runSync(permitted(principal, "senders", "Acme")),
  units: 1,
  content: { text: "Your code is 123456", code: null },
  details: {},
  body: "body",
  keys: noKeys,
  deliver: () => (Effect.isEffect(outcome) ? outcome : Effect.succeed(outcome)),
  ...more
})

/** A store that tells the steps it took. */
export const watched = (store: Service = makeMemory()) => {
  const steps: Array<string> = []
  const noted = <A, E>(verb: string, work: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      steps.push(verb)
      return work
    })
  const open: Service["open"] = (step) => noted("open", store.open(step))
  const close: Service["close"] = (step) => noted("close", store.close(step))
  return { steps, store: { ...store, open, close } }
}

/** The kinds of an account's ledger entries, in their order. */
export const kinds = Effect.fnUntraced(function* (principal: Principal) {
  const ledger = yield* Ledger.Ledger
  const entries = yield* Stream.runCollect(ledger.entries(principal.account.id))
  return entries.map((entry) => entry.kind)
})

export const balanceOf = Effect.fnUntraced(function* (principal: Principal) {
  const ledger = yield* Ledger.Ledger
  return yield* ledger.balance(principal.account.id)
})
