/**
 * Periodic jobs of a service, all in one list, and the runner that starts them.
 *
 * Every process that serves on a store runs its jobs. What a pass finds is in the store, and one process takes it, whichever
 * looks first; only the lease and the counts of traffic are of each process. Where services may not work without a request, they have no lease, and
 * `Maintenance.run` does the others. ARCHITECTURE.md has the list as a table.
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
  /** What a pass does, in Markdown. */
  readonly does: string
  /** The path of the module that has it run. */
  readonly module: string
  /** Whether only a store for several servers needs it: the start of a single one has done it all. */
  readonly clusterOnly?: boolean
}

/** The jobs by the names that the log has for them, from the most frequent on. */
export const jobs = {
  events: {
    every: "1 second",
    does: "sends events that are due, at once where this process writes one; deletes those that ended a week ago",
    module: "packages/events/src/internal/Dispatcher.ts"
  },
  "steps of verifications": {
    every: "1 second",
    does: "takes steps that are due, ends verifications that have expired",
    module: "packages/verify/src/internal/DuePlans.ts"
  },
  lease: {
    every: "5 seconds",
    does: "renews the lease of the process, for 15 s",
    module: "packages/send/src/pipeline/Heartbeat.ts"
  },
  carriers: {
    every: "5 seconds",
    does: "writes down how the process sees its carriers, for `carrier list`; only where they have names",
    module: "packages/send/src/routes/CarrierStates.ts"
  },
  rehearsals: {
    every: "5 seconds",
    does: "takes rehearsals that an operator has asked for by `carrier try`; only where a live gateway is",
    module: "packages/send/src/rehearsal/Rehearsals.ts"
  },
  "sends of dead processes": {
    every: "10 seconds",
    does: "makes deliveries `unknown` whose owner has no lease",
    module: "packages/send/src/pipeline/Reconciler.ts"
  },
  "calls of dead processes": {
    every: "10 seconds",
    does: "ends calls that a dead process has left ringing",
    module: "packages/call/src/internal/CallRecovery.ts",
    clusterOnly: true
  },
  traffic: {
    every: "10 seconds",
    does: "adds to the roll-up of traffic what this process has changed",
    module: "packages/operator/src/insight/traffic/Rollup.ts"
  },
  "figures of carriers": {
    every: "1 minute",
    does: "reads how carriers convert over all servers, where a route that chooses the best has asked for it",
    module: "packages/send/src/routes/SharedFigures.ts"
  },
  reconciliation: {
    every: "1 minute",
    does: "the same as for dead processes, releases sends that stay unknown for a day, sweeps expired claims and counters",
    module: "packages/send/src/pipeline/Reconciler.ts"
  },
  retention: {
    every: "1 minute",
    does: "deletes old records, takes texts out of them",
    module: "packages/operator/src/privacy/Retention.ts"
  },
  "sandbox events": {
    every: "1 minute",
    does: "catches up on receipts of the sandbox",
    module: "packages/send/src/sandbox/SandboxCatchUp.ts",
    clusterOnly: true
  }
} as const satisfies Readonly<Record<string, Job>>

export type Name = keyof typeof jobs

/**
 * Runs a job until its scope closes, where services may. A pass that fails is logged, and the next one follows all the same.
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
