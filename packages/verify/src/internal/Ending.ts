/**
 * Ends of verifications by their client: cancellation, and the outcome that a client saw by means of its own.
 */
import { Conflict, NotFound } from "@watchword/schemas/Errors"
import { E164, masked } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import type { ReportVerification } from "@watchword/schemas/Verification"
import { REVEALED_CALLER } from "@watchword/schemas/Call"
import { forkBackground } from "@watchword/send/pipeline"
import { SendGuard } from "@watchword/send/SendGuard"
import { Store, about } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import type { Codes } from "./Codes.ts"
import * as Ends from "./plan/Ends.ts"
import { type Attempt, isCall, isPending, lookAfterEnd, nextLook, unopened } from "./plan/Plan.ts"
import type { Plans } from "./Plans.ts"
import type { PlanRunner } from "./PlanRunner.ts"
import { toId, toWireId } from "./VerificationFormat.ts"
import type { Stored } from "./VerificationRecord.ts"

export interface Ending {
  readonly find: (principal: Principal, id: string) => Effect.Effect<Stored, NotFound | StoreError>

  /** A verification as it is now: one whose time is over has expired, whether a process has noticed or not. */
  readonly get: (principal: Principal, id: string) => Effect.Effect<Stored, NotFound | StoreError>

  /** Ends a verification, and takes back what may not have been read. */
  readonly cancel: (principal: Principal, id: string) => Effect.Effect<Stored, NotFound | Conflict | StoreError>

  readonly report: (
    principal: Principal,
    id: string,
    body: ReportVerification
  ) => Effect.Effect<Stored, NotFound | Conflict | StoreError>

  /**
   * Revokes the sends that an ended verification no longer needs, and updates its plan from the records of its sends.
   * Nothing if that is done.
   */
  readonly settled: (principal: Principal, ended: Stored) => Effect.Effect<Stored, StoreError>

  /** What follows the end of a verification, in the background. */
  readonly ended: (principal: Principal, stored: Stored) => Effect.Effect<void>
}

export const make = Effect.fnUntraced(function* (parts: {
  readonly plans: Plans
  readonly codes: Codes
  readonly runner: PlanRunner
}): Effect.fn.Return<Ending, never, Scope | SendGuard | Store> {
  const { codes, plans, runner } = parts
  const store = yield* Store
  const scope = yield* Effect.scope
  const guard = yield* SendGuard

  const find: Ending["find"] = ({ account, mode }, id) => {
    const known = toId(id)
    if (Option.isNone(known)) return Effect.fail(noVerification())
    return Effect.flatMap(plans.find({ account: account.id, mode }, known.value), (found) =>
      Option.isSome(found) ? Effect.succeed(found.value) : Effect.fail(noVerification())
    )
  }

  const get: Ending["get"] = Effect.fnUntraced(function* (principal, id) {
    const stored = yield* find(principal, id)
    const after = yield* plans.change(stored, ({ plan }, at) => Effect.succeed(unopened(Ends.expired(plan, at))))
    return after.stored
  })

  const cancel: Ending["cancel"] = Effect.fnUntraced(function* (principal, id) {
    const first = yield* find(principal, id)
    const { stored } = yield* plans.change(first, ({ plan }, at) =>
      Effect.succeed(unopened(Ends.canceled(Ends.expired(plan, at), at)))
    )
    if (stored.plan.status === "approved")
      return yield* new Conflict({ message: "This verification is approved.", reason: "approved" })
    return isPending(first.plan) ? yield* settled(principal, stored) : stored
  }, Effect.uninterruptible)

  const settled: Ending["settled"] = Effect.fnUntraced(function* (principal, ended) {
    if (ended.plan.dueAt === null) return ended
    yield* runner.withdraw(principal, ended)
    const { stored } = yield* plans.change(ended, noted)
    return stored
  })

  /**
   * Updates the plan from the records of its sends, for example with a refunded price. It is settled by a look that
   * learns nothing: a receipt may come between the reading of a record and the writing of the plan. A call whose
   * process died is closed, and stays one of unknown outcome: no later look learns more of it.
   */
  const noted = Effect.fnUntraced(function* (stored: Stored, at: number) {
    let { plan } = stored
    const undecided: Array<Attempt> = []
    for (const [number, attempt] of plan.attempts.entries()) {
      const seen = yield* runner.observed({ ...stored, plan }, number, at)
      plan = seen.plan
      if (!seen.isLast) undecided.push(attempt)
    }
    const dueAt = plan === stored.plan ? lookAfterEnd({ attempts: undecided }, at) : nextLook({ at }, at)
    return unopened(dueAt === plan.dueAt ? plan : { ...plan, dueAt })
  })

  const report: Ending["report"] = Effect.fnUntraced(function* (principal, id, { status }) {
    const first = yield* find(principal, id)
    const { stored } = yield* plans.change(first, ({ plan }, at) => {
      const now = Ends.expired(plan, at)
      return Effect.succeed(unopened(status === "approved" ? Ends.approved(now, at) : Ends.failed(now, at)))
    })
    if (isPending(first.plan)) yield* ended(principal, stored)
    if (stored.plan.status === status) return stored
    return yield* new Conflict({
      message: `This verification is ${stored.plan.status} already.`,
      reason: "final_status"
    })
  }, Effect.uninterruptible)

  const ended: Ending["ended"] = (principal, stored) => {
    const { dueAt, status } = stored.plan
    const follows = [
      ...(stored.terms.test_number && status === "approved" ? [noticed(principal, stored)] : []),
      ...(guard !== null && status === "approved" ? [proved(guard, principal, stored)] : []),
      ...(dueAt === null ? [] : [Effect.ignore(settled(principal, stored))]),
      ...(status === "approved" && stored.plan.attempts.some(isCall) ? [reveal(stored)] : [])
    ]
    return follows.length === 0 ? Effect.void : forkBackground(Effect.all(follows, { discard: true }), scope)
  }

  /** An approval of a test number proves nothing about its user: it has to be noticed. */
  const noticed = ({ account }: Principal, { delivery: { id, to } }: Stored): Effect.Effect<void> =>
    Effect.logWarning("a test number was approved by its fixed code, and nothing was sent", {
      account: account.id,
      verification: toWireId(id),
      number: masked(to)
    })

  /** Tells the guard of an approved verification. */
  const proved = (
    { verified }: NonNullable<typeof guard>,
    principal: Principal,
    { delivery: { to }, terms }: Stored
  ): Effect.Effect<void> => (terms.test_number || !isE164(to) ? Effect.void : verified({ principal, to }))

  /** Writes the callers of an approved verification, which are no longer secret, into the records of its calls. */
  const reveal = ({ delivery, plan, terms }: Stored): Effect.Effect<void> =>
    Effect.forEach(
      plan.attempts.filter(isCall),
      ({ caller: sealed, delivery: call }) =>
        sealed === null || call === null
          ? Effect.void
          : Effect.gen(function* () {
              const caller = yield* codes.open(delivery.id, terms.secret, sealed)
              yield* store.report(
                about(call, yield* Clock.currentTimeMillis, { details: { [REVEALED_CALLER]: caller } })
              )
            }),
      { discard: true }
    ).pipe(Effect.ignore)

  return { find, get, cancel, report, settled, ended }
})

const isE164 = Schema.is(E164)

export const noVerification = () => new NotFound({ message: "There is no such verification." })
