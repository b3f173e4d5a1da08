/**
 * Moves of an account between two PostgreSQL schemas, ended at every point and begun again.
 */
import * as Applications from "@watchword/auth/Applications"
import * as Authenticator from "@watchword/auth/Authenticator"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import { AccountCommands, MoneyCommands } from "@watchword/operator/commands"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { execFile } from "node:child_process"
import { generateKeyPairSync } from "node:crypto"
import { writeFileSync } from "node:fs"
import { realTime } from "../../../test/until.ts"
import type { AccountId } from "@watchword/schemas/Ids"
import { nextDeliveryId, nextEntryId } from "@watchword/schemas/Ids"
import { MicroEuros, PositiveMicroEuros } from "@watchword/schemas/Money"
import * as Settings from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import { PostgresStore } from "@watchword/store-postgres"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sql } from "../../../adapters/store-postgres/test/fixtures.ts"
import { type PostgresServer, start as startPostgres } from "../../../test/PostgresServer.ts"
import { folderForAll } from "../../../test/folder.ts"
import { PRICE, accountFor, closing, ending, opening, receipt } from "../../../test/stores/fixtures.ts"
import { expectSoundStore } from "../../../test/stores/sound.ts"
import * as Move from "../src/cells/Move.ts"
import { type Environment, answerOf, command, start, watchword } from "./Standalone.ts"
import { callerOf, request } from "./client.ts"

const { file } = folderForAll()
let database: PostgresServer

beforeAll(async () => {
  database = await startPostgres()
  writeFileSync(file("there.url"), `${database.url}\n`)
}, 60_000)

afterAll(() => database.stop())

let made = 0

/** Two cells, each a schema of its own. */
const twoCells = Effect.gen(function* () {
  const schemas = [`a${++made}`, `b${made}`] as const
  const open = (schema: string) =>
    Effect.map(Layer.build(PostgresStore.layer({ url: database.url, schema, connections: 3 })), Context.get(Store))
  const [a, b] = schemas.map((schema) => ({ url: database.url, schema }))
  if (a === undefined || b === undefined) throw new Error("there are two")
  const installations = {
    from: yield* open(a.schema),
    to: yield* open(b.schema),
    mover: yield* PostgresStore.mover(a, b),
    name: b.schema
  }
  return { ...installations, installations, schemas }
})

type Cells = Effect.Success<typeof twoCells>

const SENDS = 12

/** An account with sends in all phases that have ended, and one of an idempotency key. */
const busyAccount = Effect.fnUntraced(function* ({ from }: Cells) {
  return yield* Effect.gen(function* () {
    const store = yield* Store
    yield* accountFor(3)
    const account = yield* accountFor(SENDS + 5)
    const at = Date.now()
    for (let n = 0; n < SENDS; n++) {
      const ref = `${account} ${n}`
      const id = nextDeliveryId(at)
      const outcome = n % 3 === 0 ? "rejected" : "accepted"
      yield* store.open({ ...opening(account, { id }), at, claims: claims(n, at), close: ending(outcome, ref) })
      if (n % 4 === 1) yield* store.report({ ...receipt(ref, { refund: true }), at })
    }
    yield* store.changeSetting({ account, name: "quiet", value: "[1]" })
    return account
  }).pipe(Effect.provideService(Store, from))
})

const claims = (n: number, at: number) =>
  n === 1 ? [{ key: "order 1", fingerprint: "f", heldUntil: "expiry", expiresAt: at + 3_600_000 } as const] : []

/** An account's balance where it is active; nothing if it is suspended or missing. */
const spendable = (store: Cells["from"], account: AccountId) =>
  Effect.map(
    store.account(account),
    Option.match({
      onNone: () => 0,
      onSome: ({ account: { suspendedAt }, balance }) => (suspendedAt === null ? balance.available : 0)
    })
  )

const availableIn = (store: Cells["from"], account: AccountId) =>
  Effect.map(store.account(account), Option.match({ onNone: () => 0, onSome: ({ balance }) => balance.available }))

const expectSound = (cells: Cells) =>
  Effect.forEach(
    [
      [cells.from, cells.schemas[0]],
      [cells.to, cells.schemas[1]]
    ] as const,
    ([store, schema]) =>
      Effect.provideService(
        expectSoundStore(
          Layer.provide(PostgresStore.snapshots({ url: database.url, schema }), ChannelRegistry.layerBuiltIn)
        ),
        Store,
        store
      )
  )

