/**
 * A store whose steps are measured: how long open, close and report take to commit, how often they fail, and the statuses
 * and delays of the reports that they write.
 */
import { type Report, type Reported, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metrics from "./Metrics.ts"

const commits = Metrics.histogram(
  "watchword_store_commit_seconds",
  "Time that steps of the store take, from the call to the commit, by step.",
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
)

const failures = Metrics.counter("watchword_store_errors_total", "Steps of the store that failed, by step and reason.")

const statuses = Metrics.counter(
  "watchword_delivery_statuses_total",
  "Statuses that deliveries reached by receipts and other reports, by channel, mode and status."
)

const delays = Metrics.histogram(
  "watchword_receipt_delay_seconds",
  "Time from the send to the report that moved its status, by channel, mode and status.",
  [0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 86_400]
)

/** Verifications are records too, and have metrics of their own. */
const VERIFICATION = "verify"

/** The store of the context, measured. */
export const layer: Layer.Layer<Store, never, Store> = Layer.effect(
  Store,
  Effect.gen(function* () {
    const store = yield* Store
    const context = yield* Effect.context<never>()
    const clock = yield* Clock.Clock
    const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e9

    const timed = <A>(step: string, effect: Effect.Effect<A, StoreError>): Effect.Effect<A, StoreError> =>
      Effect.suspend(() => {
        const began = now()
        return Effect.tapError(
          Effect.map(effect, (answer) => {
            commits({ step }, Math.max(0, now() - began), context)
            return answer
          }),
          ({ reason }) => Effect.sync(() => failures({ step, reason }, 1, context))
        )
      })

    return Store.of({
      ...store,
      open: (open) => timed("open", store.open(open)),
      close: (close) => timed("close", store.close(close)),
      report: (report) =>
        Effect.map(timed("report", store.report(report)), (reported) => {
          countStatus(report, reported, context)
          return reported
        })
    })
  })
)

const countStatus = ({ at, status }: Report, reported: Reported, context: Context.Context<never>): void => {
  if (status === null || reported._tag !== "Moved") return
  const { channel, createdAt, mode, status: reached, statusAt } = reported.delivery
  if (channel === VERIFICATION || reached.name !== status.name || statusAt !== at) return
  const labels = { channel, mode, status: reached.name }
  statuses(labels, 1, context)
  delays(labels, Math.max(0, statusAt - createdAt) / 1000, context)
}
