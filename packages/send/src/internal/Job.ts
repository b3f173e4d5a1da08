/**
 * Periodic jobs of a service. Each is run by every process that serves on a store, and does nothing that another has done:
 * ARCHITECTURE.md lists them. Where services may not work without a request, `Maintenance.run` does the same.
 */
import * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import { BackgroundAllowed } from "./Background.ts"

export interface Job<E, R> {
  /** What the log calls it, such as `retention`. */
  readonly name: string
  /** How long it waits before the first pass, and between two. */
  readonly every: Duration.Input
  readonly run: Effect.Effect<unknown, E, R>
}

/** Runs a job until its scope closes, where services may. A pass that fails is logged, and the next one follows all the same. */
export const keep = Effect.fnUntraced(function* <E, R>({
  every,
  name,
  run
}: Job<E, R>): Effect.fn.Return<void, never, R | Scope> {
  if (!(yield* BackgroundAllowed)) return
  yield* run.pipe(
    Effect.catchCause((cause) => logged(name, cause)),
    Effect.schedule(Schedule.spaced(every)),
    Effect.forkScoped
  )
})

const logged = (job: string, cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.void
    : Effect.annotateLogs(Effect.logError("a periodic job failed; it is tried again", cause), { job })
