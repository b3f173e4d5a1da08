import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Claims from "../src/Claims.ts"
import * as Connection from "../src/Connection.ts"
import * as Intake from "../src/Intake.ts"
import * as Parts from "../src/Parts.ts"
import { Order } from "../src/Order.ts"
import { Seqs } from "../src/Seqs.ts"
import { temporaryFile } from "./fixtures.ts"

/** So small that rows go on all the time. */
const tiny: Intake.Shape = { most: 12, some: 2 }

const NAMES = 40
const nameOf = (name: number): Claims.Name =>
  Claims.nameOf({ key: `name ${name}`, fingerprint: "", retryAfterRejection: false, expiresAt: 0 })
const name = fc.integer({ min: 0, max: NAMES - 1 })

/** What one process does in a transaction, or with the file. */
type Act =
  | { readonly _tag: "Take"; readonly process: number; readonly names: ReadonlyArray<number>; readonly fails: boolean }
  | { readonly _tag: "Sweep"; readonly process: number; readonly before: number }
  | { readonly _tag: "Restart"; readonly process: number }

// One does most of the work.
const process = fc.integer({ min: 0, max: 9 }).map((chance) => (chance < 7 ? 0 : 1))
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      _tag: fc.constant("Take" as const),
      process,
      names: fc.array(name, { minLength: 1, maxLength: 5 }),
      fails: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0)
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({ _tag: fc.constant("Sweep" as const), process, before: fc.integer({ min: 1, max: 500 }) })
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Restart" as const), process }) }
)

/** A connection that does not wait for the disk, which nothing here needs. */
const open = async (filename: string) => {
  const scope = await Effect.runPromise(Scope.make())
  const db = await Effect.runPromise(Effect.provideService(Connection.open(filename), Scope.Scope, scope))
  db.pragma("synchronous = OFF")
  return { db, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

interface Process {
  readonly db: Database
  readonly intake: Intake.Intake<number, Buffer>
  readonly claims: Claims.Claims
  readonly close: () => Promise<void>
}

const start = async (filename: string): Promise<Process> => {
  const { close, db } = await open(filename)
  const intake = Intake.make(db, Claims.TABLE, tiny)
  return { db, intake, claims: Claims.make(db, intake), close }
}

describe("rows that are taken into a table", () => {
  it("are what was put last, whoever put it, wherever they are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 30, maxLength: 300, size: "max" }), async (acts) => {
        const filename = temporaryFile()
        const processes = [await start(filename), await start(filename)]
        /** Who has a name, and until when. */
        const model = new Map<number, { readonly by: number; readonly expiresAt: number }>()
        const at = async (index: number): Promise<Process> => (processes[index] ??= await start(filename))
        for (const [turn, act] of acts.entries()) {
          const { claims, close, db, intake } = await at(act.process)
          if (act._tag === "Restart") {
            await close()
            processes[act.process] = await start(filename)
            continue
          }
          db.exec("BEGIN IMMEDIATE")
          intake.begin(true)
          if (act._tag === "Sweep") {
            while (claims.sweep(act.before, 3) > 0) continue
            for (const [name, { expiresAt }] of model) if (expiresAt < act.before) model.delete(name)
          } else {
            const expiresAt = 1 + ((turn * 61) % 400)
            for (const index of act.names) {
              const name = nameOf(index)
              claims.take(7, { ...name, claim: { ...name.claim, expiresAt } }, turn)
              if (!act.fails) model.set(index, { by: turn, expiresAt })
            }
          }
          intake.bringOn()
          if (act._tag === "Take" && act.fails) {
            intake.forget()
            db.exec("ROLLBACK")
          } else {
            db.exec("COMMIT")
            intake.committed()
          }
          // Whoever looks catches up: most of the time, processes know little of each other.
          if (turn % 7 !== 0) continue
          const reader = await at(turn % 2)
          reader.intake.catchUp()
          for (let index = 0; index < NAMES; index++) {
            expect(reader.claims.holder(7, nameOf(index), 0)?.delivery).toBe(model.get(index)?.by)
          }
        }
        for (const { close } of processes) await close()
      }),
      // What fails is made smaller, but not for ever.
      { numRuns: 60, interruptAfterTimeLimit: 20_000 }
    )
  })

  it("are found under refs of any kind, before and after they go on", async () => {
    const { close, db } = await open(temporaryFile())
    const intake = Intake.make(db, Parts.TABLE, { most: 4, some: 2 })
    const parts = Parts.make(db, intake)
    const refs = [
      "",
      "a\0b",
      "half a pair \ud83d",
      "ü",
      "🙂",
      "x".repeat(500),
      ...Array.from({ length: 30 }, (_, index) => `${index}`)
    ]
    for (const [index, ref] of refs.entries()) {
      db.exec("BEGIN IMMEDIATE")
      expect(parts.add("sms", index, ref)).toBe(true)
      expect(parts.add("sms", index, ref)).toBe(false)
      intake.bringOn()
      db.exec("COMMIT")
      intake.committed()
      for (const [delivery, known] of refs.slice(0, index + 1).entries()) {
        expect(parts.find("sms", known)).toEqual({ delivery, name: known })
      }
    }
    await close()
  })

  it.each([1, 2])("leave a log that stays short, and a table that has them all, with %i processes", async (many) => {
    const filename = temporaryFile()
    const processes = await Promise.all(
      Array.from({ length: many }, async () => {
        const { close, db } = await open(filename)
        return { db, close, intake: Intake.make(db, Parts.TABLE, { most: 200, some: 20 }) }
      })
    )
    let longest = 0
    for (let turn = 0; turn < 600; turn++) {
      for (const [index, { db, intake }] of processes.entries()) {
        db.exec("BEGIN IMMEDIATE")
        intake.begin(true)
        for (let row = 0; row < 10; row++) intake.put(1, `${Math.random()}`, (turn * many + index) * 10 + row, null)
        intake.bringOn()
        db.exec("COMMIT")
        intake.committed()
        longest = Math.max(longest, db.prepare<[], number>("SELECT count(*) FROM parts_log").pluck().get() ?? 0)
      }
    }
    // Those that gather, those that go on, and those that have gone on since.
    expect(longest).toBeLessThan(many * 800)
    const all = processes[0]?.db
      .prepare(
        "SELECT count(DISTINCT delivery) FROM (SELECT delivery FROM parts UNION ALL SELECT delivery FROM parts_log)"
      )
      .pluck()
    expect(all?.get()).toBe(6_000 * many)
    for (const { close } of processes) await close()
  })
})

