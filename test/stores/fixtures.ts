/**
 * Sends and receipts for the tests of store adapters, in addition to the accounts of the conformance suite.
 */
import { type AccountId, type DeliveryId, nextDeliveryId, nextProcessId } from "@watchword/schemas/Ids"
import { type Close, type Open, type Report, Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { AT, PRICE } from "../../packages/store/src/internal/conformance/Fixtures.ts"

export {
  AT,
  PRICE,
  accountFor,
  atOnce,
  balanceOf,
  someAccount
} from "../../packages/store/src/internal/conformance/Fixtures.ts"

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

/** The outcome of a send that is closed as soon as it is opened. */
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

export const tally = (tags: ReadonlyArray<string>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const tag of tags) counts[tag] = (counts[tag] ?? 0) + 1
  return counts
}
