/**
 * The last hour, the same hour a week ago, and the problems that follow from them: what `overview` shows, and what
 * alarms are about.
 */
import type { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import type { Described } from "@watchword/send/channel/Features"
import { seen as seenCertificates } from "@watchword/send/channel/Certificates"
import { standingNotices } from "@watchword/send/pipeline"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { look } from "../../command/SlowReads.ts"
import { Program } from "../Program.ts"
import { BelowCost } from "./BelowCost.ts"
import { type HourCounts, hourCounts } from "./HourCounts.ts"
import { kept } from "./Kept.ts"
import { type OwnerFacts, ownerFacts } from "./OwnerFacts.ts"
import type { Problem } from "./Problem.ts"
import { LIMITS } from "./ProblemRules.ts"
import { problemsOf } from "./Problems.ts"
import { recentTraffic } from "./RecentTraffic.ts"
import { type Verification, refusals, verifications as sentCodes } from "./Unverified.ts"

export interface Overview extends HourCounts {
  readonly owners: OwnerFacts
  readonly events: { readonly pending: number; readonly oldestPending: number | null }
  readonly unknown: { readonly count: number; readonly oldest: number | null }
  readonly migrations: { readonly database: number; readonly program: number } | null
  /** The bad ones first. */
  readonly problems: ReadonlyArray<Problem>
}

/** Bounds of reads through a store's index. */
const EVENTS = 10_000
const UNKNOWN = 1_000

export const overviewAt = Effect.fnUntraced(function* (
  at: number
): Effect.fn.Return<Overview, StoreError, ChannelRegistry | Described | Settings | Store> {
  const store = yield* Store
  const program = yield* Program
  const counts = yield* hourCounts(at)
  const owners = yield* ownerFacts(at)
  const { codes, refused } = yield* recent(counts.verifications.hour, at)
  const traffic = yield* recentTraffic(at)
  const [events, open] = yield* look(
    Effect.all([
      store.eventBacklog(EVENTS),
      store.unresolved({ phase: "unknown", createdBefore: at + 1, abandoned: false, limit: UNKNOWN })
    ])
  )
  const unknown = { count: open.length, oldest: open[0]?.createdAt ?? null }
  const notices = yield* standingNotices
  const certificates = yield* seenCertificates
  const belowCost = yield* yield* BelowCost
  const migrations = yield* program.migrations
  const facts = {
    ...counts,
    codes,
    refused,
    ...traffic,
    ...owners,
    unknown,
    events,
    notices,
    certificates,
    belowCost,
    migrations
  }
  return { ...counts, owners, events, unknown, migrations, problems: problemsOf(facts, at) }
})

interface Read {
  readonly codes: ReadonlyArray<Verification>
  readonly refused: ReadonlyArray<E164>
}

/** The longest read of an overview. */
const lastRead = kept<Read>()

const recent = (counts: ReadonlyMap<string, number>, at: number): Effect.Effect<Read, StoreError, Store> => {
  const { attack, number } = LIMITS
  const refused = counts.get("blocked") ?? 0
  const isQuiet =
    started(counts) < attack.unentered &&
    (counts.get("failed") ?? 0) < number.guessed &&
    started(counts) + refused < number.asked
  if (isQuiet) return Effect.succeed({ codes: [], refused: [] })
  return lastRead(
    at,
    Effect.all({
      codes: sentCodes(at),
      refused: refused < number.asked / 2 ? Effect.succeed([]) : refusals(at)
    })
  )
}

/** Verifications whose codes were sent. */
export const started = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, n) => sum + n, 0) - (counts.get("blocked") ?? 0)
