import * as Effect from "effect/Effect"
import type { Counter } from "../../Counters.ts"
import { Store } from "../../Store.ts"
import { check, reopened, same, together } from "./Case.ts"
import { AT, DAY, atOnce } from "./Fixtures.ts"

/** A counter of a day, unless a case says otherwise. */
const counter = (key: string, fields: Partial<Counter> = {}): Counter => ({
  key,
  window: DAY,
  slice: 60_000,
  amount: 1,
  limit: null,
  ...fields
})

const count = (...counters: ReadonlyArray<Counter>) => Store.use((store) => store.count(counters))

/** What counters of a day have. */
const usedOf = (...keys: ReadonlyArray<string>) =>
  Effect.map(count(...keys.map((key) => counter(key, { amount: 0 }))), ({ tallies }) => tallies.map(({ used }) => used))

/** How many of the answers say that the request was counted. */
const countedIn = (answers: ReadonlyArray<{ readonly counted: boolean }>) =>
  answers.filter(({ counted }) => counted).length

export const counters = [
  check(
    "count: adds amounts, and answers what each counter had before",
    Effect.gen(function* () {
      const none = { used: 0, peak: 0, freeIn: 0 }
      const first = yield* count(counter("to:a", { amount: 2 }), counter("account:b", { amount: 5_000_000_000_000 }))
      same("first", [first.counted, first.tallies], [true, [none, none]])
      const { counted, tallies } = yield* count(counter("account:b"), counter("to:a"), counter("to:c"))
      same("counted", counted, true)
      same(
        "in the order of the request",
        tallies.map(({ freeIn, used }) => [used, freeIn]),
        [
          [5_000_000_000_000, 0],
          [2, 0],
          [0, 0]
        ]
      )
      same("sums", yield* usedOf("to:a", "account:b", "to:c", "to:d"), [3, 5_000_000_000_001, 1, 0])
    })
  ),

  check(
    "count: counts nothing where one of the counters would be above its limit",
    Effect.gen(function* () {
      yield* count(counter("a", { amount: 4 }))
      const refused = yield* count(counter("b"), counter("a", { amount: 2, limit: 5 }), counter("c", { limit: 1 }))
      same("refused", refused.counted, false)
      same(
        "before",
        refused.tallies.map(({ used }) => used),
        [0, 4, 0]
      )
      same("nothing was counted", yield* usedOf("a", "b", "c"), [4, 0, 0])
      same("the limit itself", (yield* count(counter("b"), counter("a", { limit: 5 }))).counted, true)
      same("one more", (yield* count(counter("b"), counter("a", { limit: 5 }))).counted, false)
      same("sums", yield* usedOf("a", "b", "c"), [5, 1, 0])
      same("more than a limit at once", (yield* count(counter("c", { amount: 3, limit: 2 }))).counted, false)
      same("without a limit", (yield* count(counter("a", { amount: 10 }))).counted, true)
      same("sums", yield* usedOf("a", "b", "c"), [15, 1, 0])
    })
  ),

  check(
    "count: an amount of zero looks, adds nothing, and is never too much",
    Effect.gen(function* () {
      yield* count(counter("a", { amount: 9 }))
      const look = counter("a", { amount: 0, limit: 3 })
      same("beside another", (yield* count(look, counter("b", { limit: 1 }))).counted, true)
      same("beside one that is refused", (yield* count(look, counter("b", { limit: 1 }))).counted, false)
      const { counted, tallies } = yield* count(look)
      same("alone", [counted, tallies[0]?.used, tallies[0]?.peak, tallies[0]?.freeIn], [true, 9, 9, 0])
    })
  ),

  check(
    "count: looks where the last counter that adds has more with its amount",
    Effect.gen(function* () {
      const look = counter("b", { amount: 0, above: 3 })
      yield* count(counter("b", { amount: 7 }))
      yield* count(counter("a", { amount: 3 }))
      const { tallies } = yield* count(counter("a"), look, counter("c", { above: 9 }))
      same(
        "above",
        tallies.map(({ used }) => used),
        [3, 7, 0]
      )
      same("an amount is added whatever is above", yield* usedOf("c"), [1])
      const limited = yield* count(counter("c", { limit: 1, above: 9 }))
      same("a limit holds whatever is above", [limited.counted, limited.tallies[0]?.used], [false, 1])
    })
  ),

  check(
    "count: keys are compared character by character",
    Effect.gen(function* () {
      const keys = ["to:a", "to:A", "to:a ", "to:_", "to:%", "to:'", "x".repeat(64), `${"x".repeat(63)}y`]
      for (const [index, key] of keys.entries()) yield* count(counter(key, { amount: index + 1 }))
      same("sums", yield* usedOf(...keys), [1, 2, 3, 4, 5, 6, 7, 8])
    })
  ),

  check(
    "count: takes thirty-two counters, and refuses all for the last",
    Effect.gen(function* () {
      const all = Array.from({ length: 32 }, (_, index) => counter(`${index}`, { limit: index === 31 ? 2 : 9 }))
      for (const expected of [true, true, false]) same("counted", (yield* count(...all)).counted, expected)
      same(
        "sums",
        yield* usedOf(...all.map(({ key }) => key)),
        Array.from({ length: 32 }, () => 2)
      )
    })
  ),

  check(
    "count: the buckets of slices add up, and the peak is the largest",
    Effect.gen(function* () {
      const slices = (amount: number) => counter("a", { slice: 20, amount })
      for (const amount of [3, 7, 2]) {
        yield* count(slices(amount))
        yield* Effect.sleep(25)
      }
      const { tallies } = yield* count(slices(0))
      same("sum and peak", [tallies[0]?.used, tallies[0]?.peak], [12, 7])
    })
  ),

  check(
    "count: an amount counts for the window and then no more, and freeIn says for how long",
    Effect.gen(function* () {
      const of = (fields: Partial<Counter>) => counter("a", { window: 800, slice: 40, limit: 3, ...fields })
      yield* count(of({ amount: 3 }))
      const refused = yield* count(of({ limit: 2 }))
      const freeIn = refused.tallies[0]?.freeIn ?? 0
      same("refused", [refused.counted, freeIn > 0 && freeIn <= 840], [false, true])
      const later = yield* Effect.repeat(Effect.delay(count(of({})), 50), { until: ({ counted }) => counted })
      same("later", later.tallies[0], { used: 0, peak: 0, freeIn: 0 })
    })
  ),

  check(
    "count: freeIn is the time until enough has left the window, and that of an amount above the limit until all has",
    Effect.gen(function* () {
      const of = (fields: Partial<Counter>) => counter("a", { window: DAY, slice: 50, ...fields })
      yield* count(of({ amount: 2 }))
      yield* Effect.sleep(60)
      yield* count(of({ amount: 2 }))
      const freeIn = (amount: number) =>
        Effect.map(count(of({ amount, limit: 4 })), ({ tallies }) => tallies[0]?.freeIn ?? 0)
      const [nine, three, two, one] = [yield* freeIn(9), yield* freeIn(3), yield* freeIn(2), yield* freeIn(1)]
      same("with the second slice", nine >= three, true)
      same("the first slice ends sooner", three - two >= 50, true)
      same("with the first slice", two >= one && one > 0, true)
    })
  ),

  check(
    "uncount: takes back what a request has added, and nothing else",
    Effect.gen(function* () {
      const one = yield* count(counter("a", { amount: 4 }), counter("b"), counter("c", { amount: 0 }))
      same("added", one.added.map(({ amount, key }) => [key, amount]).toSorted(), [
        ["a", 4],
        ["b", 1]
      ])
      const other = yield* count(counter("a", { amount: 2 }), counter("d"))
      yield* Store.use((store) => store.uncount(one.added))
      same("the other's are left", yield* usedOf("a", "b", "c", "d"), [2, 0, 0, 1])
      same("a refused request has added nothing", (yield* count(counter("a", { limit: 1 }))).added, [])
      same("there is room again", (yield* count(counter("b", { limit: 1 }))).counted, true)
      yield* Store.use((store) => store.uncount([...other.added, ...other.added]))
      same("never less than nothing", yield* usedOf("a", "d"), [0, 0])
      yield* Store.use((store) => store.uncount([{ key: "e", until: 1, amount: 1 }]))
      same("a bucket that is away stays away", yield* usedOf("e"), [0])
    })
  ),

  check(
    "uncount: of a slice that has ended leaves what was added since",
    Effect.gen(function* () {
      const slices = counter("a", { slice: 20 })
      const first = yield* count(slices)
      yield* Effect.sleep(25)
      yield* count(slices)
      yield* Store.use((store) => store.uncount(first.added))
      const { tallies } = yield* count({ ...slices, amount: 0 })
      same("sum and peak", [tallies[0]?.used, tallies[0]?.peak], [1, 1])
    })
  ),

  check(
    "uncount: beside a hundred counts at once loses and doubles nothing",
    Effect.gen(function* () {
      const store = yield* Store
      const back = yield* atOnce(100, (index) =>
        Effect.flatMap(count(counter("a"), counter("b"), counter(`${index % 7}`)), ({ added }) =>
          index % 2 === 0 ? Effect.as(store.uncount(added.toReversed()), 1) : Effect.succeed(0)
        )
      )
      const left = back.filter((each) => each === 0).length
      same("sums", yield* usedOf("a", "b"), [left, left])
    })
  ),

  check(
    "count: of a hundred at once on a limit of ten, ten are counted",
    Effect.gen(function* () {
      const both = [counter("a", { limit: 10 }), counter("b")]
      const answers = yield* atOnce(100, (index) => count(...(index % 2 === 0 ? both : both.toReversed())))
      same("counted", countedIn(answers), 10)
      same("sums", yield* usedOf("a", "b"), [10, 10])
      const before = answers.flatMap(({ counted, tallies }, index) => (counted ? [tallies[index % 2]?.used ?? -1] : []))
      same(
        "one after the other",
        before.toSorted((a, b) => a - b),
        Array.from({ length: 10 }, (_, index) => index)
      )
    })
  ),

  check(
    "count: of a hundred at once with many counters, no counter passes its limit and none is counted in part",
    Effect.gen(function* () {
      const keys = ["a", "b", "c", "d", "e"]
      const requests = Array.from({ length: 100 }, (_, index) => [
        counter("all"),
        ...keys
          .filter((_, bit) => (index >> bit) & 1)
          .map((key, place) => counter(key, { amount: 1 + place, limit: 12 }))
      ])
      const answers = yield* Effect.forEach(requests, (request) => count(...request), { concurrency: "unbounded" })
      const sums = ["all", ...keys].map((key) =>
        requests
          .filter((_, index) => answers[index]?.counted)
          .flat()
          .filter((each) => each.key === key)
          .reduce((sum, { amount }) => sum + amount, 0)
      )
      same("sums", yield* usedOf("all", ...keys), sums)
      same(
        "limits",
        sums.slice(1).every((sum) => sum <= 12),
        true
      )
      for (const key of keys) same(key, (yield* count(counter(key, { amount: 12, limit: 12 }))).counted, false)
    })
  ),

  check(
    "sweep: leaves what counts by the store's clock, whatever time it is given",
    Effect.gen(function* () {
      const store = yield* Store
      yield* count(counter("short", { window: 1, slice: 1 }), counter("long"))
      yield* Effect.sleep(5)
      for (const at of [AT, Date.UTC(2400, 0)]) yield* store.sweep({ at, unmatchedBefore: 0, unmatchedLimit: 9 })
      same("sums", yield* usedOf("short", "long"), [0, 1])
    })
  )
]

/** For stores whose manifest says `durable`. */
export const lastingCounters = [
  reopened("durable: what was counted still counts", count(counter("a", { amount: 3 })), () =>
    Effect.gen(function* () {
      same("sum", yield* usedOf("a"), [3])
      same("limit", (yield* count(counter("a", { limit: 3 }))).counted, false)
    })
  )
]

/** For stores whose manifest says `shared`. */
export const sharedCounters = [
  together("shared: of a hundred counted in both on a limit of ten, ten are", (one, other) =>
    Effect.gen(function* () {
      const answers = yield* atOnce(100, (index) =>
        (index % 2 === 0 ? one : other).count([counter("a", { limit: 10 }), counter("b")])
      )
      same("counted", countedIn(answers), 10)
      same("sums", yield* usedOf("a", "b"), [10, 10])
    })
  )
]
