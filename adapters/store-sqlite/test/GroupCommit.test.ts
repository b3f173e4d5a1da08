import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { makePartitions } from "@watchword/store/sql"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import { nextKeyId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs"
import { describe, expect, it } from "vitest"
import * as Batch from "../src/Batch.ts"
import * as Connection from "../src/Connection.ts"
import * as GroupCommit from "../src/GroupCommit.ts"
import type { LogSync } from "../src/LogSync.ts"
import {
  AT,
  PRICE,
  accountFor,
  atOnce,
  balanceOf,
  closing,
  expectSound,
  find,
  opening,
  someAccount,
  temporaryFile
} from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"

const FILE_HEADER = 32
const FRAME_HEADER = 24
const PAGE = 2048

/** The number of transactions in the log: the last frame of each has the size of the database after it. */
const commitsIn = (filename: string): number => {
  const log = readFileSync(`${filename}-wal`)
  let commits = 0
  for (let frame = FILE_HEADER; frame < log.length; frame += FRAME_HEADER + PAGE) {
    if (log.readUInt32BE(frame + 4) !== 0) commits += 1
  }
  return commits
}

/** How often the log has restarted: its header has a counter. */
const beginningOf = (filename: string): number => {
  const header = Buffer.alloc(FILE_HEADER)
  const log = openSync(`${filename}-wal`, "r")
  readSync(log, header)
  closeSync(log)
  return header.readUInt32BE(12)
}

const runOn = <A, E>(filename: string, program: Effect.Effect<A, E, Store>, batch?: number) =>
  program.pipe(
    Effect.provide(BuiltIn.layer({ filename, ...(batch === undefined ? {} : { batch }) })),
    Effect.runPromise
  )

describe("group commit", () => {
  it.each([
    [undefined, 60, 1],
    [1, 60, 60],
    [25, 60, 3]
  ])(
    "with batches of %j brings %i steps that wait at once to the disk in %i transactions",
    async (batch, steps, commits) => {
      const filename = temporaryFile()
      const program = Effect.gen(function* () {
        const store = yield* Store
        const account = yield* accountFor(steps)
        const before = commitsIn(filename)
        yield* atOnce(steps, () => store.open(opening(account)))
        expect(commitsIn(filename) - before).toBe(commits)
      })
      await runOn(filename, program, batch)
    }
  )

  it("answers no step before it is on the disk", async () => {
    const filename = temporaryFile()
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(30)
      const other = new Sqlite(filename, { readonly: true })
      const there = other.prepare<[string], number>("SELECT count(*) FROM deliveries WHERE id = ?").pluck()
      const seen = yield* atOnce(30, () => {
        const request = opening(account)
        return Effect.map(store.open(request), () => there.get(request.delivery.id))
      })
      expect(seen).toEqual(Array.from({ length: 30 }, () => 1))
      other.close()
    })
    await runOn(filename, program)
  })

  it("does not let a step that fails take its neighbours with it", async () => {
    const filename = temporaryFile()
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(40)
      const key = {
        id: nextKeyId(AT),
        account,
        mode: "live" as const,
        hash: "one hash for two keys",
        prefix: "sk_live_",
        lastFour: "abcd",
        scopes: null,
        allow: [],
        expiresAt: null,
        createdAt: AT,
        revokedAt: null,
        lastUsedAt: null
      }
      yield* store.createKey(key)
      const newcomer = someAccount()
      const step = (index: number): Effect.Effect<unknown, StoreError> => {
        if (index === 3) return store.createAccount(newcomer)
        if (index === 7 || index === 11) return store.createKey({ ...key, id: nextKeyId(AT) })
        return store.open(opening(account))
      }
      const answers = yield* atOnce(30, (index) => Effect.exit(step(index)))
      expect(answers.flatMap((exit, index) => (Exit.isSuccess(exit) ? [] : [index]))).toEqual([7, 11])
      expect(yield* balanceOf(account)).toMatchObject({ available: 13 * PRICE, held: 27 * PRICE })
      expect(Option.isSome(yield* store.account(newcomer.id))).toBe(true)
      yield* store.open(opening(newcomer.id, { price: MicroEuros.make(0) }))
      yield* expectSound(filename)
    })
    await runOn(filename, program)
  })

  it("commits what waits when the store is closed, and takes nothing after that", async () => {
    const filename = temporaryFile()
    const program = Effect.gen(function* () {
      const scope = yield* Scope.make()
      const store = yield* Scope.provide(BuiltIn.make({ filename }), scope)
      const account = yield* Effect.provideService(accountFor(20), Store, store)
      const requests = Array.from({ length: 20 }, () => opening(account))
      const fibers = yield* Effect.forEach(requests, (request) =>
        Effect.forkChild(store.open(request), { startImmediately: true })
      )
      yield* Scope.close(scope, Exit.void)
      const answers = yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber))
      expect(answers.map(({ _tag }) => _tag)).toEqual(requests.map(() => "Opened"))
      const late = [yield* Effect.flip(store.open(opening(account))), yield* Effect.flip(store.ping)]
      expect(late.map(({ message, reason }) => [reason, message])).toEqual([
        ["Unavailable", "The database is closed."],
        ["Unavailable", "The database is closed."]
      ])
      return { account, requests }
    })
    const { account, requests } = await Effect.runPromise(program)
    expect(existsSync(`${filename}-wal`)).toBe(false)
    await runOn(
      filename,
      Effect.gen(function* () {
        for (const { delivery } of requests) expect(Option.isSome(yield* find(account, delivery.id))).toBe(true)
      })
    )
  })
})

