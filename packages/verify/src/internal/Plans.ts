/**
 * Plans in the store. Every change of a plan is a compare-and-set on its version: of writers that decide at once, in any
 * process, one is first, and the others decide anew on what it wrote.
 */
import type { Mode } from "@watchword/schemas/Channel"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import * as Background from "@watchword/send/internal/Background"
import type { Delivery } from "@watchword/store/Delivery"
import { Store, about } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import * as Ahead from "./Ahead.ts"
import * as Attempted from "./Attempted.ts"
import { type Change, isPending, unopened } from "./plan/Plan.ts"
import * as VerificationMetrics from "./VerificationMetrics.ts"
import * as Record from "./VerificationRecord.ts"

/** A change of a plan, and of the requests whose repeats are known; without `requests` they stay. */
export interface Decision extends Change {
  readonly requests?: Record.Requests
  /** Whether the change says what the record of the plan's last send says: a plan that reads it later comes to the same. */
  readonly isOnRecord?: boolean
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

  /** The same for a change, as this process remembers it: a write over an older version fails, and is decided again. */
  readonly recall: (partition: Partition, id: DeliveryId) => Effect.Effect<Option.Option<Record.Stored>, StoreError>

  /** A verification of a record that was read, as this process knows it. */
  readonly read: (delivery: Delivery) => Record.Stored

  /** Remembers a verification that was written with a send that is to be opened. */
  readonly follow: (stored: Record.Stored) => void

  /** Whether no other process serves on the store while this one does. */
  readonly isAlone: boolean

  /**
   * Changes a plan. `decide` runs on the plan as it is, and again where another writer was first; with the very plan that
   * it was given nothing is written. What the database learns from the record of a send by itself is remembered only.
   *
   * @param notBefore the least time that it is for `decide`: the store's clock may be ahead of this process's
   */
  readonly change: <E>(
    stored: Record.Stored,
    decide: (stored: Record.Stored, at: number) => Effect.Effect<Decision, E>,
    notBefore?: number
  ) => Effect.Effect<Changed, E | StoreError>
}

export const make: Effect.Effect<Plans, never, Scope | Store> = Effect.gen(function* () {
  const store = yield* Store
  const { countEnd } = yield* VerificationMetrics.make

  const isAlone = (yield* Background.BackgroundAllowed) && !store.manifest.cluster
  const ahead = Ahead.make(isAlone)

  const read: Plans["read"] = (delivery) => ahead.latest(Record.read(delivery))

  const find: Plans["find"] = ({ account, mode }, id) =>
    Effect.map(store.find({ account, mode, channel: Record.PRODUCT, id }), Option.map(read))

  const recall: Plans["recall"] = (partition, id) => {
    const known = ahead.get(id)
    const isOwn = known?.delivery.account === partition.account && known.delivery.mode === partition.mode
    return isOwn ? Effect.succeedSome(known) : find(partition, id)
  }

  /** Writes a plan over the version that it was made of. Answers the verification as it is where another writer was first. */
  const write = Effect.fnUntraced(function* (
    stored: Record.Stored,
    { open, plan, requests = stored.requests }: Decision,
    at: number
  ): Effect.fn.Return<Changed | Record.Stored, StoreError> {
    ahead.forget(stored.delivery.id)
    const ends = isPending(stored.plan) && !isPending(plan)
    const reported = yield* store.report(
      about(stored.delivery.id, at, {
        status: ends ? Record.statusOf(plan) : null,
        when: { version: stored.version },
        details: Record.written(plan, requests, stored.version + 1),
        // The end gives the claim on the number back.
        refund: ends,
        dueAt: plan.dueAt,
        ...Attempted.noteOf(stored.plan, plan)
      })
    )
    if (reported._tag !== "Moved" && reported._tag !== "Unchanged") {
      return yield* Effect.die(new Error("the store lost a verification"))
    }
    const { delivery } = reported
    if (reported._tag === "Unchanged") return read(delivery)
    if (ends) countEnd({ mode: delivery.mode, terms: stored.terms }, plan)
    return { stored: Record.changed(stored, delivery, plan, requests), open }
  })

  const change: Plans["change"] = Effect.fnUntraced(function* (first, decide, notBefore = 0) {
    let stored = ahead.latest(first)
    for (;;) {
      const at = Math.max(notBefore, yield* Clock.currentTimeMillis)
      const decision = yield* decide(stored, at)
      const latest = ahead.latest(stored)
      if (latest !== stored) {
        stored = latest
        continue
      }
      const { plan, requests = stored.requests } = decision
      const isSame = plan === stored.plan && requests === stored.requests
      if (isSame && !(isAhead(stored) && isDue(stored, at))) return { stored, open: null }
      const after = { ...stored, plan }
      if (isLearntLater(stored, decision, at) && ahead.replace(stored, after)) return { stored: after, open: null }
      const written = yield* write(stored, decision, at)
      if ("stored" in written) return written
      stored = written
    }
  })

  // A process that ends in order leaves nothing to be learnt.
  const writeAll = Effect.flatMap(Clock.currentTimeMillis, (at) =>
    Effect.forEach(ahead.all().filter(isAhead), (stored) => Effect.ignore(write(stored, unopened(stored.plan), at)), {
      concurrency: "unbounded",
      discard: true
    })
  )
  yield* Effect.addFinalizer(() => writeAll)

  return { find, recall, read, follow: ahead.follow, isAlone, change }
})

/** Whether a plan is another one in the database, which is due sooner there. */
const isAhead = ({ delivery, plan }: Record.Stored): boolean => plan.dueAt !== delivery.dueAt

/** Whether the plan of the database is due. */
const isDue = ({ delivery: { dueAt } }: Record.Stored, at: number): boolean => dueAt !== null && at >= dueAt

/** Whether the database's plan comes to a change by itself, once it is due. Guesses that are left are listed, and written. */
const isLearntLater = (
  stored: Record.Stored,
  { isOnRecord = false, open, plan, requests = stored.requests }: Decision,
  at: number
): boolean =>
  isOnRecord &&
  open === null &&
  isPending(plan) &&
  plan.checksLeft === stored.plan.checksLeft &&
  requests === stored.requests &&
  !isDue(stored, at)
