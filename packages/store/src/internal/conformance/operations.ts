import { firstUlid } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import type { Operation } from "../OperationStore.ts"
import { FORGOTTEN } from "../RetentionStore.ts"
import { Store } from "../../Store.ts"
import { check, reopened, same, together } from "./Case.ts"
import { AT, DAY } from "./Fixtures.ts"

/** The operation of a second. */
const operation = (second: number, fields: Partial<Operation> = {}): Operation => ({
  id: firstUlid(AT + second * 1_000),
  who: "anna",
  by: "api",
  command: "guard block",
  input: JSON.stringify({ place: `+49${second}`, note: "Zürich \u{1f512}" }),
  outcome: null,
  output: null,
  ...fields
})

const begin = (...all: ReadonlyArray<Operation>) =>
  Store.use((store) => Effect.forEach(all, store.beginOperation, { discard: true }))

const listed = (query: Partial<Parameters<Store["Service"]["operations"]>[0]> = {}) =>
  Store.use((store) => store.operations({ since: AT, before: null, limit: 100, ...query }))

const ids = (query: Parameters<typeof listed>[0] = {}) => Effect.map(listed(query), (all) => all.map(({ id }) => id))

const NUMBER = "+4915123456789"

export const operations = [
  check(
    "operations: begin and end, the newest first",
    Effect.gen(function* () {
      const store = yield* Store
      const [first, second] = [operation(1), operation(2, { who: "bob", by: "command" })]
      yield* begin(first, second)
      yield* store.endOperation({ id: first.id, outcome: "done", output: '{"until":null}' })
      same("operations", yield* listed(), [second, { ...first, outcome: "done", output: '{"until":null}' }])
    })
  ),

  check(
    "beginOperation: changes nothing where its id is there already",
    Effect.gen(function* () {
      const store = yield* Store
      yield* begin(operation(1))
      yield* store.endOperation({ id: operation(1).id, outcome: "NOT_FOUND", output: null })
      yield* begin(operation(1, { who: "eve" }))
      same("operations", yield* listed(), [operation(1, { outcome: "NOT_FOUND" })])
    })
  ),

  check(
    "endOperation: makes no row of its own",
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.endOperation({ id: operation(1).id, outcome: "done", output: null })
      same("operations", yield* listed(), [])
    })
  ),

  check(
    "operations: are those of a time, before an id, and so many",
    Effect.gen(function* () {
      const all = [1, 2, 3, 4].map((second) => operation(second))
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
    "pruneOperations: deletes the oldest of before a time, and so many",
    Effect.gen(function* () {
      const store = yield* Store
      yield* begin(...[1, 2, 3, 4].map((second) => operation(second)))
      same("pruned", yield* store.pruneOperations({ before: AT + 4_000, limit: 2 }), 2)
      same("left", yield* ids(), [operation(4).id, operation(3).id])
      same("pruned", yield* store.pruneOperations({ before: AT + 4_000, limit: 2 }), 1)
      same("pruned", yield* store.pruneOperations({ before: AT + 4_000, limit: 2 }), 0)
      same("left", yield* ids({ since: AT - DAY }), [operation(4).id])
    })
  ),

  check(
    "forget: takes a number out of operations",
    Effect.gen(function* () {
      const store = yield* Store
      const [named, noted, other] = [
        operation(1, { input: `{"number":"${NUMBER}"}`, output: `{"number":"${NUMBER}"}`, outcome: "done" }),
        operation(2, { input: `{"reason":"for ${NUMBER}, ${NUMBER}"}` }),
        operation(3, { input: '{"number":"+4915123456780"}' })
      ]
      yield* begin(named, noted, other)
      yield* store.forget({ to: NUMBER, settings: [] })
      same("operations", yield* listed(), [
        other,
        { ...noted, input: `{"reason":"for ${FORGOTTEN}, ${FORGOTTEN}"}` },
        { ...named, input: `{"number":"${FORGOTTEN}"}`, output: `{"number":"${FORGOTTEN}"}` }
      ])
    })
  )
]

export const lastingOperations = [
  reopened("operations survive the end of the process", begin(operation(1)), () =>
    Effect.map(listed(), (all) => same("operations", all, [operation(1)]))
  )
]

export const sharedOperations = [
  together("an operation that began in one process ends in another", (one, other) =>
    Effect.gen(function* () {
      yield* one.beginOperation(operation(1))
      yield* other.endOperation({ id: operation(1).id, outcome: "done", output: "{}" })
      const all = yield* one.operations({ since: AT, before: null, limit: 10 })
      same("operations", all, [operation(1, { outcome: "done", output: "{}" })])
    })
  )
]
