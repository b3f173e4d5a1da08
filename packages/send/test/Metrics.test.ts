import { assert, describe, it } from "@effect/vitest"
import { Store, about } from "@watchword/store/Store"
import { makeMemory } from "@watchword/store/MemoryStore"
import { StoreError } from "@watchword/store/StoreError"
import * as Metrics from "../src/pipeline/Metrics.ts"
import * as ObservedStore from "../src/pipeline/ObservedStore.ts"
import { Send } from "@watchword/send/Send"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as TestClock from "effect/testing/TestClock"
import { PRICE, layerOn, principalWith, request } from "./fixtures.ts"

const newRegistry = (): Metric.MetricRegistry => new Map()

/** A service whose metrics are in a registry. */
const serviceIn = (registry: Metric.MetricRegistry, store = makeMemory()) =>
  Layer.unwrap(Effect.map(Store, layerOn)).pipe(
    Layer.provide(ObservedStore.layer),
    Layer.provide(Layer.succeed(Store, store)),
    Layer.provide(Layer.succeed(Metric.MetricRegistry, registry))
  )

/** The lines of a registry as Prometheus reads them, without the buckets and sums of histograms. */
const linesOf = (registry: Metric.MetricRegistry) =>
  Effect.map(Effect.provideService(PrometheusMetrics.format(), Metric.MetricRegistry, registry), (text) =>
    text.split("\n").filter((line) => line.startsWith("watchword_") && !/_(bucket|sum|min|max)[{ ]/.test(line))
  )

const sent = Effect.gen(function* () {
  const { send } = yield* Send
  return (yield* send(request(yield* principalWith(PRICE)))).delivery
})

const SEND = 'watchword_sends_total{channel="sms",country="DE",mode="live",outcome="accepted"}'

describe("metrics", () => {
  it.effect("have a send, its receipt and the steps of its store by their labels", () => {
    const registry = newRegistry()
    return Effect.gen(function* () {
      const store = yield* Store
      const { id } = yield* sent
      const report = about(id, 1_000, { status: { name: "delivered", rank: 2 } })
      yield* TestClock.adjust("1 second")
      yield* store.report(report)
      yield* store.report(report)
      assert.sameMembers(yield* linesOf(registry), [
        `${SEND} 1`,
        'watchword_gateway_answer_seconds_count{channel="sms",mode="live",outcome="accepted"} 1',
        'watchword_delivery_statuses_total{channel="sms",mode="live",status="delivered"} 1',
        'watchword_receipt_delay_seconds_count{channel="sms",mode="live",status="delivered"} 1',
        'watchword_store_commit_seconds_count{step="open"} 1',
        'watchword_store_commit_seconds_count{step="close"} 1',
        'watchword_store_commit_seconds_count{step="report"} 2'
      ])
    }).pipe(Effect.provide(serviceIn(registry)))
  })

  it.effect("have a step that failed by its reason, and no time of it", () => {
    const registry = newRegistry()
    const away = Effect.fail(new StoreError({ reason: "Unavailable", message: "away" }))
    return Effect.gen(function* () {
      yield* Effect.flip(sent)
      assert.deepStrictEqual(yield* linesOf(registry), [
        'watchword_store_errors_total{step="open",reason="Unavailable"} 1'
      ])
    }).pipe(Effect.provide(serviceIn(registry, { ...makeMemory(), open: () => away })))
  })

  it.effect("of two services are in the registry of each", () => {
    const [first, second] = [newRegistry(), newRegistry()]
    return Effect.gen(function* () {
      const one = Effect.provide(sent, serviceIn(first))
      const other = Effect.provide(Effect.andThen(sent, sent), serviceIn(second))
      yield* Effect.all([one, other], { concurrency: 2 })
      assert.include(yield* linesOf(first), `${SEND} 1`)
      assert.include(yield* linesOf(second), `${SEND} 2`)
    })
  })

  it.effect("of two services in one registry are one series", () => {
    const registry = newRegistry()
    return Effect.gen(function* () {
      for (let service = 0; service < 2; service++) yield* Effect.provide(sent, serviceIn(registry))
      assert.include(yield* linesOf(registry), `${SEND} 2`)
    })
  })

  it.effect("have the attributes of their context beside their labels", () => {
    const registry = newRegistry()
    const context = Context.make(Metric.MetricRegistry, registry).pipe(
      Context.add(Metric.CurrentMetricAttributes, { region: "eu" })
    )
    Metrics.by("status", Metrics.counter("watchword_answers_total", "Answers."))(context)(204)(3)
    return Effect.map(linesOf(registry), (lines) =>
      assert.deepStrictEqual(lines, ['watchword_answers_total{status="204",region="eu"} 3'])
    )
  })

  it("are made once for each value of a label", () => {
    const made: Array<Metrics.Labels | undefined> = []
    const sends = Metrics.by("channel", (_, labels) => made.push(labels))(Context.empty())
    for (const channel of ["sms", "call", "sms", "call"]) sends(channel)
    assert.deepStrictEqual(made, [{ channel: "sms" }, { channel: "call" }])
  })
})
