/**
 * The roll-up of hours that have ended, counted again from the records.
 *
 * The difference is added to the rows that are there, hour by hour, so that a command that is killed is started again,
 * and what servers add meanwhile stays. Their last seconds may count twice: the current hour is not rebuilt.
 */
import { BadRequest, type TooManyRequests } from "@watchword/schemas/Errors"
import { timeOfUlid } from "@watchword/schemas/Ids"
import type { Delivery } from "@watchword/store/Delivery"
import { PURGED, Store } from "@watchword/store/Store"
import { oneAtATime } from "../../command/SlowReads.ts"
import { DIMENSIONS, HOUR, type TrafficRow, type TrafficSum, hourOf, keptSince } from "@watchword/store/Traffic"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Described } from "@watchword/send/channel/Features"
import { type End, PLACE, endOf, lastSendOf, make as makeMeasures } from "./Measures.ts"
import { Rows } from "./Rows.ts"
import { scan } from "./Scan.ts"

export interface Rebuilt {
  /** The hours that were counted, from the first to the second, which is left out. */
  readonly since: Date
  readonly until: Date
  readonly records: number
  /** How many rows were not as the records have it. */
  readonly corrected: number
}

/** No verification is under way for longer, in milliseconds. */
const DAY = 24 * HOUR

/** Milliseconds after the end of an hour by which servers have added all their counts to it. */
const SETTLED = 60_000

/** How many rows one step adds. */
const BATCH = 500

/** Counts from an hour on, of those whose records are all there. */
export const rebuild = (input: {
  readonly since: Date
}): Effect.Effect<Rebuilt, BadRequest | StoreError | TooManyRequests, Described | Store> => inTurn(rebuilt(input))

const inTurn = oneAtATime()

const rebuilt = Effect.fnUntraced(function* ({
  since
}: {
  readonly since: Date
}): Effect.fn.Return<Rebuilt, BadRequest | StoreError, Described | Store> {
  const store = yield* Store
  const { formRows, keyOf, measure } = makeMeasures(yield* Described)
  const now = yield* Clock.currentTimeMillis
  const purged = yield* purgedBefore
  const first = Math.max(hourOf(since.getTime()), keptSince(now), purged === 0 ? 0 : hourOf(purged) + 1)
  const end = hourOf(now - SETTLED)
  if (first >= end) {
    const issues = [
      { path: "since", message: "must be before the last full hour, and after the records that were deleted" }
    ]
    return yield* new BadRequest({ message: "There are no hours to count.", issues })
  }
  const ends = new Map<string, End["as"]>()
  let rows = new Rows()
  let from = first
  let records = 0
  let corrected = 0

  const count = (delivery: Delivery, as: End["as"] | undefined, isNew: boolean): void => {
    const forms = isNew ? formRows(delivery) : []
    for (const { counts, key } of forms) if (key.hour >= from) rows.count(key, counts, 1)
    const key = keyOf(delivery)
    const amounts = key === null || key.hour < from ? null : rows.amountsOf(key)
    if (amounts === null) return
    if (isNew) measure(delivery, 1, amounts)
    if (as !== undefined) amounts[PLACE[as]] = (amounts[PLACE[as]] ?? 0) + 1
  }

  /** Adds missing amounts to the rows of the hours until one. */
  const correct = Effect.fnUntraced(function* (until: number) {
    const there = yield* store.traffic({ since: from, until, account: null, by: DIMENSIONS })
    rows.add(there.filter(isRow), -1)
    const all = rows.all()
    for (let place = 0; place < all.length; place += BATCH) yield* store.addTraffic(all.slice(place, place + BATCH))
    corrected += all.length
    rows = new Rows()
    from = until
  })

  yield* scan({ since: first * HOUR - DAY, until: end * HOUR }, (page) =>
    Effect.forEach(
      page,
      Effect.fnUntraced(function* (delivery) {
        const hour = hourOf(timeOfUlid(delivery.id))
        if (hour > from) yield* correct(hour)
        if (hour >= from) records += 1
        count(delivery, ends.get(delivery.id), true)
        ends.delete(delivery.id)
        const ended = endOf(delivery)
        const last = ended === null ? null : lastSendOf(ended)
        if (ended === null || last === null) return
        if (last.id > delivery.id) return void ends.set(last.id, ended.as)
        // Of two processes whose clocks differ.
        const send = Option.getOrNull(yield* store.find(last))
        if (send !== null) count(send, ended.as, false)
      }),
      { discard: true }
    )
  )
  yield* correct(end)
  return { since: new Date(first * HOUR), until: new Date(end * HOUR), records, corrected }
})

/** Whether a sum is of one row. */
export const isRow = (sum: TrafficSum): sum is TrafficRow =>
  DIMENSIONS.every((dimension) => sum.key[dimension] !== undefined)

/** The time before which records were deleted; 0 where none were. */
const purgedBefore = Store.use((store) =>
  Effect.map(store.settings(null), (all) => Number(all.find(({ name }) => name === PURGED)?.value ?? 0))
)
