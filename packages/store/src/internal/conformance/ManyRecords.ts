/**
 * Partitions full of records of every kind, and questions about them.
 */
import type { Condition } from "@watchword/pagination/Fields"
import type { AccountId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import type { Delivery, Details, Field, Status } from "../../Delivery.ts"
import { pageOf, valueOf } from "../../Listing.ts"
import { type Listing, Store } from "../../Store.ts"
import { same } from "./Case.ts"
import type { SeededRandom } from "../../checks/index.ts"
import { AT, closing, now, opened, prices, reportOn, status } from "./Fixtures.ts"

export const HOUR = 60 * 60 * 1000

export const fields: ReadonlyArray<Field> = [
  "id",
  "to",
  "from",
  "status",
  "price",
  "parts",
  "createdAt",
  "statusAt",
  "details.text",
  "details.cost",
  "details.urgent",
  "details.mixed",
  "details.missing"
]

type Question = Pick<Listing, "where" | "sort" | "offset" | "limit">

export const question = (fields: Partial<Question> = {}): Question => ({
  where: [],
  sort: { field: "createdAt", direction: "DESC" },
  offset: 0,
  limit: 1_000,
  ...fields
})

export type Partition = Pick<Listing, "account" | "mode" | "channel">

export const smsOf = (account: AccountId): Partition => ({ account, mode: "live", channel: "sms" })

/** Checks a store's answers against the known records. */
export const agrees = Effect.fnUntraced(function* (
  partition: Partition,
  records: ReadonlyArray<Delivery>,
  asked: Question
) {
  const store = yield* Store
  const found = yield* store.list({ ...partition, ...asked })
  const expected = pageOf(records, asked)
  const brief = ({ rows, total }: typeof found) => [total, ...rows.map(({ id }) => id)]
  same(JSON.stringify(asked), brief(found), brief(expected))
  same(`the rows of ${JSON.stringify(asked)}`, found.rows, expected.rows)
})

const recipients = ["+4915100000001", "+4915100000002", "+447700900001"] as const
const senders = ["Zürich", "Zurich", "zurich", "Ärzte", "\u{1F511}", "\uFFFD", null] as const
const details: readonly [Details, ...ReadonlyArray<Details>] = [
  {},
  { text: "plain", cost: 0.5, urgent: true, mixed: "1" },
  { text: 'it\'s; -- "quoted" %_', cost: -2, urgent: false, mixed: 1 },
  { text: "", cost: 1e21, mixed: true },
  { text: "Ünïcode \u{1F511}", cost: 10, urgent: null, mixed: null },
  { text: null, cost: 9, urgent: true, mixed: false }
]

/** A partition with records of every kind, some of them equal in every sort field. */
export const partitionOfMany = Effect.fnUntraced(function* (random: SeededRandom, partition: Partition, count: number) {
  const store = yield* Store
  const records: Array<Delivery> = []
  for (let index = 0; index < count; index++) {
    const at = AT + random.below(12) * 5 * HOUR + random.below(3)
    const { id } = yield* opened(
      partition.account,
      {
        ...partition,
        to: random.oneOf(recipients),
        from: random.oneOf(senders),
        price: prices(random.below(3)),
        parts: 1 + random.below(3),
        details: random.oneOf(details)
      },
      { at }
    )
    const later = at + random.below(4) * 7 * HOUR
    const end = random.below(4)
    if (end > 0) yield* store.close(closing(id, end === 1 ? "rejected" : "accepted", { at: later }))
    if (end > 1) yield* store.report(reportOn(id, { status: reached(end), at: later + random.below(3) }))
    records.push(yield* now({ ...partition, id }))
  }
  return records
})

const reached = (end: number): Status => (end === 2 ? status.delivered : status.read)

const bounds = ["gte", "gt", "lte", "lt"] as const

/** A condition on values that some records have. */
export const someCondition = (random: SeededRandom, records: ReadonlyArray<Delivery>): Condition<Field> => {
  const [first = "id", ...others] = fields
  const field = random.oneOf([first, ...others])
  const valueOfSome = () => {
    const record = records[random.below(records.length)]
    return record === undefined ? null : valueOf(record, field)
  }
  if (random.below(2) === 0) {
    return { _tag: "In", field, values: Array.from({ length: random.below(5) }, valueOfSome) }
  }
  const range: { [bound in (typeof bounds)[number]]?: string | number } = {}
  for (const bound of random.some(bounds)) {
    const value = valueOfSome()
    if (typeof value === "string") range[bound] = value
    if (typeof value === "number") range[bound] = value + random.below(3) - 1
  }
  return { _tag: "Range", field, ...range }
}

export const directions = ["ASC", "DESC"] as const