const run = <A>(effect: Effect.Effect<A, unknown, ChannelRegistry.ChannelRegistry | Scope>): Promise<A> =>
  Effect.runPromise(Effect.scoped(Effect.provide(effect, ChannelRegistry.layerBuiltIn)))

/** Moves, and dies at a point. */
const diesAt = (cells: Cells, account: AccountId, dying: Move.Point) =>
  Effect.exit(
    Move.move(cells.installations, account, {
      wait: 0,
      at: (point) => (point === dying ? Effect.die("killed") : Effect.void)
    })
  )

/** Runs a command of an operator in a cell. */
const operate = <A, E>(
  store: Cells["from"],
  command: Effect.Effect<A, E, Accounts.Accounts | Authenticator.Authenticator | Ledger.Ledger | Store>
) => {
  const domain = Layer.mergeAll(Accounts.layer, Ledger.layer, Authenticator.layer).pipe(
    Layer.provideMerge(Layer.succeed(Store, store))
  )
  return Effect.exit(Effect.scoped(Effect.provide(command, domain)))
}

describe("a move", () => {
  it("is the same however often and wherever it is ended, and no cent can be spent twice", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...Move.points), { maxLength: 5 }), fc.boolean(), (ends, isRefunded) =>
        run(
          Effect.gen(function* () {
            const cells = yield* twoCells
            const account = yield* busyAccount(cells)
            const total = yield* availableIn(cells.from, account)
            let refunds = 0
            for (const [n, point] of ends.entries()) {
              yield* diesAt(cells, account, point)
              if (isRefunded && n === 1) {
                // A receipt of the carrier comes to the cell that sent.
                yield* cells.from.report({ ...receipt(`${account} 2`, { refund: true }), at: Date.now() })
                refunds = PRICE
              }
              const both = (yield* spendable(cells.from, account)) + (yield* spendable(cells.to, account))
              expect(both).toBeLessThanOrEqual(total + refunds)
              // An operator may resume it in the old cell.
              if ((yield* spendable(cells.to, account)) > 0) {
                const all = (yield* availableIn(cells.from, account)) + (yield* availableIn(cells.to, account))
                expect(all).toBeLessThanOrEqual(total + refunds)
              }
              yield* expectSound(cells)
            }
            yield* Move.move(cells.installations, account, { wait: 0 })
            expect(yield* availableIn(cells.from, account)).toBe(0)
            expect(yield* spendable(cells.to, account)).toBe(total + refunds)
            yield* expectSound(cells)
            const opened = yield* cells.to.open({ ...opening(account), at: Date.now(), claims: claims(1, Date.now()) })
            expect(opened._tag).toBe("Claimed")
            expect((yield* cells.from.open({ ...opening(account), at: Date.now() }))._tag).toBe("Suspended")
          })
        )
      ),
      {
        numRuns: 25,
        examples: [[[...Move.points], true], ...Move.points.map((point): [Move.Point[], boolean] => [[point], false])]
      }
    )
  }, 120_000)

  it("brings the applications of the account's apps, unless another account has them there", () =>
    run(
      Effect.gen(function* () {
        const cells = yield* twoCells
        const account = yield* busyAccount(cells)
        const within = <A, E>(store: Cells["from"], effect: Effect.Effect<A, E, Settings.Settings | Store>) =>
          Effect.provide(effect, Layer.provideMerge(Settings.layer, Layer.succeed(Store, store)))
        const { publicKey } = generateKeyPairSync("rsa", {
          modulusLength: 2048,
          publicKeyEncoding: { type: "spki", format: "pem" },
          privateKeyEncoding: { type: "pkcs8", format: "pem" }
        })
        const other = yield* Effect.provideService(accountFor(1), Store, cells.to)
        const [own, taken] = [crypto.randomUUID(), crypto.randomUUID()]
        yield* within(cells.from, Applications.add(account, { application: own, publicKey }))
        yield* within(cells.from, Applications.add(account, { application: taken, publicKey }))
        yield* within(cells.to, Applications.add(other, { application: taken, publicKey }))
        yield* Move.move(cells.installations, account, { wait: 0 })
        const ownerOf = (application: string) =>
          Effect.map(within(cells.to, Applications.find(application)), (found) => found?.account)
        expect(yield* ownerOf(own)).toBe(account)
        expect(yield* ownerOf(taken)).toBe(other)
      })
    ))

  it("brings what comes back later after it, once", () =>
    run(
      Effect.gen(function* () {
        const cells = yield* twoCells
        const account = yield* busyAccount(cells)
        yield* Move.move(cells.installations, account, { wait: 0 })
        const before = yield* availableIn(cells.to, account)
        yield* cells.from.report({ ...receipt(`${account} 2`, { refund: true }), at: Date.now() })
        for (const point of ["rest", "returned"] as const) yield* diesAt(cells, account, point)
        const { returned } = yield* Move.move(cells.installations, account, { wait: 0 })
        expect(returned).toBe(PRICE)
        expect((yield* Move.move(cells.installations, account, { wait: 0 })).returned).toBe(0)
        expect(yield* availableIn(cells.to, account)).toBe(before + PRICE)
        yield* expectSound(cells)
      })
    ))

  it("leaves an account suspended that was so, and does not resume one that was suspended since", () =>
    run(
      Effect.gen(function* () {
        const cells = yield* twoCells
        const [one, two] = [yield* busyAccount(cells), yield* busyAccount(cells)]
        yield* cells.from.changeAccount({ account: one, suspended: true })
        yield* Move.move(cells.installations, one, { wait: 0 })
        expect(yield* spendable(cells.to, one)).toBe(0)
        yield* Move.move(cells.installations, two, { wait: 0 })
        yield* cells.to.changeAccount({ account: two, suspended: true })
        yield* Move.move(cells.installations, two, { wait: 0 })
        expect(yield* spendable(cells.to, two)).toBe(0)
      })
    ))

  it("refuses what would lose or double something, in a sentence", () =>
    run(
      Effect.gen(function* () {
        const cells = yield* twoCells
        const account = yield* busyAccount(cells)
        const failing = (installations: Partial<Move.Installations> = {}) =>
          Effect.map(
            Effect.flip(Move.move({ ...cells.installations, ...installations }, account, { wait: 0 })),
            ({ message }) => message
          )
        const open = opening(account)
        yield* cells.from.open({ ...open, at: Date.now() })
        expect(yield* failing()).toMatch(/^1 messages or verifications of the account are still under way/)
        expect(yield* failing({ name: "elsewhere" })).toBe(
          `The account is being moved to ${cells.name}: name this one.`
        )
        yield* cells.from.close(closing(open.delivery.id, { refs: ["late"] }))

        yield* diesAt(cells, account, "noted")
        const id = nextEntryId(Date.now())
        yield* cells.from.debit({ id, account, amount: PRICE, at: Date.now() })
        expect(yield* failing()).toContain("The account has less money than was copied")
        // This is the one credit that a move lets through.
        const given = { account_id: account, amount: String(PRICE / 1e6) }
        expect(yield* operate(cells.from, MoneyCommands.credit.answer(given))).toMatchObject({ _tag: "Success" })
        yield* Move.move(cells.installations, account, { wait: 0 })
        yield* expectSound(cells)

        const other = yield* twoCells
        const twin = yield* busyAccount(other)
        const found = Option.getOrThrow(yield* other.from.account(twin))
        yield* other.to.createAccount(found.account)
        const twice = yield* Effect.flip(Move.move(other.installations, twin, { wait: 0 }))
        expect(twice.message).toContain(`has an account ${twin} that was not moved there`)
        expect(yield* availableIn(other.from, twin)).toBeGreaterThan(0)
      })
    ))

  it.each(Move.points.filter((point) => point !== "arrived" && point !== "resumed"))(
    "that was ended when it was %s lets no operator change the account in either cell",
    (point) =>
      run(
        Effect.gen(function* () {
          const cells = yield* twoCells
          const account = yield* busyAccount(cells)
          const total = yield* availableIn(cells.from, account)
          if (point === "rest" || point === "returned") {
            yield* diesAt(cells, account, "copied")
            yield* cells.from.report({ ...receipt(`${account} 2`, { refund: true }), at: Date.now() })
          }
          yield* diesAt(cells, account, point)
          for (const store of [cells.from, cells.to]) {
            if (Option.isNone(yield* store.account(account))) continue
            for (const exit of [
              yield* operate(store, AccountCommands.resume.answer({ account_id: account })),
              yield* operate(store, MoneyCommands.credit.answer({ account_id: account, amount: "1" })),
              yield* operate(store, MoneyCommands.debit.answer({ account_id: account, amount: "0.01", reason: "r" }))
            ]) {
              expect(exit).toMatchObject({ _tag: "Failure" })
              expect(JSON.stringify(exit)).toContain(`watchword move ${account} --to FILE`)
            }
          }
          yield* Move.move(cells.installations, account, { wait: 0 })
          const came = point === "rest" || point === "returned" ? PRICE : 0
          expect(yield* spendable(cells.to, account)).toBe(total + came)
          expect(yield* availableIn(cells.from, account)).toBe(0)
          const paid = yield* operate(cells.to, MoneyCommands.credit.answer({ account_id: account, amount: "1" }))
          expect(paid).toMatchObject({ _tag: "Success" })
          yield* expectSound(cells)
        })
      )
  )

  it("is taken back where nothing was copied, and not afterwards", () =>
    run(
      Effect.gen(function* () {
        const cells = yield* twoCells
        const account = yield* busyAccount(cells)
        const total = yield* availableIn(cells.from, account)
        const givenUp = Move.giveUp(cells.installations, account)
        expect((yield* Effect.flip(givenUp)).message).toBe("No move of the account is under way.")
        yield* diesAt(cells, account, "suspended")
        yield* givenUp
        expect(yield* spendable(cells.from, account)).toBe(total)
        for (const point of ["copied", "noted", "debited"] as const) {
          yield* diesAt(cells, account, point)
          expect((yield* Effect.flip(givenUp)).message).toContain("has already been copied")
        }
        yield* Move.move(cells.installations, account, { wait: 0 })
        expect((yield* Effect.flip(givenUp)).message).toBe("No move of the account is under way.")
        expect(yield* spendable(cells.to, account)).toBe(total)
        yield* expectSound(cells)
      })
    ))

  it("goes on to a third cell, once it has ended", () =>
    run(
      Effect.gen(function* () {
        const [cells, others] = [yield* twoCells, yield* twoCells]
        const account = yield* busyAccount(cells)
        const total = yield* availableIn(cells.from, account)
        const [, b] = cells.schemas
        const [, d] = others.schemas
        const mover = yield* PostgresStore.mover({ url: database.url, schema: b }, { url: database.url, schema: d })
        const onward = { from: cells.to, to: others.to, mover, name: d }
        yield* diesAt(cells, account, "noted")
        const early = yield* Effect.flip(Move.move(onward, account, { wait: 0 }))
        expect(early.message).toContain("continue it in the old cell")
        yield* Move.move(cells.installations, account, { wait: 0 })
        yield* Move.move(onward, account, { wait: 0 })
        expect(yield* spendable(others.to, account)).toBe(total)
      })
    ))

  it("is made by one command at a time", () =>
    run(
      Effect.gen(function* () {
        const cells = yield* twoCells
        const account = yield* busyAccount(cells)
        const total = yield* availableIn(cells.from, account)
        const once = Effect.exit(Move.move(cells.installations, account, { wait: 0 }))
        const during = Effect.gen(function* () {
          const second = yield* Effect.flip(Move.move(cells.installations, account, { wait: 0 }))
          expect(second.message).toBe(`Another command is moving account ${account}.`)
        }).pipe(Effect.orDie)
        yield* Move.move(cells.installations, account, {
          wait: 0,
          at: (point) => (point === "copied" ? during : Effect.void)
        })
        const exits = yield* Effect.all([once, once, once], { concurrency: 3 })
        expect(exits.some(Exit.isSuccess)).toBe(true)
        expect(yield* spendable(cells.to, account)).toBe(total)
        yield* expectSound(cells)
      })
    ))

  it(
    "copies many records whole",
    () =>
      run(
        Effect.gen(function* () {
          const cells = yield* twoCells
          const account = yield* Effect.provideService(accountFor(5_000), Store, cells.from)
          const sends = Array.from({ length: 4_500 }, (_, n) => ({
            ...opening(account),
            at: Date.now(),
            close: ending("accepted", `many ${n}`)
          }))
          yield* Effect.forEach(sends, (send) => cells.from.open(send), { concurrency: 500, discard: true })
          const moved = yield* Move.move(cells.installations, account, { wait: 0 })
          expect(moved).toEqual({
            deliveries: 4_500,
            entries: 9_001,
            amount: MicroEuros.make(500 * PositiveMicroEuros.make(PRICE)),
            returned: 0
          })
          yield* expectSound(cells)
        })
      ),
    60_000
  )
})

