/**
 * Each rule: a row of a database that is sound is broken by hand, and the audit names it.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { nextAccountId, nextDeliveryId, nextEntryId } from "@watchword/schemas/Ids"
import { PositiveMicroEuros, zero } from "@watchword/schemas/Money"
import { Store } from "@watchword/store/Store"
import { SqliteStore } from "@watchword/store-sqlite"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { audit, rules } from "../../src/insight/Audit.ts"
import { AT, accountFor, closing, ending, opening, receipt } from "../../../../test/stores/fixtures.ts"

/** The store of a file, and its snapshots. */
const stored = (file: string) =>
  Layer.mergeAll(SqliteStore.layer({ filename: file }), SqliteStore.snapshots(file)).pipe(
    Layer.provideMerge(ChannelRegistry.layerBuiltIn)
  )

/** Later than any id: a process's ids continue from the latest time that it has seen. */
const LATEST = 2 ** 48 - 1

const folder = mkdtempSync(join(tmpdir(), "watchword-audit-"))
const sound = join(folder, "sound.db")

const ids = {
  other: nextAccountId(AT),
  credit: nextEntryId(AT),
  pending: nextDeliveryId(AT),
  accepted: nextDeliveryId(AT),
  rejected: nextDeliveryId(AT),
  refunded: nextDeliveryId(AT),
  verification: nextDeliveryId(AT),
  first: nextDeliveryId(AT),
  second: nextDeliveryId(AT)
}

const attempts = JSON.stringify([
  { delivery: ids.first, outcome: "undelivered" },
  { delivery: ids.second, outcome: "accepted" }
])

const plan = { attempts, max_sends: 3, sends_left: 1, checks_left: 2 }

const history = Effect.gen(function* () {
  const store = yield* Store
  const account = yield* accountFor(1_000_000)
  const watch = { endpoints: ["whk_1", "whk_2"] }
  yield* store.credit({ id: ids.credit, account, amount: PositiveMicroEuros.make(5), reason: null, at: AT })
  yield* store.open(opening(account, { id: ids.pending }))
  yield* store.open({ ...opening(account, { id: ids.accepted }), watch })
  yield* store.close(closing(ids.accepted, { refs: ["a"] }))
  yield* store.report(receipt("a"))
  yield* store.open({ ...opening(account, { id: ids.rejected }), close: ending("rejected", "r") })
  yield* store.open({ ...opening(account, { id: ids.refunded }), close: ending("accepted", "f") })
  yield* store.report(receipt("f", { refund: true }))
  yield* store.open({
    ...opening(account, {
      id: ids.verification,
      channel: "verify",
      price: zero,
      status: { name: "pending", rank: 1 },
      details: plan,
      dueAt: AT + 1
    }),
    close: { ...ending("accepted", "v"), status: { name: "pending", rank: 1 } }
  })
  for (const [attempt, id] of [ids.first, ids.second].entries()) {
    const details = { verification: ids.verification, attempt }
    yield* store.open({ ...opening(account, { id, details }), close: ending("accepted", `v${attempt}`) })
  }
})

/** The audit of the sound database after a statement. */
const auditAfter = (statement: string) => {
  const file = join(folder, "broken.db")
  copyFileSync(sound, file)
  const db = new Sqlite(file)
  db.pragma("ignore_check_constraints = ON")
  expect(db.prepare(statement).run().changes).toBeGreaterThan(0)
  db.close()
  return Effect.runPromise(Effect.provide(audit, stored(file)))
}

beforeAll(() => Effect.runPromise(Effect.provide(history, stored(sound))))

afterAll(() => rmSync(folder, { recursive: true }))

const delivery = (id: string): string => `(SELECT n FROM deliveries WHERE id = '${id}')`
const send = (id: string, change: string): string => `UPDATE deliveries SET ${change} WHERE id = '${id}'`
const planned = (change: object): string =>
  send(ids.verification, `details = '${JSON.stringify({ ...plan, ...change })}'`)
const event = (change: string): string =>
  `UPDATE events SET event = ${change} WHERE id = (SELECT min(id) FROM events WHERE endpoint = 'whk_1')`

