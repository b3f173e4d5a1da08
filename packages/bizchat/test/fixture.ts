/**
 * The channel on a store in memory, with a scripted platform, and accounts with money.
 */
import { assert } from "@effect/vitest"
import * as Bizchat from "@watchword/bizchat/Bizchat"
import * as BizchatStatus from "../src/internal/BizchatStatus.ts"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import * as PriceTable from "@watchword/ledger/PriceTable"
import { ListBody } from "@watchword/pagination/Page"
import * as Records from "@watchword/records/Records"
import { SendOtp } from "@watchword/schemas/Bizchat"
import { MicroEuros } from "@watchword/schemas/Money"
import type { Principal } from "@watchword/schemas/Account"
import { noKeys } from "@watchword/send/Claims"
import { type ReconcilerOptions, heartbeatLayer, reconcilerLayer } from "@watchword/send/pipeline"
import * as Send from "@watchword/send/Send"
import * as Settings from "@watchword/store/Settings"
import { makeMemory } from "@watchword/store/MemoryStore"
import { type Service as StoreService, Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { makePlatform, refOf } from "./platform.ts"
import { whatIsSet } from "../../../test/whatIsSet.ts"

export const german = "+4915123456789"
export const PRICE = 40_000
const prices = Result.getOrThrow(PriceTable.parse({ bizchat: { "*": "0.04" } }))

export type Platform = ReturnType<typeof makePlatform>

/** The channel on a store in memory; without a platform there is no gateway for live keys. */
export const layerOf = (
  platform: Pick<Platform, "layer"> | null,
  store: StoreService = makeMemory(),
  reconcile: Omit<ReconcilerOptions, "failed"> = {}
) =>
  (platform === null ? Bizchat.layer : Layer.provide(Bizchat.layer, platform.layer)).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Send.layer,
        Records.layer,
        Ledger.layer,
        Accounts.layer,
        Settings.layer,
        reconcilerLayer({ ...reconcile, failed: { bizchat: BizchatStatus.statuses.failed } })
      )
    ),
    Layer.provide(Layer.succeed(PriceTable.Prices, prices)),
    Layer.provideMerge(whatIsSet),
    Layer.provideMerge(heartbeatLayer),
    Layer.provideMerge(Layer.succeed(Store, store))
  )

export type Services = Layer.Success<ReturnType<typeof layerOf>>

/** Runs a test with a platform of its own. */
export const withPlatform = <A, E>(test: (platform: Platform) => Effect.Effect<A, E, Services>) => {
  const platform = makePlatform()
  return Effect.provide(test(platform), layerOf(platform))
}

export const sandboxed = <A, E>(test: Effect.Effect<A, E, Services>) => Effect.provide(test, layerOf(null))

export const principal = Effect.fnUntraced(function* (mode: Principal["mode"], account: Accounts.NewAccount = {}) {
  const accounts = yield* Accounts.Accounts
  const made: Principal = { account: yield* accounts.create(account), mode, key: null, scopes: null }
  return made
})

/** A live principal with one euro. */
export const acme = Effect.fnUntraced(function* (account: Accounts.NewAccount = {}) {
  const made = yield* principal("live", account)
  const ledger = yield* Ledger.Ledger
  yield* ledger.credit(made.account.id, MicroEuros.make(1_000_000))
  return made
})

export const body = Schema.decodeUnknownSync(SendOtp)
export const page = Schema.decodeUnknownSync(ListBody)
export const message = (to = german, text = "Your code is 123456") => body({ to, text })

/** The kinds of an account's ledger entries after its credit. */
export const entriesOf = Effect.fnUntraced(function* ({ account }: Principal) {
  const ledger = yield* Ledger.Ledger
  const { agrees } = yield* ledger.audit(account.id)
  assert.isTrue(agrees)
  const entries = yield* Stream.runCollect(ledger.entries(account.id))
  return entries.slice(1).map(({ kind }) => kind)
})

export const balanceOf = ({ account }: Principal) => Ledger.Ledger.use((ledger) => ledger.balance(account.id))

/** Sends one text, and returns its id and the platform's id. */
export const sendOne = Effect.fnUntraced(function* (platform: Platform, principal: Principal) {
  const chat = yield* Bizchat.Bizchat
  const { uuid } = yield* chat.send(principal, message(), noKeys)
  const last = platform.sent.at(-1)
  assert(last !== undefined)
  return { uuid, ref: refOf(last) }
})
