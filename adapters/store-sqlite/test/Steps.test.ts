import { Store } from "@watchword/store/Store"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { expect, it } from "vitest"
import { migrate } from "../src/migrate.ts"
import { AT, accountFor, balanceOf, closing, expectSound, opening, PRICE, receipt, temporaryFile } from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"
import type { Draws } from "../../../test/draws.ts"
import { seeded } from "../../../test/random.ts"

const MANY = 3_000

const shuffled = <A>(values: ReadonlyArray<A>, { next }: Draws): ReadonlyArray<A> =>
  values
    .map((value) => ({ value, place: next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value)

it("opens, closes and reports thousands of deliveries in any order while another connection writes", async () => {
  const filename = temporaryFile()
  const draws = seeded()
  const program = Effect.gen(function* () {
    const store = yield* Store
    const account = yield* accountFor(MANY)
    const other = new Sqlite(filename)
    const touch = other.prepare("UPDATE accounts SET name = ? WHERE id = ?")
    const requests = Array.from({ length: MANY }, () => opening(account))
    const all = (step: (request: (typeof requests)[number], index: number) => Effect.Effect<unknown, unknown>) =>
      Effect.forEach(shuffled(requests, draws), step, { concurrency: 200, discard: true })

    yield* all(store.open)
    yield* all(({ delivery: { id } }, index) => {
      if (index % 300 === 0) touch.run(`name ${index}`, account)
      return store.close({ ...closing(id), refs: [`ref ${id}`] })
    })
    yield* all(({ delivery: { id } }) =>
      store.report({
        target: { _tag: "Part", channel: "sms", refs: [`ref ${id}`], message: { to: null, reference: null } },
        status: { name: "delivered", rank: 9 },
        when: {},
        details: {},
        everyPart: true,
        refund: false,
        at: AT + 1
      })
    )

    const rows = other
      .prepare("SELECT phase, status, status_at AS at, count(*) AS n FROM deliveries GROUP BY 1, 2, 3")
      .all()
    expect(rows).toEqual([{ phase: 2, status: "delivered", at: AT + 1, n: MANY }])
    expect(yield* balanceOf(account)).toMatchObject({ available: 0, held: 0 })
    other.close()
    yield* expectSound(filename)
  })
  await program.pipe(Effect.provide(BuiltIn.layer({ filename })), Effect.runPromise)
})

it("keeps nothing of a step that was rolled back", async () => {
  const program = Effect.gen(function* () {
    const store = yield* Store
    const account = yield* accountFor(2)
    const good = opening(account)
    // A step that fails rolls the whole transaction back, and the others run again.
    const bad = { ...opening(account), owner: opening(account).owner, at: Number.NaN }
    const exits = yield* Effect.all([Effect.exit(store.open(good)), Effect.exit(store.open(bad))], {
      concurrency: "unbounded"
    })
    expect(exits.map(({ _tag }) => _tag)).toEqual(["Success", "Failure"])
    const closed = yield* store.close(closing(good.delivery.id))
    expect(closed._tag).toBe("Closed")
    expect((yield* store.close(closing(bad.delivery.id)))._tag).toBe("Missing")
    expect(yield* balanceOf(account)).toMatchObject({ available: PRICE, held: 0 })
  })
  await program.pipe(Effect.provide(BuiltIn.layer({ filename: temporaryFile() })), Effect.runPromise)
})

/** Reads which columns of deliveries each statement has set since the last time, in order. */
const written = (db: Sqlite.Database): (() => ReadonlyArray<string>) => {
  const columns = db.prepare<[], string>("SELECT name FROM pragma_table_info('deliveries')").pluck().all()
  db.exec("CREATE TEMP TABLE written (name TEXT)")
  const note = (name: string) => `BEGIN INSERT INTO written VALUES ('${name}'); END`
  for (const name of columns) {
    db.exec(`CREATE TEMP TRIGGER "${name} is set" BEFORE UPDATE OF "${name}" ON main.deliveries ${note(name)}`)
  }
  db.exec(`CREATE TEMP TRIGGER "a statement ends" AFTER UPDATE ON main.deliveries ${note("end")}`)
  const taken = db.prepare<[], string>("DELETE FROM written RETURNING name").pluck()
  return () => taken.all().toSorted()
}

it("writes what a step changes of a delivery in one statement, and no other column", async () => {
  const program = Effect.gen(function* () {
    const db = new Sqlite(temporaryFile())
    db.pragma("journal_mode = WAL")
    migrate(db)
    const store = yield* BuiltIn.over(db)
    const account = yield* Effect.provideService(accountFor(1), Store, store)
    const request = opening(account, { dueAt: AT })
    const { id } = request.delivery
    yield* store.open(request)
    const set = written(db)
    const report = receipt("", { target: { _tag: "Delivery", id }, status: null, details: { plan: 2 }, dueAt: AT + 1 })
    yield* store.report(report)
    expect(set()).toEqual(["details", "due_at", "end"])
    yield* store.close(closing(id))
    expect(set()).toEqual(["end", "phase", "rank", "status", "status_at"])
  })
  await program.pipe(Effect.scoped, Effect.runPromise)
})

it("gives no delivery the number of one that was deleted", async () => {
  const filename = temporaryFile()
  const program = Effect.gen(function* () {
    const store = yield* Store
    const [one, other] = [yield* accountFor(1), yield* accountFor(1)]
    const deleted = opening(one)
    yield* store.open(deleted)
    yield* store.close({ ...closing(deleted.delivery.id), refs: ["a"] })
    const db = new Sqlite(filename)
    db.prepare("DELETE FROM deliveries").run()
    db.close()
    yield* store.open(opening(other))
    expect(yield* store.findByRef({ channel: "sms", ref: "a" })).toEqual(Option.none())
  })
  await program.pipe(Effect.provide(BuiltIn.layer({ filename })), Effect.runPromise)
})