describe("the command move", () => {
  it("moves an account between servers that work, killed at any time and run again", async () => {
    const [one, two]: [Environment, Environment] = [
      { DATABASE_URL: database.url, DATABASE_SCHEMA: "cell_one", DATABASE_CONNECTIONS: "4", DEMO: "no" },
      { DATABASE_URL: database.url, DATABASE_SCHEMA: "cell_two", DATABASE_CONNECTIONS: "4", DEMO: "no" }
    ]
    const servers = await Promise.all([start(one), start(two)])
    const account = String((await command(one, "account", "create", "--name", "Acme", "--balance", "10"))["account_id"])
    const key = String((await command(one, "key", "create", "--account", account, "--sandbox"))["key"])
    const at = servers.map((server) => callerOf(server, account, key))
    const [here, there] = at
    if (here === undefined || there === undefined) throw new Error("there are two")
    const text = { to: "+4915123411111", text: "Your code is 123456" }
    const idempotent = { "idempotency-key": "order-1" }
    const sent = await request(here, "/sms", text, idempotent)
    expect([sent.status, (await request(there, "/sms", text)).status]).toEqual([200, 401])

    const args = ["move", account, "--to", file("there.url"), "--schema", "cell_two"]
    for (const after of [250, 400, 500, 600, 700, 800, 900]) {
      const child = execFile(process.execPath, [watchword, ...args], { env: { ...process.env, ...one } })
      await realTime(after, "the command moves the account")
      child.kill("SIGKILL")
    }
    const { code, stderr, stdout } = await answerOf(one, ...args)
    expect([code, stderr, stdout]).toEqual([
      0,
      "",
      expect.stringContaining(`Account ${account} is in the other cell, with 10 EUR`)
    ])

    // A repeat of a request gets the same answer in the new cell, and nothing is sent for it.
    const again = await request(there, "/sms", text, idempotent)
    expect([again.status, again.body]).toEqual([200, sent.body])
    expect((await request(there, "/sms", text)).status).toBe(200)
    expect((await request(here, "/sms", text)).status).toBe(403)
    expect(await command(two, "account", "show", account)).toMatchObject({ available: 10 })
    expect(await command(one, "account", "show", account)).toMatchObject({ available: 0 })
    expect([(await command(one, "audit"))["ok"], (await command(two, "audit"))["ok"]]).toEqual([true, true])
    await Promise.all(servers.map((server) => server.stop()))
  }, 90_000)

  it("refuses databases that it cannot move between", async () => {
    writeFileSync(file("sqlite.url"), "sqlite:watchword.db")
    const account = "acc_01KAJ3T8ZZ0000000000000000"
    const newer = Layer.build(PostgresStore.layer({ url: database.url, schema: "newer" }))
    await run(newer)
    await sql(database.url, "INSERT INTO newer.watchword_migrations VALUES (99, 'of another program', 1)")
    const one = { DATABASE_URL: database.url, DATABASE_SCHEMA: "cell_one" }
    const refusals: ReadonlyArray<readonly [Environment, ReadonlyArray<string>, string]> = [
      [{ DATABASE_URL: `sqlite:${file("one.db")}` }, [account, "--to", file("there.url")], "move works on PostgreSQL"],
      [one, [account, "--to", file("none.url")], "none.url of --to cannot be read"],
      [one, [account, "--to", file("sqlite.url")], "must hold a postgres:// address"],
      [one, ["Acme", "--to", file("there.url")], "must be the id of an account"],
      [one, [account, "--to", file("there.url"), "--schema", "empty"], "no tables yet"],
      [one, [account, "--to", file("there.url"), "--schema", "newer"], "there 99."],
      [one, [account, "--to", file("there.url"), "--schema", "cell_two"], "There is no such account"]
    ]
    for (const [environment, args, words] of refusals) {
      const { code, stderr } = await answerOf(environment, "move", ...args)
      expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining(words)])
    }
  })
})