const broken: ReadonlyArray<readonly [rule: keyof typeof rules, what: string, statement: string]> = [
  ["balance", "an available amount", "UPDATE accounts SET available = available + 1"],
  ["balance", "a held amount", "UPDATE accounts SET held = held - 1"],
  ["balance", "an amount of a credit", `UPDATE entries SET amount = 6 WHERE given_id = '${ids.credit}'`],
  ["not-negative", "a balance", "UPDATE accounts SET available = -1"],
  ["entry-place", "a credit for a delivery", `UPDATE entries SET delivery = ${delivery(ids.pending)} WHERE kind = 0`],
  ["entry-place", "a hold for no delivery", "UPDATE entries SET delivery = NULL WHERE kind = 1"],
  ["entry-delivery", "a delivery that is gone", `DELETE FROM deliveries WHERE id = '${ids.accepted}'`],
  ["entry-delivery", "an entry of another account", "UPDATE deliveries SET partition = partition + 512"],
  [
    "entries-of-phase",
    "a missing entry",
    `DELETE FROM entries WHERE kind = 2 AND delivery = ${delivery(ids.accepted)}`
  ],
  ["entries-of-phase", "a hold that stays open", send(ids.pending, "phase = 2")],
  ["entries-of-phase", "a release that was none", send(ids.rejected, "phase = 2")],
  ["entries-of-phase", "a second settle", "UPDATE entries SET kind = 2 WHERE kind IN (1, 3)"],
  ["entries-of-phase", "a refund of a phase without one", send(ids.refunded, "phase = 2")],
  ["entries-of-phase", "entries of a free delivery", send(ids.accepted, "price = 0")],
  ["entry-amount", "a price", send(ids.accepted, "price = price + 1")],
  ["ref-delivery", "a ref of nothing", "UPDATE parts SET delivery = 999 WHERE ref = 'a'"],
  ["ref-delivery", "a ref of another channel", "UPDATE parts SET channel = 0 WHERE ref = 'a'"],
  ["send-verification", "a verification that is gone", `DELETE FROM deliveries WHERE id = '${ids.verification}'`],
  ["send-once", "a number of a send", send(ids.first, `details = json_set(details, '$.attempt', 1)`)],
  ["send-once", "a send that the plan does not have", send(ids.second, `details = json_set(details, '$.attempt', 7)`)],
  ["budget", "more sends than were given", planned({ sends_left: 3 })],
  ["budget", "guesses below zero", planned({ checks_left: -1 })],
  ["budget", "a plan that cannot be read", send(ids.verification, "details = '{}'")],
  ["due-time", "a pending verification that is never due", send(ids.verification, "due_at = NULL")],
  ["due-time", "a blocked verification that is due", send(ids.verification, "status = 'blocked'")],
  ["due-time", "a text that is due", send(ids.accepted, "due_at = 1")],
  ["event-delivery", "an event about nothing", event(`json_set(event, '$.fact.delivery', '${nextDeliveryId(AT)}')`)],
  ["event-delivery", "an event of another mode", event("json_set(event, '$.mode', 'sandbox')")],
  ["event-once", "an event that was written twice", event("json_set(event, '$.fact.version', 2)")],
  ["event-once", "a version that has not come to be", event("json_set(event, '$.fact.version', 9)")]
]

describe("audit", () => {
  it("finds nothing where every rule holds, and counts the rows", async () => {
    const report = await Effect.runPromise(Effect.provide(audit, stored(sound)))
    expect(report).toEqual({
      ok: true,
      violations: [],
      found: 0,
      checked: { accounts: 1, deliveries: 7, entries: 2 + 1 + 2 + 2 + 3 + 2 + 2 }
    })
  })

  it.each(broken)("%s: names %s", async (rule, _, statement) => {
    const { found, ok, violations } = await auditAfter(statement)
    expect(ok).toBe(false)
    expect(found).toBe(violations.length)
    expect(violations.map((each) => each.rule)).toContain(rule)
  })

  it("lets rows name a delivery that was deleted for its age", async () => {
    const purged = join(folder, "purged.db")
    copyFileSync(sound, purged)
    const purge = Store.use((store) => store.purge({ before: LATEST, limit: 100 }))
    expect(await Effect.runPromise(Effect.provide(purge, stored(purged)))).toBe(5)
    const audited = () => Effect.runPromise(Effect.provide(audit, stored(purged)))
    expect(await audited()).toMatchObject({ ok: true, checked: { accounts: 1, deliveries: 2, entries: 14 } })

    const db = new Sqlite(purged)
    db.prepare("UPDATE entries SET kind = 1 WHERE place = (SELECT max(place) FROM entries WHERE kind = 2)").run()
    db.close()
    expect((await audited()).violations.map(({ rule }) => rule)).toContain("entries-of-phase")
  })

  it("breaks each rule at least once", () => {
    expect(new Set(broken.map(([rule]) => rule))).toEqual(new Set(Object.keys(rules)))
  })

  it("names the row", async () => {
    const { violations } = await auditAfter(send(ids.accepted, "due_at = 1"))
    expect(violations).toEqual([{ rule: "due-time", id: ids.accepted, message: "a delivery by sms that is due" }])
  })
})
