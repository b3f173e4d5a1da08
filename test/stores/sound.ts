/**
 * Checks of whole stores, and of what their programs acknowledged.
 */
import { audit } from "@watchword/operator/Audit"
import { type AccountId, DeliveryId, EntryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import type { Place } from "@watchword/store/Account"
import type { Snapshots } from "@watchword/store/Snapshots"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { expect } from "vitest"
import { find, opening } from "./fixtures.ts"

const ALL = 1_000_000

/**
 * Checks that each step that told of a watched delivery has its event for each endpoint, once, and no other step one.
 */
const expectSoundEvents = Effect.gen(function* () {
  const store = yield* Store
  const events = yield* store.takeEvents({ lease: 1, limit: ALL, perEndpoint: ALL })
  const told = new Map<string, Array<number>>()
  for (const { endpoint, fact } of events) {
    if (fact._tag !== "DeliveryChanged") continue
    const key = `${fact.delivery} ${endpoint}`
    told.set(key, [...(told.get(key) ?? []), fact.version])
  }
  let expected = 0
  for (const { account } of yield* store.accounts) {
    const all = { account: account.id, mode: "live", channel: "sms", where: [], offset: 0, limit: ALL } as const
    const { rows } = yield* store.list({ ...all, sort: { field: "id", direction: "ASC" } })
    for (const { id, phase, watch } of rows) {
      if (watch === null) continue
      const versions = Array.from({ length: watch.version }, (_, index) => index + 1)
      expected += watch.version * watch.endpoints.length
      expect([id, phase === "pending" || phase === "unknown" || watch.version > 0]).toEqual([id, true])
      for (const endpoint of watch.endpoints) {
        expect([id, (told.get(`${id} ${endpoint}`) ?? []).toSorted((a, b) => a - b)]).toEqual([id, versions])
      }
    }
  }
  expect(events.length).toBe(expected)
})

/**
 * Audits a store, and checks that no entry was written twice, that no balance was ever below zero, and that no event is
 * missing.
 */
export const expectSoundStore = Effect.fnUntraced(function* (snapshots: Layer.Layer<Snapshots, StoreError>) {
  // The fixtures open every product with plain details, and verifications so without a plan.
  const { violations } = yield* Effect.provide(audit, snapshots)
  expect(violations.filter(({ rule }) => rule !== "budget")).toEqual([])
  const store = yield* Store
  for (const { account } of yield* store.accounts) {
    const places: { [place in Place]: number } = { funding: 0, available: 0, held: 0, revenue: 0 }
    const ledger = yield* store.entries({ account: account.id, after: null, limit: ALL })
    const movements = ledger.filter(({ delivery }) => delivery !== null)
    expect(new Set(ledger.map(({ id }) => id)).size).toBe(ledger.length)
    expect(new Set(movements.map(({ delivery, kind }) => `${delivery} ${kind}`)).size).toBe(movements.length)
    for (const { amount, from, to } of ledger) {
      places[from] -= amount
      places[to] += amount
      expect(Math.min(places.available, places.held)).toBeGreaterThanOrEqual(0)
    }
    const all = { account: account.id, mode: "live", channel: "sms", where: [], offset: 0, limit: ALL } as const
    const page = yield* store.list({ ...all, sort: { field: "id", direction: "ASC" } })
    expect(page.rows.length).toBe(page.total)
  }
  yield* expectSoundEvents
})

/** Checks that everything is there that the lines of `load.ts` acknowledged. */
export const expectAcknowledged = Effect.fnUntraced(function* (account: AccountId, lines: ReadonlyArray<string>) {
  const store = yield* Store
  const ledger = yield* store.entries({ account, after: null, limit: ALL })
  const credits = new Set(ledger.filter(({ kind }) => kind === "credit").map(({ id }) => id))
  const expectLine = Effect.fnUntraced(function* (line: string) {
    const [word = "", id = ""] = line.split(" ")
    if (word === "failed" || word === "refused") return
    if (word === "credited") return expect(credits.has(EntryId.make(id))).toBe(true)
    const { phase, status } = Option.getOrThrow(yield* find(account, DeliveryId.make(id)))
    if (word === "opened") {
      const claims = [{ key: id, fingerprint: "", heldUntil: "expiry" as const, expiresAt: 1e15 }]
      const again = yield* store.open({ ...opening(account, { price: zero }), at: Date.now(), claims })
      expect(again).toMatchObject({ _tag: "Claimed", by: { id } })
    }
    if (word === "accepted") {
      expect(Option.getOrThrow(yield* store.findByRef({ channel: "sms", ref: id })).id).toBe(id)
    }
    if (word === "reported") expect([id, phase === "rejected" || status.name === "delivered"]).toEqual([id, true])
    if (word === "accepted" || word === "rejected") expect([id, phase]).toEqual([id, word])
    if (word === "unknown") expect([id, ["unknown", "accepted"].includes(phase)]).toEqual([id, true])
  })
  yield* Effect.forEach(lines, expectLine, { concurrency: 100, discard: true })
})
