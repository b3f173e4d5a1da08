/**
 * An audit: whether every rule of money and messages holds in a database, and the rows that break one.
 *
 * It reads one snapshot from the first row to the last, so that it can run next to a server.
 */
import { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { type Snapshot, Snapshots } from "@watchword/store/Snapshots"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Balances } from "./audit/Balances.ts"
import { entriesOfDelivery, placeOfEntry, refsOfDelivery } from "./audit/Entries.ts"
import { eventsOfDelivery } from "./audit/Events.ts"
import { type Group, groups } from "./audit/Merge.ts"
import { dueTime, verification } from "./audit/Verifications.ts"
import type { Violation } from "./audit/Violation.ts"

export { type Rule, rules, type Violation } from "./audit/Violation.ts"

export interface Report {
  readonly ok: boolean
  /** At most 1,000. */
  readonly violations: ReadonlyArray<Violation>
  /** How many there are. */
  readonly found: number
  /** How many rows were read. */
  readonly checked: { readonly accounts: number; readonly deliveries: number; readonly entries: number }
}

const MOST = 1_000

const checks: ReadonlyArray<(group: Group, purgedBefore: number) => ReadonlyArray<Violation>> = [
  entriesOfDelivery,
  refsOfDelivery,
  verification,
  eventsOfDelivery
]

/** Audits the rows of one moment. */
export const audit: Effect.Effect<Report, StoreError, ChannelRegistry | Snapshots> = Snapshots.use(({ take }) =>
  Effect.scoped(Effect.flatMap(take, (snapshot) => audited(snapshot)))
)

const audited = Effect.fnUntraced(function* (
  snapshot: Snapshot
): Effect.fn.Return<Report, StoreError, ChannelRegistry> {
  const checked = { accounts: 0, deliveries: 0, entries: 0 }
  const violations: Array<Violation> = []
  let found = 0
  const tell = (more: ReadonlyArray<Violation>): void => {
    found += more.length
    violations.push(...more.slice(0, MOST - violations.length))
  }

  const purgedBefore = yield* snapshot.purgedBefore
  const { products } = yield* ChannelRegistry
  const stepless = new Set(products.filter(({ isStepped = false }) => !isStepped).map(({ name }) => name))
  const balances = new Balances()
  const entries = Stream.filter(snapshot.entries, (entry) => {
    checked.entries += 1
    balances.add(entry)
    tell(placeOfEntry(entry))
    return entry.delivery !== null
  })
  yield* Stream.runForEach(groups({ ...snapshot, entries }), (group) =>
    Effect.sync(() => {
      if (group.delivery !== null) checked.deliveries += 1
      for (const check of checks) tell(check(group, purgedBefore))
      tell(dueTime(group, stepless))
    })
  )
  yield* Stream.runForEach(snapshot.accounts, (account) =>
    Effect.sync(() => {
      checked.accounts += 1
      tell(balances.check(account))
    })
  )
  return { ok: found === 0, violations, found, checked }
})