/** Lets more turns of the event loop pass than a commit gathers steps in. */
const turns = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
})

describe("the disk", () => {
  /** A log whose disk answers when the test says so. */
  const slowLog = () => {
    const calls: Array<(error: Error | null) => void> = []
    const log: LogSync = { begin: (done) => void calls.push(done), now: () => null, close: () => {} }
    return { calls, log }
  }

  const steps = (log: LogSync) =>
    Effect.gen(function* () {
      const db = yield* Connection.open(temporaryFile())
      db.exec("CREATE TABLE done (n INTEGER)")
      const insert = db.prepare("INSERT INTO done VALUES (?)")
      const begin = Batch.make(db, makePartitions(ChannelRegistry.make(ChannelRegistry.builtIn)))
      const group = GroupCommit.make(db, {
        begin,
        forget: () => {},
        limit: 512,
        log,
        hasFiles: () => true,
        committed: () => {},
        waiting: 10
      })
      const rows = () => db.prepare<[], number>("SELECT n FROM done ORDER BY n").pluck().all()
      const begun = (submit: GroupCommit.GroupCommit["submit"]) => (n: number) =>
        Effect.forkChild(
          submit(() => insert.run(n)),
          { startImmediately: true }
        )
      return { group, rows, step: begun(group.submit), brief: begun(group.submitBrief) }
    })

  it("has a step before the step is answered; another is committed meanwhile, and no third", async () => {
    const { calls, log } = slowLog()
    const program = Effect.gen(function* () {
      const { rows, step } = yield* steps(log)
      const first = yield* step(1)
      yield* turns
      const second = yield* step(2)
      yield* turns
      const third = yield* step(3)
      yield* turns
      expect([rows(), calls.length, first.pollUnsafe(), second.pollUnsafe()]).toEqual([[1, 2], 1, undefined, undefined])
      calls[0]?.(null)
      yield* Fiber.join(first)
      yield* turns
      expect([rows(), calls.length, second.pollUnsafe(), third.pollUnsafe()]).toEqual([
        [1, 2, 3],
        2,
        undefined,
        undefined
      ])
      calls[1]?.(null)
      yield* Fiber.join(second)
      yield* turns
      expect([calls.length, third.pollUnsafe()]).toEqual([3, undefined])
      calls[2]?.(null)
      yield* Fiber.join(third)
    })
    await Effect.runPromise(Effect.scoped(program))
  })

  it("is not waited for by a brief step, which is committed all the same", async () => {
    const { calls, log } = slowLog()
    const program = Effect.gen(function* () {
      const { brief, rows, step } = yield* steps(log)
      yield* Fiber.join(yield* brief(1))
      expect([rows(), calls.length]).toEqual([[1], 0])
      const [lasting, beside] = [yield* step(2), yield* brief(3)]
      yield* Fiber.join(beside)
      expect([rows(), calls.length, lasting.pollUnsafe()]).toEqual([[1, 2, 3], 1, undefined])
      yield* Fiber.join(yield* brief(4))
      expect(rows()).toEqual([1, 2, 3, 4])
      calls[0]?.(null)
      yield* Fiber.join(lasting)
      expect(calls.length).toBe(1)
    })
    await Effect.runPromise(Effect.scoped(program))
  })

  it("takes part in the next transaction when that has half as many steps", async () => {
    const { calls, log } = slowLog()
    const program = Effect.gen(function* () {
      const { rows, step } = yield* steps(log)
      const fibers = [yield* step(1), yield* step(2), yield* step(3)]
      yield* turns
      fibers.push(yield* step(4))
      yield* turns
      expect([rows(), calls.length]).toEqual([[1, 2, 3], 1])
      fibers.push(yield* step(5))
      yield* turns
      expect([rows(), calls.length]).toEqual([[1, 2, 3, 4, 5], 1])
      calls[0]?.(null)
      yield* turns
      calls[1]?.(null)
      for (const fiber of fibers) yield* Fiber.join(fiber)
      expect(calls.length).toBe(2)
    })
    await Effect.runPromise(Effect.scoped(program))
  })

  it("that is slow has few steps wait, and refuses more", async () => {
    const { calls, log } = slowLog()
    const program = Effect.gen(function* () {
      const { step } = yield* steps(log)
      const first = yield* step(0)
      yield* turns
      const second = yield* step(1)
      yield* turns
      const waiting = yield* Effect.forEach(Array.from({ length: 10 }), (_, index) => step(2 + index))
      const refused = yield* Effect.flip(Fiber.join(yield* step(12)))
      expect([refused.reason, refused.message]).toEqual(["Unavailable", "Too many steps wait for the database."])
      for (const call of [0, 1, 2]) {
        calls[call]?.(null)
        yield* turns
      }
      for (const fiber of [first, second, ...waiting]) yield* Fiber.join(fiber)
    })
    await Effect.runPromise(Effect.scoped(program))
  })

  it("that fails has all refused, from then on", async () => {
    const { calls, log } = slowLog()
    const program = Effect.gen(function* () {
      const { group, step } = yield* steps(log)
      yield* group.check
      const first = yield* step(1)
      yield* turns
      const second = yield* step(2)
      yield* turns
      calls[0]?.(Object.assign(new Error("i/o error"), { code: "EIO" }))
      const third = yield* step(3)
      const refusals = [
        yield* Effect.flip(Fiber.join(first)),
        yield* Effect.flip(Fiber.join(second)),
        yield* Effect.flip(Fiber.join(third)),
        yield* Effect.flip(group.check)
      ]
      // Committed steps may survive until the next start; the others never ran.
      expect(refusals.map(({ reason }) => reason)).toEqual(["Unknown", "Unknown", "Broken", "Broken"])
      for (const { message } of refusals) {
        expect(message).toContain("the disk did not take the log (EIO)")
      }
    })
    await Effect.runPromise(Effect.scoped(program))
  })

  it("has what it was writing when the store is closed, and each step is answered once", async () => {
    const { calls, log } = slowLog()
    const program = Effect.gen(function* () {
      const { group, rows, step } = yield* steps(log)
      const first = yield* step(1)
      yield* turns
      const second = yield* step(2)
      group.drain()
      yield* Fiber.join(first)
      yield* Fiber.join(second)
      expect(rows()).toEqual([1, 2])
      for (const done of calls) done(new Error("too late to matter"))
      yield* turns
      expect(rows()).toEqual([1, 2])
    })
    await Effect.runPromise(Effect.scoped(program))
  })
})

