/**
 * How sends do: their course over time against the span before, and where they do worst.
 */
import { useSignal } from "@preact/signals"
import { Choice } from "../../kit/Choice.tsx"
import { Segmented } from "../../kit/Segmented.tsx"
import { Answered } from "../Answered.tsx"
import { useAnswer } from "../answers.ts"
import type { Input } from "../api.ts"
import { By, ByAccount } from "../filters/Filters.tsx"
import { useValues } from "../filters/values.ts"
import { Glyph } from "../Glyph.tsx"
import { Head, Nothing, Part } from "../Head.tsx"
import { choiceOf } from "../params.ts"
import { param } from "../route.ts"
import { Chart } from "./traffic/Chart.tsx"
import { DAY, HOUR, type Span, lastMonthOf, pointsOf, spanOf } from "./traffic/figures.ts"
import { MEASURES } from "./traffic/measures.ts"
import { Ranking } from "./traffic/Ranking.tsx"
import { Tiles } from "./traffic/Tiles.tsx"

const WINDOWS = [
  { value: "1", label: "24 hours" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "month", label: "Last month" }
] as const

const WAYS = [
  { value: "country,channel,carrier", label: "country, channel and carrier" },
  { value: "country", label: "country" },
  { value: "channel", label: "channel" },
  { value: "carrier", label: "carrier" },
  { value: "account", label: "account" }
] as const

type Way = (typeof WAYS)[number]["value"]

const APART: Readonly<Record<Way, NonNullable<Input<"traffic">["by"]>>> = {
  "country,channel,carrier": ["country", "channel", "carrier"],
  country: ["country"],
  channel: ["channel"],
  carrier: ["carrier"],
  account: ["account"]
}

const MODES = [
  { value: "live", label: "Live" },
  { value: "sandbox", label: "Sandbox" }
] as const

const iso = (at: number): string => new Date(at).toISOString()

/** The filters of the address. */
const useWhere = () => {
  const given = {
    channel: param("channel"),
    country: param("country"),
    carrier: param("carrier"),
    account: param("account")
  }
  const { value: mode } = choiceOf("mode", MODES)
  const where: Omit<Input<"traffic">, "by" | "since" | "until"> = {
    sandbox: mode === "sandbox",
    ...(given.channel !== "" && { channel: given.channel }),
    ...(given.country !== "" && { country: given.country }),
    ...(given.carrier !== "" && { carrier: given.carrier }),
    ...(given.account !== "" && { account_id: given.account })
  }
  return { options: useValues(given), where }
}

export const Traffic = () => {
  const days = choiceOf("days", WINDOWS)
  // A month that is over is looked at for its money, next to the invoices of carriers.
  const isMonth = days.value === "month"
  const way = choiceOf("by", WAYS, isMonth ? "carrier" : undefined)
  const chosen = choiceOf("measure", MEASURES, isMonth ? "margin" : undefined)
  const { options, where } = useWhere()
  const opened = useSignal(Date.now())
  const isHourly = days.value === "1"
  const span = spanOfWindow(days.value, opened.value)
  // The span before ends as early as this one, which may not be over yet.
  const ends = isMonth ? { until: iso(span.since + span.points * span.length) } : {}
  const now = { ...where, since: iso(span.since), ...ends }
  const end = isMonth ? span.since : opened.value - span.points * span.length
  const then = { ...where, since: iso(span.before), until: iso(end) }
  const course = useAnswer("traffic", { ...where, since: iso(span.before), ...ends, by: [isHourly ? "hour" : "day"] })
  const places = useAnswer("traffic", { ...now, by: APART[way.value] })
  const placesBefore = useAnswer("traffic", { ...then, by: APART[way.value] })
  const measure = MEASURES.find(({ value }) => value === chosen.value) ?? MEASURES[0]
  return (
    <>
      <Head title="Traffic" says="How many codes arrive and are entered, and where the rates are lowest.">
        <button type="button" class="button" onClick={() => (opened.value = Date.now())}>
          <Glyph name="again" />
          <span>Refresh</span>
        </button>
      </Head>
      <div class="filters">
        <Segmented label="Time" name="days" {...days} />
      </div>
      <div class="filters" role="group" aria-label="Filter">
        <By label="Country" name="country" options={options.country} />
        <By label="Channel" name="channel" options={options.channel} />
        <By label="Carrier" name="carrier" options={options.carrier} />
        <ByAccount options={options.account} />
        <By label="Mode" name="mode" options={MODES} />
      </div>
      <Answered answer={course} lines={4}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Nothing title="Nothing was sent in this period">
              <p>Choose a longer period, other filters, or the sandbox.</p>
            </Nothing>
          ) : (
            <Part title={measure.label} says={isHourly ? BY_HOUR : BY_DAY}>
              <Tiles
                line={places.data?.total}
                before={placesBefore.data?.total}
                value={chosen.value}
                choose={chosen.choose}
              />
              <Chart
                measure={measure}
                length={span.length}
                points={pointsOf(rows, span.since, span)}
                before={pointsOf(rows, span.before, span)}
              />
            </Part>
          )
        }
      </Answered>
      <Answered answer={places} lines={4}>
        {({ rows, total }) =>
          rows.length > 0 && (
            <Part
              title="Worst first"
              says="By approvals below the average rate; the span before is in brackets"
              acts={<Choice label="By" {...way} />}
            >
              <Ranking lines={rows} before={placesBefore.data?.rows ?? []} total={total} />
            </Part>
          )
        }
      </Answered>
    </>
  )
}

const spanOfWindow = (days: (typeof WINDOWS)[number]["value"], now: number): Span => {
  if (days === "month") return lastMonthOf(now)
  return days === "1" ? spanOf(24, HOUR, now) : spanOf(Number(days), DAY, now)
}

const BY_HOUR = "By hour, against the 24 hours before"
const BY_DAY = "By day, in UTC, against as many days before"
