/**
 * Accounts, sends and receipts for the cases.
 */
import { type Account, anyOriginators } from "@watchword/schemas/Account"
import {
  type AccountId,
  type DeliveryId,
  ProcessId,
  nextAccountId,
  nextDeliveryId,
  nextEntryId
} from "@watchword/schemas/Ids"
import { MicroEuros, PositiveMicroEuros } from "@watchword/schemas/Money"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Balance, Entry } from "../../Account.ts"
import type { Delivery, Status } from "../../Delivery.ts"
import {
  type Claim,
  type Close,
  type Open,
  type Opened,
  type Report,
  Store,
  type Target,
  type Watch
} from "../../Store.ts"

/** The current time in the cases. */
export const AT = Date.UTC(2026, 0, 15, 12)
export const DAY = 24 * 60 * 60 * 1000
export const PRICE = PositiveMicroEuros.make(50_000)

/** How many prices, as an amount. */
export const prices = (count: number): MicroEuros => MicroEuros.make(count * PRICE)

/** How many prices, at least one, as an amount to credit or to debit. */
export const somePrices = (count: number): PositiveMicroEuros => PositiveMicroEuros.make(count * PRICE)

export const status = {
  begun: { name: "sent", rank: 0 },
  sent: { name: "sent", rank: 1 },
  delivered: { name: "delivered", rank: 2 },
  failed: { name: "failed", rank: 2 },
  read: { name: "read", rank: 3 }
} as const satisfies Record<string, Status>

export const someAccount = (fields: Partial<Account> = {}): Account => ({
  id: nextAccountId(AT),
  name: "Café Zürich",
  caller: "+4930123456",
  smsSender: "Zürich",
  senderUsername: null,
  minRing: 5,
  maxRing: 15,
  storeText: false,
  originators: anyOriginators,
  suspendedAt: null,
  createdAt: AT,
  ...fields
})

/** A new account with money for a number of sends. */
export const accountFor = Effect.fnUntraced(function* (sends: number) {
  const store = yield* Store
  const account = someAccount()
  yield* store.createAccount(account)
  if (sends > 0) yield* store.credit({ id: nextEntryId(AT), account: account.id, amount: somePrices(sends), at: AT })
  return account.id
})

/** The process that opens deliveries unless a case says otherwise. */
const someProcess = ProcessId.make("01KF0G5T00SAMEPR0CESSEVERY")

interface Circumstances {
  readonly at?: number
  readonly claims?: ReadonlyArray<Claim>
  readonly owner?: ProcessId
  readonly close?: Ending
  readonly watch?: Watch
}

export const opening = (
  account: AccountId,
  fields: Partial<Open["delivery"]> = {},
  { at = AT, claims = [], owner = someProcess, ...rest }: Circumstances = {}
): Open => ({
  delivery: {
    id: nextDeliveryId(at),
    account,
    mode: "live",
    channel: "sms",
    to: "+4915123456789",
    from: "Zürich",
    status: status.begun,
    price: PRICE,
    parts: 1,
    reference: 7,
    details: {},
    ...fields
  },
  claims,
  owner,
  ...rest,
  at
})

/** Opens a send that must be let through, and answers its record. */
export const opened = Effect.fnUntraced(function* (...parameters: Parameters<typeof opening>) {
  const store = yield* Store
  return recordOf(yield* store.open(opening(...parameters)))
})

/** The record of an open that must have been let through. */
export const recordOf = (result: Opened): Delivery => {
  if (result._tag === "Opened") return result.delivery
  throw new Error(`open: expected Opened, found ${result._tag}`)
}

export const claim = (key: string, fields: Partial<Claim> = {}): Claim => ({
  key,
  fingerprint: "body",
  heldUntil: "expiry",
  expiresAt: AT + DAY,
  ...fields
})

type Ending = NonNullable<Open["close"]>

/** How a send ends. */
export const ending = (outcome: Close["outcome"], fields: Partial<Ending> = {}): Ending => ({
  outcome,
  status: outcome === "rejected" ? status.failed : outcome === "accepted" ? status.sent : status.begun,
  refs: [],
  details: {},
  ...fields
})

export const closing = (id: DeliveryId, outcome: Close["outcome"], fields: Partial<Close> = {}): Close => ({
  id,
  at: AT + 1_000,
  ...ending(outcome, fields)
})

/** A send that the gateway took under these refs. */
export const accepted = Effect.fnUntraced(function* (account: AccountId, refs: ReadonlyArray<string>) {
  const store = yield* Store
  const { id } = yield* opened(account, { parts: refs.length })
  yield* store.close(closing(id, "accepted", { refs }))
  return id
})

/** A report by id. */
export const reportOn = (id: DeliveryId, fields: Partial<Report> = {}): Report => ({
  target: { _tag: "Delivery", id },
  status: status.delivered,
  when: {},
  details: {},
  everyPart: false,
  refund: false,
  at: AT + 2_000,
  ...fields
})

/** A receipt for a part, under any of these spellings. */
export const receipt = (
  refs: ReadonlyArray<string>,
  fields: Partial<Omit<Report, "target">> & Partial<Omit<Extract<Target, { readonly _tag: "Part" }>, "refs">> = {}
): Report => {
  const { channel = "sms", message = { to: null, reference: null }, ...report } = fields
  return {
    target: { _tag: "Part", channel, refs, message },
    status: status.delivered,
    when: {},
    details: {},
    everyPart: true,
    refund: false,
    at: AT + 2_000,
    ...report
  }
}

/** An answer without the record before the step, which cases of its own look at. */
export const apart = (answer: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(answer).filter(([name]) => name !== "before"))

/** A record as it is now. */
export const now = Effect.fnUntraced(function* (delivery: Pick<Delivery, "id" | "account" | "mode" | "channel">) {
  const store = yield* Store
  return Option.getOrThrow(yield* store.find(delivery))
})

/** The record of an SMS, live, as it is now. */
export const live = (account: AccountId, id: DeliveryId) => now({ account, mode: "live", channel: "sms", id })

export const balanceOf = Effect.fnUntraced(function* (account: AccountId) {
  const store = yield* Store
  return Option.getOrThrow(yield* store.account(account)).balance
})

/** A balance in prices. */
export const balance = (available: number, held: number): Balance => ({
  posted: prices(available + held),
  held: prices(held),
  available: prices(available)
})

export const ledgerOf = (account: AccountId) =>
  Effect.flatMap(Store, (store) => store.entries({ account, after: null, limit: 10_000 }))

/** What happened to an account's money, as words. */
export const kindsOf = (account: AccountId) =>
  Effect.map(ledgerOf(account), (entries) => entries.map(({ kind }: Entry) => kind).join(" "))

/** Runs effects concurrently, if the store allows it. */
export const atOnce = <A, E, R>(
  count: number,
  effect: (index: number) => Effect.Effect<A, E, R>
): Effect.Effect<Array<A>, E, R> =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    effect,
    { concurrency: "unbounded" }
  )

/** How many answers there are of each kind. */
export const tally = (answers: ReadonlyArray<{ readonly _tag: string }>): { readonly [tag: string]: number } => {
  const counts: { [tag: string]: number } = {}
  for (const { _tag } of answers) counts[_tag] = (counts[_tag] ?? 0) + 1
  return counts
}
