/**
 * Plans in the store. Every change of a plan is a compare-and-set on its version: of writers that decide at once, in
 * any process, one is first, and the others decide again on its result.
 */
import type { Mode } from "@watchword/schemas/Channel"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import { BackgroundAllowed } from "@watchword/send/pipeline"
import { type Report, Store, about } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as AttemptNote from "./AttemptNote.ts"
import { type Change, isPending } from "./plan/Plan.ts"
import * as VerificationMetrics from "./VerificationMetrics.ts"
import * as Record from "./VerificationRecord.ts"

/** A change of a plan, and of the requests whose repeats are known; without `requests` they stay. */
export interface Decision extends Change {
  readonly requests?: Record.Requests
}

/** A verification as a change has left it, and the number of the send that is to be opened. */
export interface Changed {
  readonly stored: Record.Stored
  readonly open: number | null
}

interface Partition {
  readonly account: AccountId
  readonly mode: Mode
}

export interface Plans {
  /** A verification of an account and mode. */
  readonly find: (partition: Partition, id: DeliveryId) => Effect.Effect<Option.Option<Record.Stored>, StoreError>

  /** Whether no other process serves on the store while this one does. */
  readonly isAlone: boolean

  /**
   * Changes a plan. `decide` runs on the plan as it is, and again where another writer was first; with the very plan
   * that it was given nothing is written.
   *
   * @param notBefore the least time that it is for `decide`: the store's clock may be ahead of this process's
   */
  readonly change: <E>(
    stored: Record.Stored,
    decide: (stored: Record.Stored, at: number) => Effect.Effect<Decision, E>,
    notBefore?: number
  ) => Effect.Effect<Changed, E | StoreError>
}

/** The report that writes a plan over the version that it was computed from. */
export const reportOf = (
  stored: Record.Stored,
  { plan, requests }: Pick<Decision, "plan"> & { readonly requests: Record.Requests },
  at: number
): Report => {
  const ends = isPending(stored.plan) && !isPending(plan)
  return about(stored.delivery.id, at, {
    status: ends ? Record.statusOf(plan) : null,
    when: { version: stored.version },
    details: Record.written(plan, requests, stored.version + 1),
    // The end gives the claim on the number back.
    refund: ends,
    dueAt: plan.dueAt,
    ...AttemptNote.noteOf(stored.plan, plan)
  })
}

export const make: Effect.Effect<Plans, never, Store> = Effect.gen(function* () {
  const store = yield* Store
  const { countEnd } = yield* VerificationMetrics.make

  const isAlone = (yield* BackgroundAllowed) && !store.manifest.cluster

  const find: Plans["find"] = ({ account, mode }, id) =>
    Effect.map(store.find({ account, mode, channel: Record.PRODUCT, id }), Option.map(Record.read))

  /**
   * Writes a plan over the version that it was computed from. Answers the verification as it is where another writer
   * was first.
   */
  const write = Effect.fnUntraced(function* (
    stored: Record.Stored,
    { open, plan, requests = stored.requests }: Decision,
    at: number
  ): Effect.fn.Return<Changed | Record.Stored, StoreError> {
    const reported = yield* store.report(reportOf(stored, { plan, requests }, at))
    if (reported._tag !== "Moved" && reported._tag !== "Unchanged") {
      return yield* Effect.die(new Error("the store lost a verification"))
    }
    const { delivery } = reported
    if (reported._tag === "Unchanged") return Record.read(delivery)
    if (isPending(stored.plan) && !isPending(plan)) countEnd({ mode: delivery.mode, terms: stored.terms }, plan)
    return { stored: Record.changed(stored, delivery, plan, requests), open }
  })

  const change: Plans["change"] = Effect.fnUntraced(function* (first, decide, notBefore = 0) {
    let stored = first
    for (;;) {
      const at = Math.max(notBefore, yield* Clock.currentTimeMillis)
      const decision = yield* decide(stored, at)
      const { plan, requests = stored.requests } = decision
      if (plan === stored.plan && requests === stored.requests) return { stored, open: null }
      const written = yield* write(stored, decision, at)
      if ("stored" in written) return written
      stored = written
    }
  })

  return { find, isAlone, change }
})
