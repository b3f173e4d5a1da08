import { measureGateways } from "../src/internal/Metrics.ts"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"

it.effect("each connection of a gateway has gauges of its own", () =>
  Effect.gen(function* () {
    yield* measureGateways([
      { name: "sms:one", up: true, window: { used: 3, size: 10 } },
      { name: "sms:two", up: false, rate: 2.5 }
    ])
    const lines = (yield* PrometheusMetrics.format()).split("\n").filter((line) => !line.startsWith("#"))
    expect(lines.filter((line) => line !== "").sort()).toEqual([
      'watchword_gateway_learned_rate{gateway="sms:two"} 2.5',
      'watchword_gateway_up{gateway="sms:one"} 1',
      'watchword_gateway_up{gateway="sms:two"} 0',
      'watchword_gateway_window_size{gateway="sms:one"} 10',
      'watchword_gateway_window_used{gateway="sms:one"} 3'
    ])
  }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
)
