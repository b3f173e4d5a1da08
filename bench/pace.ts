/**
 * How a link finds out how fast its carrier is: carriers of 5, 20 and 200 texts a second that show their limit only by
 * throttling, quiet periods with a text every five seconds, and a burst every minute of as many texts as the carrier
 * takes in five seconds; then a quiet link that is throttled once before a hundred texts, and a carrier that throttles
 * every hundredth text. The clock is simulated, so a round is the same on every machine.
 *
 * For comparison: the rule of releases up to 2026-11, and a fixed rate that an operator has guessed at 50 a second.
 *
 * `npm run bench -- pace [--minutes=30] [--seconds=5] [--json[=file]]`
 */
import { RateLimiter } from "@watchword/send/gateway"
import * as Pacing from "../test/pacing.ts"
import { fixed, halving } from "./rivals/pace.ts"
import { figure, numberOption, say, table, writeJson } from "./support/report.ts"

const minutes = numberOption("minutes", 30)
const seconds = numberOption("seconds", 5)
/** When the first bursts are over and the steady state begins. */
const STEADY = 2 * 60_000

const throttles = (isThrottled: (number: number) => boolean) => (): Pacing.Carrier => {
  let count = 0
  return () => !isThrottled(++count)
}

const scenarios = [
  ...[5, 20, 200].flatMap((rate) => [
    { name: `${rate} in each second`, carrier: () => Pacing.bySecond(rate, 370), bursts: rate * seconds },
    { name: `${rate} in any second`, carrier: () => Pacing.bySlidingSecond(rate), bursts: rate * seconds }
  ]),
  { name: "throttles one text once", carrier: throttles((number) => number === 2), bursts: null },
  { name: "throttles each hundredth", carrier: throttles((number) => number % 100 === 0), bursts: 200 }
]

const limiters = [
  { name: "RateLimiter", make: (): Pacing.Limiter => new RateLimiter(null) },
  { name: "the rule before", make: halving },
  { name: "50 a second", make: () => fixed(50) }
]

const quietThenBurst = [0, 1000, ...Array.from({ length: 100 }, () => 4000)]

const results = scenarios.flatMap(({ bursts, carrier, name: scenario }) =>
  limiters.map(({ make, name: limiter }) => {
    const arrivals = bursts === null ? quietThenBurst : Pacing.bursts(minutes, bursts)
    const ran = Pacing.run({ limiter: make(), carrier: carrier(), arrivals })
    return {
      scenario,
      limiter,
      texts: ran.texts.length,
      lost: Pacing.lost(ran),
      throttled: 100 * Pacing.throttledShare(ran, bursts === null ? 0 : STEADY),
      median: Pacing.delay(ran, 0.5),
      p99: Pacing.delay(ran, 0.99)
    }
  })
)

say(
  `${minutes} minutes on a simulated clock, bursts of ${seconds} s of the carrier's rate; texts wait for ten seconds\n`
)
say(
  table(
    ["carrier", "limiter", "texts", "refused", "throttled %", "median ms", "p99 ms"],
    results.map(({ limiter, lost, median, p99, scenario, texts, throttled }) => [
      scenario,
      limiter,
      ...[texts, lost, throttled, median, p99].map(figure)
    ])
  )
)
writeJson({ bench: "pace", minutes, seconds, results })
