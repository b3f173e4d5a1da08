/**
 * Lists with every plan, on the event loop and in slices, compared with the same lists in memory.
 */
import type { Condition } from "@watchword/pagination/Fields"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { type AccountId, nextDeliveryId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import { makePartitions, planOf } from "@watchword/store/sql"
import type { Delivery, Field } from "@watchword/store/Delivery"
import { pageOf } from "@watchword/store/Listing"
import { type Listing, type Page, Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as AccountNumbers from "../src/AccountNumbers.ts"
import * as Connection from "../src/Connection.ts"
import * as Deliveries from "../src/Deliveries.ts"
import * as Lists from "../src/Lists.ts"
import * as Processes from "../src/Processes.ts"
import { AT, accountFor, atOnce, closing, opening, temporaryFile } from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SPARSE = 150
/** Enough records within an hour for a page to use the eight-minute counts. */
const DENSE = 800

const channels = ["sms", "call"] as const
type Channel = (typeof channels)[number]

const numbers = ["+4915100000001", "+4915100000002", "+447700900001"] as const
const statuses = ["sent", "delivered", "failed"] as const
const timeOf = { sms: "statusAt", call: "createdAt" } as const

/** Records of one channel: some spread over days, and many within an hour. */
const send = Effect.fnUntraced(function* (account: AccountId, channel: Channel) {
  const store = yield* Store
  return yield* atOnce(SPARSE + DENSE, (index) =>
    Effect.gen(function* () {
      const at = index < SPARSE ? AT + index * 97 * MINUTE : AT + 30 * HOUR + (index % 300) * 11_000
      const id = nextDeliveryId(at)
      const details = index % 4 === 0 ? {} : { text: `text ${index % 7}` }
      const price = MicroEuros.make(index % 3)
      const to = numbers[index % 11 === 0 ? 2 : index % 2] ?? numbers[0]
      const opened = yield* store.open({ ...opening(account, { id, channel, to, price, details }), at })
      if (index % 5 === 0) return opened._tag === "Opened" ? opened.delivery : expect.fail(opened._tag)
      const name = index % 13 === 0 ? "failed" : "delivered"
      const closed = yield* store.close(closing(id, { status: { name, rank: 2 }, at: at + (index % 6) * 20 * MINUTE }))
      return closed._tag === "Closed" ? closed.delivery : expect.fail(closed._tag)
    })
  )
})

const bound = fc.integer({ min: -2 * HOUR, max: 260 * HOUR }).map((after) => AT + after)
const nearBound = fc.integer({ min: 0, max: 200 * MINUTE }).map((after) => AT + 30 * HOUR + after)
const timeBound = fc.oneof(bound, nearBound)

/** A condition on the field that the channel's lists are ordered by, or on another field. */
const condition = (channel: Channel): fc.Arbitrary<Condition<Field>> => {
  const range = (field: Field, bounds: fc.Arbitrary<number>) =>
    fc
      .record({ gte: bounds, gt: bounds, lte: bounds, lt: bounds }, { requiredKeys: [] })
      .map((given): Condition<Field> => ({ _tag: "Range", field, ...given }))
  const among = (field: Field, values: ReadonlyArray<string | number | null>) =>
    fc.subarray([...values], { minLength: 1 }).map((values): Condition<Field> => ({ _tag: "In", field, values }))
  return fc.oneof(
    { weight: 4, arbitrary: range(timeOf[channel], timeBound) },
    { weight: 3, arbitrary: among("status", [...statuses, "unheard of"]) },
    { weight: 3, arbitrary: among("to", [...numbers, "+100"]) },
    { weight: 1, arbitrary: range("createdAt", timeBound) },
    { weight: 1, arbitrary: range("price", fc.integer({ min: -1, max: 3 })) },
    { weight: 1, arbitrary: among("details.text", ["text 1", "text 5", null]) }
  )
}

const question = (channel: Channel): fc.Arbitrary<Pick<Listing, "where" | "sort" | "offset" | "limit">> =>
  fc.record({
    where: fc.array(condition(channel), { maxLength: 3 }),
    sort: fc.record({
      field: fc.oneof(
        { weight: 4, arbitrary: fc.constant<Field>(timeOf[channel]) },
        { weight: 1, arbitrary: fc.constantFrom<Field>("price", "to", "details.text", "id") }
      ),
      direction: fc.constantFrom("ASC", "DESC")
    }),
    offset: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: SPARSE + DENSE + 50 })),
    limit: fc.integer({ min: 0, max: 40 })
  })

const brief = (page: Page | null) => page && [page.total, ...page.rows.map(({ id }) => id)]

const registry = ChannelRegistry.make(ChannelRegistry.builtIn)

describe("a list", () => {
  it.each(channels)("of %s is that of the records in memory, by each plan, quick and in slices", async (channel) => {
    const program = Effect.gen(function* () {
      const db = yield* Connection.open(temporaryFile())
      const store = yield* BuiltIn.over(db)
      const account = yield* Effect.provideService(accountFor(10_000), Store, store)
      const records: ReadonlyArray<Delivery> = yield* Effect.provideService(send(account, channel), Store, store)
      const partitions = makePartitions(registry)
      const accounts = AccountNumbers.make(db)
      const deliveries = Deliveries.make(db, accounts, Processes.make(db), partitions)
      const lists = Lists.make(db, { registry, partitions, accounts, deliveries })
      const plans = new Set<string>()
      fc.assert(
        fc.property(question(channel), (asked) => {
          const listing = { account, mode: "live", channel, ...asked } as const
          plans.add(planOf(listing, timeOf[channel])._tag)
          const expected = brief(pageOf(records, asked))
          expect(brief(lists.quick(listing))).toEqual(expected)
          expect(brief(lists.slow(listing, () => false))).toEqual(expected)
        }),
        { numRuns: 600 }
      )
      expect(plans).toEqual(new Set(["Nothing", "Counted", "Recipients", "Search"]))
    })
    await Effect.runPromise(Effect.scoped(program))
  })
})
