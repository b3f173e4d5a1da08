/**
 * Steps that follow by themselves: after receipts, after time-outs, and after processes that died.
 *
 * The first process that looks in the database finds due plans. Where the change of a send only moves the plan, the
 * plan follows in the same step, see `Following.ts`. Otherwise the process that stores the change carries on with the
 * plan. Should the process die in between, the gateway repeats its receipt, and the record is read again when the plan
 * is due: while the send is being opened, when its timer runs out, and after the end.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import { type DeliveryChange, DeliveryChanges, forkBackground, isReported, keepJob } from "@watchword/send/pipeline"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import { isOpen } from "@watchword/store/step"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import type { Ending } from "./Ending.ts"
import type { Outages } from "./Outages.ts"
import type { OwnerOf } from "./Owners.ts"
import { isPending, unopened } from "./plan/Plan.ts"
import * as Sends from "./plan/Sends.ts"
import * as Following from "./Following.ts"
import type { Changed, Decision, Plans } from "./Plans.ts"
import type { PlanRunner } from "./PlanRunner.ts"
import { type AttemptOrigin, attemptOrigin } from "./AttemptOrigin.ts"
import * as Record from "./VerificationRecord.ts"

export interface DuePlans {
  /** Processes due work: next steps, sends of dead processes, ends of verifications, and what follows them. */
  readonly pass: Effect.Effect<void, StoreError>
}

type Decide = (stored: Record.Stored, at: number) => Effect.Effect<Decision, StoreError>

/** How many verifications are looked at at a time, and how many are carried on at once. */
const BATCH = 500
const CONCURRENCY = 1_000
const LONGEST_BATCH = "1 second"

export const keep = Effect.fnUntraced(function* (parts: {
  readonly plans: Plans
  readonly runner: PlanRunner
  readonly ending: Ending
  readonly outages: Outages
  readonly ownerOf: OwnerOf
}): Effect.fn.Return<DuePlans, never, DeliveryChanges | Store | Scope> {
  const { ending, outages, ownerOf, plans, runner } = parts
  const store = yield* Store
  const scope = yield* Effect.scope
  const changes = yield* DeliveryChanges
  const { options } = runner

  /** The plan at its time. Before it continues without an answer or a receipt, the record says whether there is one. */
  const atItsTime = Effect.fnUntraced(function* (
    stored: Record.Stored,
    at: number
  ): Effect.fn.Return<Decision, StoreError> {
    const { plan } = stored
    const next = Sends.due(plan, at, options)
    if (next.plan === plan || !isPending(next.plan)) return next
    const seen = yield* runner.observed(stored, plan.attempts.length - 1, at)
    return seen.plan === plan ? next : seen
  })

  /** Changes a plan, whose sends are still to be opened. Plans of a deleted account are not. */
  const changed = (first: Record.Stored, decide: Decide, notBefore?: number): Effect.Effect<Changed, StoreError> =>
    plans.change(
      first,
      (stored, at) =>
        Effect.flatMap(decide(stored, at), (change) => {
          if (change.open === null) return Effect.succeed(change)
          return Effect.flatMap(ownerOf(stored), (principal) =>
            principal === null
              ? Effect.succeed(unopened(stored.plan))
              : runner.withCaller(principal, stored.delivery.id, stored.terms, change)
          )
        }),
      notBefore
    )

  /** Whether a change has a send opened, or is the end of its verification. */
  const isFollowed = (first: Record.Stored, { open, stored }: Changed): boolean =>
    open !== null || (isPending(first.plan) && !isPending(stored.plan))

  /** Opens the sends that a change asks for, and settles an end. */
  const followed = Effect.fnUntraced(function* (first: Record.Stored, changed: Changed) {
    const principal = yield* ownerOf(first)
    if (principal === null) return
    const stored = yield* runner.carryOut(principal, changed)
    if (isPending(first.plan) && !isPending(stored.plan)) yield* ending.ended(principal, stored)
  })

  const carryOn = Effect.fnUntraced(function* (first: Record.Stored, notBefore: number) {
    if (isPending(first.plan)) {
      const after = yield* changed(first, atItsTime, notBefore)
      return isFollowed(first, after) ? yield* followed(first, after) : undefined
    }
    const principal = yield* ownerOf(first)
    if (principal !== null) yield* ending.settled(principal, first)
  }, Effect.uninterruptible)

  const inHand = new Set<DeliveryId>()

  /** Processes the due work of one verification. The next pass repeats a failed one. */
  const take = (delivery: Delivery): Effect.Effect<void> =>
    Effect.suspend(() => carryOn(Record.read(delivery), delivery.dueAt ?? 0)).pipe(
      Effect.catchCause(logged),
      Effect.ensuring(Effect.sync(() => inHand.delete(delivery.id)))
    )

  /**
   * Starts due work that is not yet in progress, and returns the started fibers: a gateway that is slow for one
   * verification delays no other.
   */
  const begin = Effect.fnUntraced(function* (done: Set<DeliveryId>) {
    const due = yield* store.due({ channel: Record.PRODUCT, limit: BATCH })
    const fresh = due.filter(({ id }) => !inHand.has(id) && !done.has(id)).slice(0, CONCURRENCY - inHand.size)
    for (const { id } of fresh) {
      inHand.add(id)
      done.add(id)
    }
    return yield* Effect.forEach(fresh, (delivery) => Effect.forkIn(take(delivery), scope))
  })

  /** Processes all due work, each piece once. */
  const pass = Effect.gen(function* () {
    const done = new Set<DeliveryId>()
    for (;;) {
      const begun = yield* begin(done)
      yield* Fiber.awaitAll(begun)
      if (begun.length < BATCH) return
    }
  })

  /**
   * Moves a plan by the record of one of its sends, and opens what follows in the background. The gateway is answered
   * once the plan has moved, or is due to read the record: where the process dies before, it repeats its receipt.
   */
  const told = Effect.fnUntraced(function* (
    { delivery, step }: DeliveryChange,
    { attempt: number, verification }: AttemptOrigin
  ) {
    const found = Option.getOrNull(yield* plans.find(delivery, verification))
    if (found === null) return
    const after = yield* changed(found, (stored, at) => {
      // The process that asks the gateway reads the record itself, once it has closed it.
      const isAsked = stored.plan.attempts[number]?.outcome === "opening" && step !== "left" && isOpen(delivery)
      return isAsked ? Effect.succeed(unopened(stored.plan)) : runner.observed(stored, number, at)
    })
    if (isFollowed(found, after)) yield* forkBackground(Effect.catchCause(followed(found, after), logged), scope)
  }, Effect.uninterruptible)

  yield* changes.onChange(isReported, (change) => {
    const origin = attemptOrigin(change.delivery.details)
    return origin === null || change.isFollowed ? Effect.void : Effect.catchCause(told(change, origin), logged)
  })
  yield* changes.follow(Following.make(runner))

  /** Starts all due work, in batches: the next batch follows the end of the one before, or a second. */
  const tick = Effect.gen(function* () {
    yield* outages.look
    const done = new Set<DeliveryId>()
    for (;;) {
      const begun = yield* begin(done)
      if (begun.length < BATCH) return
      yield* Effect.timeoutOption(Fiber.awaitAll(begun), LONGEST_BATCH)
    }
  })
  yield* keepJob("steps of verifications", tick)
  return { pass }
})

const logged = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.void
    : Effect.logError("a verification could not continue; it will be retried", cause)
