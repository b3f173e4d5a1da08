/**
 * A purge whose process is killed, and two that continue it at once: deleted records are counted once, and no money is
 * lost.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { audit } from "@watchword/operator/Audit"
import type { AccountId } from "@watchword/schemas/Ids"
import type { Snapshots } from "@watchword/store/Snapshots"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import { layerOf } from "./layerOf.ts"
import { linesUntilKilled, linesOf, program } from "./programs.ts"

const ALL = 1_000_000

/** How many records a step deletes. */
const LIMIT = 7

const look = Effect.fnUntraced(function* (account: AccountId) {
  const store = yield* Store
  const all = { account, mode: "live", channel: "sms", where: [], offset: 0 } as const
  const { rows } = yield* store.list({ ...all, sort: { field: "id", direction: "ASC" }, limit: ALL })
  // In this order, the total comes from the counters.
  const counted = yield* store.list({ ...all, sort: { field: "statusAt", direction: "DESC" }, limit: 1 })
  expect(counted.total).toBe(rows.length)
  const { checked, violations } = yield* audit
  expect(violations.filter(({ rule }) => rule !== "budget")).toEqual([])
  return { rows, entries: checked.entries, accounts: yield* store.accounts }
})

const sum = (lines: ReadonlyArray<string>): number => lines.reduce((total, line) => total + Number(line), 0)

/** @param account an account that `load.ts` has filled */
export const expectPurged = async (
  address: string,
  snapshots: Layer.Layer<Snapshots, StoreError>,
  account: AccountId
): Promise<void> => {
  const seen = () =>
    Effect.runPromise(
      Effect.provide(
        look(account),
        Layer.provideMerge(Layer.merge(layerOf(address), snapshots), ChannelRegistry.layerBuiltIn)
      )
    )
  const purge = () => program("purge.ts", address, String(LIMIT))
  const before = await seen()
  const first = await linesUntilKilled(purge(), 3)
  await seen()
  const others = await Promise.all([linesOf(purge()), linesOf(purge())])
  const after = await seen()
  expect(after.entries).toBe(before.entries)
  expect(after.accounts).toEqual(before.accounts)
  const stay = before.rows.filter(({ phase }) => phase === "pending" || phase === "unknown")
  expect(after.rows).toEqual(stay)
  // The killed process may have deleted records without reporting them.
  const untold = before.rows.length - stay.length - sum([...first, ...others.flat()])
  expect(Math.min(untold, LIMIT)).toBe(Math.max(untold, 0))
}