describe("the log", () => {
  it("is brought into the file while steps go on, and begins anew", { timeout: 120_000 }, async () => {
    const filename = temporaryFile()
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const details = { text: "x".repeat(30_000) }
      const first = beginningOf(filename)
      for (let steps = 0; steps < 10_000 && beginningOf(filename) === first; steps += 50) {
        yield* atOnce(50, () => store.open(opening(account, { price: MicroEuros.make(0), details })))
      }
      expect(beginningOf(filename)).toBe(first + 1)
    })
    await runOn(filename, program)
  })
})

describe("another process that writes", () => {
  it("is waited for, while the event loop goes on", async () => {
    const filename = temporaryFile()
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(10)
      const other = new Sqlite(filename)
      other.exec("BEGIN IMMEDIATE")
      const waiting = yield* Effect.forkChild(
        atOnce(10, () => store.open(opening(account))),
        { startImmediately: true }
      )
      // The turns pass only if nothing blocks; until then no step can have been answered.
      yield* turns
      expect(waiting.pollUnsafe()).toBeUndefined()
      other.prepare("UPDATE accounts SET available = available - ? WHERE id = ?").run(3 * PRICE, account)
      other.exec("COMMIT")
      other.close()
      const answers = yield* Fiber.join(waiting)
      expect(answers.map(({ _tag }) => _tag).sort()).toEqual([
        "Insufficient",
        "Insufficient",
        "Insufficient",
        ...Array.from({ length: 7 }, () => "Opened")
      ])
    })
    await runOn(filename, program)
  })

  it("is not waited for without end: the steps are refused, and later ones go through", async () => {
    const filename = temporaryFile()
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(10)
      const other = new Sqlite(filename)
      other.exec("BEGIN IMMEDIATE")
      const refused = yield* atOnce(2_000, () => Effect.flip(store.open(opening(account))))
      for (const error of refused) {
        expect(error.reason).toBe("Unavailable")
        expect(error.message).toContain("another process keeps the database locked")
      }
      other.exec("ROLLBACK")
      expect((yield* store.open(opening(account)))._tag).toBe("Opened")
      other.exec("BEGIN IMMEDIATE")
      const later = yield* Effect.forkChild(store.open(opening(account)), { startImmediately: true })
      yield* turns
      other.exec("ROLLBACK")
      other.close()
      expect((yield* Fiber.join(later))._tag).toBe("Opened")
      expect(yield* balanceOf(account)).toMatchObject({ available: 8 * PRICE, held: 2 * PRICE })
    })
    await runOn(filename, program)
  })
})

