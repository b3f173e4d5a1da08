/**
 * The store as the service sees it: one that counts and times its steps, and tells subscribers of what they have changed.
 *
 * A step pays for its metrics, and for those who hear of it. Nothing is run where no subscriber is, or where a delivery has no
 * endpoint that learns of it.
 */
import type { Delivery } from "@watchword/store/Delivery"
import {
  type Before,
  type Closed,
  type Open,
  type Opened,
  type Report,
  type Reported,
  Store
} from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Scope } from "effect/Scope"
import { DeliveryChanges, type OnChange, type OnReturned, type Subscriber } from "./DeliveryChanges.ts"
import * as StoreMetrics from "./StoreMetrics.ts"

/** What a step has to run after it, or null for nothing. */
type After = Effect.Effect<void> | null

/** The store of the context, observed. */
export const layer: Layer.Layer<DeliveryChanges | Store, never, Store> = Layer.effectContext(
  Effect.gen(function* () {
    const store = yield* Store
    const { commits, countStatus, failures } = yield* StoreMetrics.make
    const clock = yield* Clock.Clock
    const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e9
    const subscribers = new Set<Subscriber>()
    const returns = new Set<OnReturned>()
    const wakes = new Set<Effect.Effect<void>>()
    const listeners = new Set<OnChange>()
    const sandbox = new Set<(delivery: Delivery) => void>()

    const changed = (before: Before | null, delivery: Delivery): After => {
      let after: After = null
      try {
        for (const hear of listeners) after = both(after, hear(before, delivery))
      } catch (cause) {
        return failed(cause)
      }
      return after
    }

    const tell = (delivery: Delivery, isLeft: boolean): After =>
      each(subscribers, (subscriber) => subscriber(delivery, isLeft))

    const returned = (delivery: Delivery): After =>
      delivery.phase === "rejected" || delivery.phase === "refunded"
        ? each(returns, (subscriber) => subscriber(delivery))
        : null

    const woken = (): After => each(wakes, (wake) => wake)

    const written = ({ watch }: Delivery): After => (watch === null ? null : woken())

    /** A step with its metrics, and with what follows from its answer. */
    const observed = <A>(
      name: string,
      step: Effect.Effect<A, StoreError>,
      after: (answer: A) => After
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
            return followed(answer, after(answer))
          }
        })
      })

    /** Has those hear of a delivery that follow the sandbox. */
    const hear = (delivery: Delivery): void => {
      if (sandbox.size > 0 && delivery.mode === "sandbox") for (const each of sandbox) each(delivery)
    }

    const afterOpen = (open: Open): ((answer: Opened) => After) => {
      const after = mayBeNews(open) ? woken : nothing
      const isClosed = open.close !== undefined && listeners.size > 0
      if (sandbox.size === 0 && !isClosed) return after
      return (answer) => {
        if (answer._tag !== "Opened") return after()
        hear(answer.delivery)
        // A repeated open answers the record as it is, which was heard of before.
        const isNew = isClosed && answer.delivery.createdAt === open.at
        return isNew ? both(changed(null, answer.delivery), after()) : after()
      }
    }

    const afterClose = (answer: Closed): After => {
      if (answer._tag === "Missing") return null
      const { before, delivery } = answer
      const counted = changed(before, delivery)
      if (answer._tag !== "Closed") return counted
      hear(delivery)
      return both(counted, both(written(delivery), returned(delivery)))
    }

    const afterReport = (report: Report, answer: Reported): After => {
      countStatus(report, answer)
      if (answer._tag !== "Moved" && answer._tag !== "Unchanged") return null
      const { before, delivery } = answer
      const counted = changed(before, delivery)
      hear(delivery)
      const moved = answer._tag === "Moved" ? both(returned(delivery), written(delivery)) : null
      return both(counted, both(moved, tell(delivery, false)))
    }

    const service = Store.of({
      ...store,
      open: (open) => observed("open", store.open(open), afterOpen(open)),
      close: (close) => observed("close", store.close(close), afterClose),
      report: (report) => observed("report", store.report(report), (answer) => afterReport(report, answer)),
      appendEvents: (events) => Effect.flatMap(store.appendEvents(events), (answer) => followed(answer, woken())),
      replayEvents: (query) => Effect.flatMap(store.replayEvents(query), (answer) => followed(answer, woken()))
    })

    const changes = DeliveryChanges.of({
      subscribe: (subscriber) => inSet(subscribers, subscriber),
      onReturned: (subscriber) => inSet(returns, subscriber),
      onSandbox: (hear) => {
        sandbox.add(hear)
        return () => void sandbox.delete(hear)
      },
      onChange: (hear) => inSet(listeners, hear),
      onEvents: (wake) => inSet(wakes, wake),
      closedLater: (closed) => followed(undefined, closed._tag === "Closed" ? tell(closed.delivery, true) : null)
    })

    return Context.add(Context.make(DeliveryChanges, changes), Store, service)
  })
)

/** Whether an open may write events: one that waits for its gateway is news where it leaves little money alone. */
const mayBeNews = ({ close, watch }: Open): boolean =>
  watch !== undefined && (close !== undefined || watch.balanceLow !== undefined)

const nothing = (): After => null

const both = (first: After, second: After): After =>
  first === null || second === null ? (first ?? second) : Effect.andThen(first, second)

const followed = <A>(answer: A, after: After): Effect.Effect<A> =>
  after === null ? Effect.succeed(answer) : Effect.as(after, answer)

/** Runs what each of the listeners makes of a step. A step that is stored has succeeded, whatever they do. */
const each = <A>(listeners: ReadonlySet<A>, run: (listener: A) => Effect.Effect<void>): After =>
  listeners.size === 0
    ? null
    : Effect.forEach([...listeners], (listener) => Effect.catchCause(run(listener), failed), { discard: true })

const inSet = <A>(set: Set<A>, member: A): Effect.Effect<void, never, Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => set.add(member)),
      () => Effect.sync(() => set.delete(member))
    )
  )

const failed = (cause: unknown): Effect.Effect<void> =>
  Effect.logError("a subscriber to changes of deliveries failed", cause)
