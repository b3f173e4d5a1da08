/**
 * The store as the service sees it: it counts and times its steps, and announces them to the listeners of
 * `DeliveryChanges`, which lists everything that runs after a step.
 */
import {
  type Close,
  type Closed,
  type Follow,
  type Followed,
  type Open,
  type Opened,
  type Report,
  type Reported,
  Store
} from "@watchword/store/Store"
import type { Delivery } from "@watchword/store/Delivery"
import type { StoreError } from "@watchword/store/StoreError"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { type Change, DeliveryChanges } from "./DeliveryChanges.ts"
import * as StoreMetrics from "../internal/StoreMetrics.ts"

type Listener = (change: Change) => Effect.Effect<void>

/** The store of the context, observed. */
export const layer: Layer.Layer<DeliveryChanges | Store, never, Store> = Layer.effectContext(
  Effect.gen(function* () {
    const store = yield* Store
    const { follows } = store.manifest
    const { commits, countStatus, failures } = yield* StoreMetrics.make
    const clock = yield* Clock.Clock
    const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e9
    const listeners = new Set<Listener>()
    let rule: Follow | null = null
    /** A request with the rule by which a whole follows its part. */
    const ruled = <A extends Close | Report>(request: A): A =>
      rule === null || !follows ? request : { ...request, follow: rule }

    /** The effects that listeners run after a change. */
    const announced = (change: Change | null): Effect.Effect<void> => {
      let after: Effect.Effect<void> = Effect.void
      if (change !== null) for (const listener of listeners) after = both(after, heard(listener, change))
      return after
    }

    /** A step with its metrics, and with the consequences of its answer. */
    const observed = <A>(
      name: string,
      step: Effect.Effect<A, StoreError>,
      changeOf: (answer: A) => Change | null,
      otherOf: (answer: A) => Change | null
    ): Effect.Effect<A, StoreError> =>
      Effect.suspend(() => {
        const began = now()
        return Effect.matchCauseEffect(step, {
          onFailure: (cause) => {
            const error = Cause.findError(cause)
            if (Result.isSuccess(error)) failures(name)(error.success.reason)(1)
            return Effect.failCause(cause)
          },
          onSuccess: (answer) => {
            commits(name)(now() - began)
            const after = announced(changeOf(answer))
            return answered(answer, both(after, announced(otherOf(answer))))
          }
        })
      })

    const eventsWritten = <A>(answer: A): Effect.Effect<A> =>
      answered(answer, announced({ step: "events", isNews: true }))

    const service = Store.of({
      ...store,
      open: (open) =>
        observed(
          "open",
          store.open(open),
          (answer) => (answer._tag === "Opened" ? openChange(open, answer.delivery) : null),
          (answer) => wholeChange(open, answer)
        ),
      close: (close) => observed("close", store.close(ruled(close)), closeChange, followedChange),
      report: (report) => {
        const counted = (answer: Reported): Change | null => {
          countStatus(report, answer)
          return reportChange(answer)
        }
        return observed("report", store.report(ruled(report)), counted, followedChange)
      },
      appendEvents: (events) => Effect.flatMap(store.appendEvents(events), eventsWritten),
      replayEvents: (query) => Effect.flatMap(store.replayEvents(query), eventsWritten)
    })

    const changes = DeliveryChanges.of({
      onChange: (filter, hear) => {
        const listener: Listener = (change) => (filter(change) ? hear(change) : Effect.void)
        return Effect.asVoid(
          Effect.acquireRelease(
            Effect.sync(() => listeners.add(listener)),
            () => Effect.sync(() => listeners.delete(listener))
          )
        )
      },
      follow: (given) =>
        Effect.asVoid(
          Effect.acquireRelease(
            Effect.sync(() => (rule = given)),
            () => Effect.sync(() => (rule = null))
          )
        ),
      closedLater: (closed) =>
        closed._tag === "Closed"
          ? announced({
              step: "left",
              before: null,
              delivery: closed.delivery,
              hasMoved: true,
              isNews: false,
              isFollowed: (closed.followed ?? null) !== null
            })
          : Effect.void
    })

    return Context.add(Context.make(DeliveryChanges, changes), Store, service)
  })
)

const wholeChange = ({ whole }: Open, answer: Opened): Change | null =>
  answer._tag === "Opened" && answer.whole != null && whole !== undefined ? openChange(whole, answer.whole) : null

const openChange = (open: Open, delivery: Delivery): Change => {
  // A repeated open answers the record as it is.
  const hasMoved = delivery.createdAt === open.at
  return { step: "open", before: null, delivery, hasMoved, isNews: mayBeNews(open), isFollowed: false }
}

/** Whether an open may write events. An open that waits for its gateway is news only if it leaves little money. */
const mayBeNews = ({ close, watch }: Open): boolean =>
  watch !== undefined && (close !== undefined || watch.balanceLow !== undefined)

const closeChange = (answer: Closed): Change | null =>
  answer._tag === "Missing" ? null : change("close", answer, answer._tag === "Closed")

const reportChange = (answer: Reported): Change | null =>
  answer._tag === "Moved" || answer._tag === "Unchanged" ? change("report", answer, answer._tag === "Moved") : null

/** The change of a whole that followed its part. */
const followedChange = (answer: Closed | Reported): Change | null =>
  "followed" in answer && answer.followed != null ? change("report", answer.followed, true) : null

const change = (
  step: "close" | "report",
  answer: Followed & { readonly followed?: Followed | null },
  hasMoved: boolean
): Change => {
  const { before, delivery, followed = null } = answer
  return {
    step,
    before,
    delivery,
    hasMoved,
    isNews: hasMoved && delivery.watch !== null,
    isFollowed: followed !== null
  }
}

/** Runs a listener on a change. A step that is stored has succeeded, whatever the listener does. */
const heard = (listener: Listener, change: Change): Effect.Effect<void> => {
  try {
    const after = listener(change)
    return after === Effect.void ? after : Effect.catchCause(after, failed)
  } catch (cause) {
    return failed(cause)
  }
}

/** Both effects; most steps have nothing to run, and pay for nothing. */
const both = (first: Effect.Effect<void>, second: Effect.Effect<void>): Effect.Effect<void> => {
  if (first === Effect.void) return second
  return second === Effect.void ? first : Effect.andThen(first, second)
}

const answered = <A>(answer: A, after: Effect.Effect<void>): Effect.Effect<A> =>
  after === Effect.void ? Effect.succeed(answer) : Effect.as(after, answer)

const failed = (cause: unknown): Effect.Effect<void> =>
  Effect.logError("a subscriber to changes of deliveries failed", cause)
