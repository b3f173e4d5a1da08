/**
 * Steps that follow by themselves: after receipts, after time-outs, and after processes that died.
 *
 * What is due is found in the database, by whichever process looks first. A receipt is told in the process that stores it;
 * should that one die before it has changed the plan, the record is read again when the step's timer runs out.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { Principal } from "@watchword/schemas/Principal"
import * as Background from "@watchword/send/Background"
import { DeliveryChanges } from "@watchword/send/DeliveryChanges"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import type { Ending } from "./Ending.ts"
import { type Change, isPending } from "./plan/Plan.ts"
import * as Sends from "./plan/Sends.ts"
import type { Plans } from "./Plans.ts"
import { receiptOf } from "./Receipts.ts"
import type { Stepping } from "./Stepping.ts"
import { type StepOrigin, stepOrigin } from "./StepOrigin.ts"
import * as Record from "./VerificationRecord.ts"

export interface DueSteps {
  /** Takes what is due: next steps, sends of dead processes, and ends of verifications that have expired. */
  readonly pass: Effect.Effect<void, StoreError>
}

/** How many verifications are looked at at a time, and how many are carried on at once. */
const BATCH = 500
const CONCURRENCY = 1_000

export const keep = Effect.fnUntraced(function* (parts: {
  readonly plans: Plans
  readonly stepping: Stepping
  readonly ending: Ending
}): Effect.fn.Return<DueSteps, never, DeliveryChanges | Store | Scope> {
  const { ending, plans, stepping } = parts
  const store = yield* Store
  const scope = yield* Effect.scope
  const changes = yield* DeliveryChanges
  const { options } = stepping

  /** The plan at its time. Before a timer steps on, the record says whether the current send has arrived. */
  const atItsTime = Effect.fnUntraced(function* (
    stored: Record.Stored,
    at: number
  ): Effect.fn.Return<Change, StoreError> {
    const { plan } = stored
    const next = Sends.due(plan, at, options)
    const stepsOn = next.open !== null && next.open >= plan.attempts.length
    if (!stepsOn) return next
    const seen = yield* stepping.observed(stored, plan.attempts.length - 1, at)
    return seen.plan === plan ? next : seen
  })

  const carryOn = Effect.fnUntraced(function* (
    first: Record.Stored,
    decide: (stored: Record.Stored, at: number) => Effect.Effect<Change, StoreError>,
    notBefore: number
  ) {
    const { account: id, mode } = first.delivery
    const account = yield* store.account(id)
    if (Option.isNone(account)) return
    const principal: Principal = { account: account.value.account, mode, key: null, scopes: null }
    const stored = yield* stepping.change(principal, first, decide, notBefore)
    if (isPending(first.plan) && !isPending(stored.plan)) yield* ending.ended(principal, stored)
  }, Effect.uninterruptible)

  const inHand = new Set<DeliveryId>()

  /** Takes what is due of one verification. One that fails is there in the next pass. */
  const take = (delivery: Delivery): Effect.Effect<void> =>
    Effect.suspend(() => carryOn(Record.read(delivery), atItsTime, delivery.dueAt ?? 0)).pipe(
      Effect.catchCause(logged),
      Effect.ensuring(Effect.sync(() => inHand.delete(delivery.id)))
    )

  /**
   * Begins what is due but for what is in hand already, and answers what it has begun: a gateway that is slow for one
   * keeps no other waiting.
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

  /** Takes all that is due, each once. */
  const pass = Effect.gen(function* () {
    const done = new Set<DeliveryId>()
    for (;;) {
      const begun = yield* begin(done)
      yield* Fiber.awaitAll(begun)
      if (begun.length < BATCH) return
    }
  })

  /** Moves a plan by the final receipt of one of its sends. */
  const received = Effect.fnUntraced(function* (delivery: Delivery, { attempt, verification }: StepOrigin) {
    const receipt = receiptOf(delivery)
    if (receipt === null) return
    const found = yield* plans.find(delivery, verification)
    if (Option.isNone(found)) return
    yield* carryOn(found.value, ({ plan }, at) => Effect.succeed(Sends.receipt(plan, attempt, receipt, at, options)), 0)
  })

  yield* changes.subscribe((delivery) =>
    Option.match(stepOrigin(delivery.details), {
      onNone: () => Effect.void,
      onSome: (origin) => Background.fork(Effect.catchCause(received(delivery, origin), logged), scope)
    })
  )

  if (yield* Background.BackgroundAllowed) {
    const tick = Effect.suspend(() => begin(new Set()))
    yield* tick.pipe(Effect.catchCause(logged), Effect.schedule(Schedule.spaced("1 second")), Effect.forkScoped)
  }
  return { pass }
})

const logged = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.void
    : Effect.logError("a verification could not go on; it is tried again", cause)