describe("Order", () => {
  it("gives rows in their order, however they came and are taken", () => {
    const pieces = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1 })
    const numbers = fc.array(fc.oneof(fc.nat({ max: 2 ** 26 - 1 }), fc.nat({ max: 9 })), {
      maxLength: 3_000,
      size: "max"
    })
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 1, maxLength: 3 }), pieces, (rounds, pieces) => {
        const order = new Order()
        for (const numbers of rounds) {
          for (const [index, number] of numbers.entries()) order.add(number, { seq: index + 1, hash: ~index })
          order.sort()
          const taken: Array<number> = []
          for (let turn = 0; order.size > 0; turn++) {
            for (const { hash, seq } of order.take(pieces[turn % pieces.length] ?? 1)) {
              expect(hash).toBe(~(seq - 1))
              taken.push(seq)
            }
          }
          const places = numbers.map((number, index) => ({ number, seq: index + 1 }))
          expect(taken).toEqual(places.toSorted((a, b) => a.number - b.number || a.seq - b.seq).map(({ seq }) => seq))
          order.clear()
        }
      })
    )
  })
})

describe("Seqs", () => {
  it("finds what was set last for a key, also when hashes are the same", () => {
    const sets = fc.array(fc.record({ key: fc.nat({ max: 400 }), clears: fc.boolean() }), {
      maxLength: 3_000,
      size: "max"
    })
    fc.assert(
      fc.property(sets, fc.integer({ min: 1, max: 1_000 }), (sets, many) => {
        const seqs = new Seqs()
        const model = new Map<number, number>()
        const keys: Array<number> = []
        const isFor = (key: number) => (seq: number) => keys[seq] === key
        for (const [index, { clears, key }] of sets.entries()) {
          keys[index + 1] = key
          seqs.set(key % many, index + 1, isFor(key))
          model.set(key, index + 1)
          if (clears && index % 100 === 0) {
            seqs.clear()
            model.clear()
          }
        }
        for (let key = 0; key <= 400; key++) {
          const seq = model.get(key)
          expect(seqs.find(key % many, isFor(key))).toBe(seq)
          if (seq !== undefined) expect(seqs.has(key % many, seq)).toBe(true)
        }
      })
    )
  })
})
