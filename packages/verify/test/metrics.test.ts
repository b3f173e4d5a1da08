import { assert, describe, it } from "@effect/vitest"
import * as TestNumbers from "../src/operator/TestNumbers.ts"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { SMS, cancel, check, codeOf, inWorld, number, principal, start } from "./fixture.ts"

const withoutOthers = Effect.provideServiceEffect(
  Metric.MetricRegistry,
  Effect.sync((): Metric.MetricRegistry => new Map())
)

describe("metrics of verifications", () => {
  it.effect("count starts and ends by country, status and reason, and none of a test number", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const first = yield* start(by, SMS)
        yield* check(by, first, codeOf(world))
        yield* cancel(by, yield* start(by, SMS))
        yield* TestNumbers.add(by.account.id, { number, code: "424242", until: new Date("1970-01-01T00:10:00Z") }, true)
        yield* check(by, yield* start(by, SMS), "424242")
        const text = yield* PrometheusMetrics.format()
        assert.sameMembers(
          text.split("\n").filter((line) => line.startsWith("watchword_verifications_")),
          [
            'watchword_verifications_started_total{mode="live",country="DE"} 2',
            'watchword_verifications_ended_total{mode="live",country="DE",status="approved",reason="none"} 1',
            'watchword_verifications_ended_total{mode="live",country="DE",status="canceled",reason="none"} 1'
          ]
        )
      })
    ).pipe(withoutOthers)
  )
})
