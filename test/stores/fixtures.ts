/**
 * Accounts, sends and receipts for the tests of store adapters.
 */
import { type Account, anyOriginators } from "@watchword/schemas/Account"
import {
  type AccountId,
  type DeliveryId,
  nextAccountId,
  nextDeliveryId,
  nextEntryId,
  nextProcessId
} from "@watchword/schemas/Ids"
import { PositiveMicroEuros } from "@watchword/schemas/Money"
import { type Close, type Open, type Report, Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

export const AT = Date.UTC(2026, 0, 15)
export const PRICE = PositiveMicroEuros.make(50_000)

export const someAccount = (fields: Partial<Account> = {}): Account => ({
  id: nextAccountId(AT),
  name: "Test",
  caller: null,
  smsSender: null,
  senderUsername: null,
  minRing: 5,
  maxRing: 15,
  storeText: false,
  originators: anyOriginators,
  suspendedAt: null,
  createdAt: AT,
  ...fields
})

/** An account with money for so many sends. */
export const accountFor = Effect.fnUntraced(function* (sends: number) {
  const store = yield* Store
  const account = someAccount()
  yield* store.createAccount(account)
  const amount = PositiveMicroEuros.make(sends * PRICE)
  yield* store.credit({ id: nextEntryId(AT), account: account.id, amount, at: AT })
  return account.id
})

export const opening = (account: AccountId, fields: Partial<Open["delivery"]> = {}): Open => ({
  delivery: {
    id: nextDeliveryId(AT),
    account,
    mode: "live",
    channel: "sms",
    to: "+4915123456789",
    from: null,
    status: { name: "sent", rank: 0 },
    price: PRICE,
    parts: 1,
    reference: null,
    details: {},
    ...fields
  },
  claims: [],
  owner: nextProcessId(0),
  at: AT
})

/** The outcome of a send that is closed when it is opened. */
export const ending = (outcome: Close["outcome"], ref: string): NonNullable<Open["close"]> => ({
  outcome,
  status: { name: "sent", rank: 1 },
  refs: [ref],
  details: {}
})

export const closing = (id: DeliveryId, fields: Partial<Close> = {}): Close => ({
  id,
  outcome: "accepted",
  status: { name: "sent", rank: 1 },
  refs: [],
  details: {},
  at: AT,
  ...fields
})

export const receipt = (ref: string, fields: Partial<Report> = {}): Report => ({
  target: { _tag: "Part", channel: "sms", refs: [ref], message: { to: null, reference: null } },
  status: { name: "delivered", rank: 2 },
  when: {},
  details: {},
  everyPart: true,
  refund: false,
  at: AT,
  ...fields
})

export const find = (account: AccountId, id: DeliveryId) =>
  Effect.flatMap(Store, (store) => store.find({ account, mode: "live", channel: "sms", id }))

/** The account's balance now. */
export const balanceOf = (id: AccountId) =>
  Effect.flatMap(Store, (store) => Effect.map(store.account(id), (row) => Option.getOrThrow(row).balance))

export const atOnce = <A, E, R>(
  count: number,
  effect: (index: number) => Effect.Effect<A, E, R>
): Effect.Effect<Array<A>, E, R> =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    effect,
    { concurrency: "unbounded" }
  )

export const tally = (tags: ReadonlyArray<string>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const tag of tags) counts[tag] = (counts[tag] ?? 0) + 1
  return counts
}
