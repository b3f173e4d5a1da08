import { firstUlid } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import type { LogEntry } from "../LogStore.ts"
import { FORGOTTEN } from "../RetentionStore.ts"
import { Store } from "../../Store.ts"
import { check, reopened, same, together } from "./Case.ts"
import { AT, DAY } from "./Fixtures.ts"

/** The entry of a second. */
const entry = (second: number, fields: Partial<LogEntry> = {}): LogEntry => ({
  id: firstUlid(AT + second * 1_000),
  who: "anna",
  by: "api",
  command: "guard block",
  input: JSON.stringify({ place: `+49${second}`, note: "Zürich \u{1f512}" }),
  outcome: null,
  output: null,
  ...fields
})

const begin = (...all: ReadonlyArray<LogEntry>) =>
  Store.use((store) => Effect.forEach(all, store.beginLogEntry, { discard: true }))

const listed = (query: Partial<Parameters<Store["Service"]["logEntries"]>[0]> = {}) =>
  Store.use((store) => store.logEntries({ since: AT, before: null, limit: 100, ...query }))

const ids = (query: Parameters<typeof listed>[0] = {}) => Effect.map(listed(query), (all) => all.map(({ id }) => id))

const NUMBER = "+4915123456789"

export const log = [
  check(
    "logEntries: begin and end, the newest first",
    Effect.gen(function* () {
      const store = yield* Store
      const [first, second] = [entry(1), entry(2, { who: "bob", by: "command" })]
      yield* begin(first, second)
      yield* store.endLogEntry({ id: first.id, outcome: "done", output: '{"until":null}' })
      same("log", yield* listed(), [second, { ...first, outcome: "done", output: '{"until":null}' }])
    })
  ),

  check(
    "beginLogEntry: changes nothing where its id is there already",
    Effect.gen(function* () {
      const store = yield* Store
      yield* begin(entry(1))
      yield* store.endLogEntry({ id: entry(1).id, outcome: "NOT_FOUND", output: null })
      yield* begin(entry(1, { who: "eve" }))
      same("log", yield* listed(), [entry(1, { outcome: "NOT_FOUND" })])
    })
  ),

  check(
    "endLogEntry: makes no row of its own",
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.endLogEntry({ id: entry(1).id, outcome: "done", output: null })
      same("log", yield* listed(), [])
    })
  ),

  check(
    "logEntries: are those of a time, before an id, and so many",
    Effect.gen(function* () {
      const all = [1, 2, 3, 4].map((second) => entry(second))
      yield* begin(...all)
      const [one, two, three, four] = all.map(({ id }) => id)
      same("all", yield* ids(), [four, three, two, one])
      same("since", yield* ids({ since: AT + 3_000 }), [four, three])
      same("before", yield* ids({ before: three ?? null }), [two, one])
      same("some", yield* ids({ limit: 2 }), [four, three])
      same("a page", yield* ids({ since: AT + 2_000, before: four ?? null, limit: 1 }), [three])
    })
  ),

  check(
    "pruneLogEntries: deletes the oldest of before a time, and so many",
    Effect.gen(function* () {
      const store = yield* Store
      yield* begin(...[1, 2, 3, 4].map((second) => entry(second)))
      same("pruned", yield* store.pruneLogEntries({ before: AT + 4_000, limit: 2 }), 2)
      same("left", yield* ids(), [entry(4).id, entry(3).id])
      same("pruned", yield* store.pruneLogEntries({ before: AT + 4_000, limit: 2 }), 1)
      same("pruned", yield* store.pruneLogEntries({ before: AT + 4_000, limit: 2 }), 0)
      same("left", yield* ids({ since: AT - DAY }), [entry(4).id])
    })
  ),

  check(
    "forget: takes a number out of the log",
    Effect.gen(function* () {
      const store = yield* Store
      const [named, noted, other] = [
        entry(1, { input: `{"number":"${NUMBER}"}`, output: `{"number":"${NUMBER}"}`, outcome: "done" }),
        entry(2, { input: `{"reason":"for ${NUMBER}, ${NUMBER}"}` }),
        entry(3, { input: '{"number":"+4915123456780"}' })
      ]
      yield* begin(named, noted, other)
      yield* store.forget({ to: NUMBER, settings: [] })
      same("log", yield* listed(), [
        other,
        { ...noted, input: `{"reason":"for ${FORGOTTEN}, ${FORGOTTEN}"}` },
        { ...named, input: `{"number":"${FORGOTTEN}"}`, output: `{"number":"${FORGOTTEN}"}` }
      ])
    })
  )
]

export const lastingLog = [
  reopened("log entries survive the end of the process", begin(entry(1)), () =>
    Effect.map(listed(), (all) => same("log", all, [entry(1)]))
  )
]

export const sharedLog = [
  together("an entry that began in one process ends in another", (one, other) =>
    Effect.gen(function* () {
      yield* one.beginLogEntry(entry(1))
      yield* other.endLogEntry({ id: entry(1).id, outcome: "done", output: "{}" })
      const all = yield* one.logEntries({ since: AT, before: null, limit: 10 })
      same("log", all, [entry(1, { outcome: "done", output: "{}" })])
    })
  )
]