describe("a full disk", () => {
  it("refuses steps whole, keeps those that were acknowledged, and recovers when there is space", async () => {
    const filename = temporaryFile()
    const program = Effect.gen(function* () {
      const db = yield* Connection.open(filename)
      const store = yield* BuiltIn.over(db)
      const done = Effect.provideService(
        Effect.gen(function* () {
          const account = yield* accountFor(1_000)
          const pages = Number(db.pragma("page_count", { simple: true }))
          db.pragma(`max_page_count = ${pages + 12}`)
          const attempts = Effect.forEach(
            Array.from({ length: 15 }),
            () =>
              atOnce(20, () => {
                const request = opening(account, { details: { text: "x".repeat(100) } })
                const both = Effect.andThen(store.open(request), store.close(closing(request.delivery.id)))
                return Effect.map(Effect.exit(both), (exit) => ({ id: request.delivery.id, exit }))
              }),
            { concurrency: 1 }
          )
          const first = (yield* attempts).flat()
          const acknowledged = first.filter(({ exit }) => Exit.isSuccess(exit))
          expect(acknowledged.length).toBeGreaterThan(0)
          expect(acknowledged.length).toBeLessThan(first.length)
          for (const { exit } of first) {
            if (Exit.isFailure(exit)) expect(JSON.stringify(exit.cause)).toContain("the disk is full (SQLITE_FULL)")
          }
          db.pragma("max_page_count = 100000")
          const second = (yield* attempts).flat()
          expect(second.every(({ exit }) => Exit.isSuccess(exit))).toBe(true)
          for (const { id } of [...acknowledged, ...second]) {
            expect(Option.getOrThrow(yield* find(account, id)).phase).toBe("accepted")
          }
          yield* expectSound(filename)
        }),
        Store,
        store
      )
      yield* done
    })
    await Effect.runPromise(Effect.scoped(program))
  })
})
