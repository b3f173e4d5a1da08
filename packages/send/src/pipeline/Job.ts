/**
 * Periodic jobs of a service, all in one list, and the runner that starts them.
 *
 * Every process that serves on a store runs its jobs. Due work is in the store, and the first process that looks takes
 * it; only the lease and the counts of traffic are of each process. Where services may not work without a request, they
 * have no lease, and `Maintenance.run` does the others. ARCHITECTURE.md has the list as a table.
 */
import { Store } from "@watchword/store/Store"
import * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { BackgroundAllowed } from "./Background.ts"

export interface Job {
  /** How long it waits before the first pass, and between two. */
  readonly every: Extract<Duration.Input, string>
  /** Whether only a store for several servers needs it: the start of a single one has done it all. */
  readonly clusterOnly?: boolean
}

/** The jobs by the names that the log has for them, from the most frequent on. */
export const jobs = {
  events: { every: "1 second" },
  "steps of verifications": { every: "1 second" },
  "refused requests": { every: "1 second" },
  lease: { every: "5 seconds" },
  carriers: { every: "5 seconds" },
  rehearsals: { every: "5 seconds" },
  "sends of dead processes": { every: "10 seconds" },
  "calls of dead processes": { every: "10 seconds", clusterOnly: true },
  traffic: { every: "10 seconds" },
  "figures of carriers": { every: "1 minute" },
  certificates: { every: "1 minute" },
  reconciliation: { every: "1 minute" },
  retention: { every: "1 minute" },
  alarms: { every: "1 minute" },
  "sandbox events": { every: "1 minute", clusterOnly: true }
} as const satisfies Readonly<Record<string, Job>>

export type Name = keyof typeof jobs

/**
 * Runs a job until its scope closes, where services may. A pass that fails is logged, and the next one follows all the
 * same.
 *
 * @param wake ends a wait before its time
 */
export const keep = Effect.fnUntraced(function* <E, R>(
  name: Name,
  pass: Effect.Effect<unknown, E, R>,
  wake?: Effect.Effect<unknown>
): Effect.fn.Return<void, never, R | Scope | Store> {
  const { clusterOnly = false, every }: Job = jobs[name]
  const { manifest } = yield* Store
  if (!(yield* BackgroundAllowed) || (clusterOnly && !manifest.cluster)) return
  const waited = wake === undefined ? Effect.sleep(every) : Effect.timeoutOption(wake, every)
  const logged = Effect.catchCause(pass, (cause) => failed(name, cause))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(waited, logged)))
})

const failed = (job: string, cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.void
    : Effect.annotateLogs(Effect.logError("a periodic job failed; it is tried again", cause), { job })
