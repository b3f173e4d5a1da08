import { type Service, Store } from "@watchword/store/Store"
import { EventSql } from "@watchword/store/sql"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { migrate } from "../src/migrate.ts"
import { accountFor, closing, ending, opening, receipt, temporaryFile } from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"

/** A store that notes the statements that it runs. */
const noting = Effect.gen(function* () {
  const statements: Array<string> = []
  const verbose = (statement: unknown): void => void statements.push(String(statement))
  const db = yield* Effect.acquireRelease(
    Effect.sync(() => new Sqlite(temporaryFile(), { verbose })),
    (db) => Effect.sync(() => db.close())
  )
  db.pragma("journal_mode = WAL")
  migrate(db)
  const store = yield* BuiltIn.over(db)
  return { store, statements, db }
})

/** Four steps of two sends, and the statements of each, without what they are about. */
const steps = Effect.fnUntraced(function* (
  { statements, store }: { readonly store: Service; readonly statements: Array<string> },
  ref: string,
  watch?: { readonly endpoints: ReadonlyArray<string> }
) {
  const account = yield* Effect.provideService(accountFor(5), Store, store)
  const watched = watch === undefined ? {} : { watch }
  const request = { ...opening(account), ...watched }
  const atOnce = { ...opening(account), ...watched, close: ending("accepted", `${ref} at once`) }
  const taken: Array<ReadonlyArray<string>> = []
  for (const step of [
    store.open(request),
    store.close(closing(request.delivery.id, { refs: [ref] })),
    store.report(receipt(ref)),
    store.open(atOnce)
  ]) {
    const before = statements.length
    yield* step
    taken.push(statements.slice(before))
  }
  return taken
})

it("runs no statement for the events of a delivery that is not watched, and one for one that is", () =>
  Effect.gen(function* () {
    const noted = yield* noting
    const plain = yield* steps(noted, "a")
    expect(plain.flat().filter((statement) => /\bevents\b|watch = /.test(statement))).toEqual([])
    const watched = yield* steps(noted, "b", { endpoints: ["one", "two", "three"] })
    const more = watched.map(({ length }, index) => length - (plain[index]?.length ?? 0))
    // An open that waits for its gateway is no news; the others write the version with the record.
    expect(more).toEqual([0, 1, 1, 1])
  }).pipe(Effect.scoped, Effect.runPromise))

it("finds what is due by the index of pending events alone", () =>
  Effect.gen(function* () {
    const { db } = yield* noting
    const plan = db.prepare<[object], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${EventSql.mayTake}`)
    const looks = plan.all({ 1: 0, 2: 5, 3: "{}" }).filter(({ detail }) => /(SCAN|SEARCH) (e|t|events)\b/.test(detail))
    expect(looks.length).toBeGreaterThan(3)
    for (const { detail } of looks) expect(detail).toMatch(/USING COVERING INDEX events_pending/)
  }).pipe(Effect.scoped, Effect.runPromise))

it("opens no transaction while nothing is due", () =>
  Effect.gen(function* () {
    const { statements, store } = yield* noting
    const before = statements.length
    yield* store.takeEvents({ lease: 1_000, limit: 10, perEndpoint: 5 })
    expect(statements.slice(before)).toHaveLength(1)
  }).pipe(Effect.scoped, Effect.runPromise))
