/**
 * How sends do: their course over time, and where they do worst.
 */
import { useSignal } from "@preact/signals"
import { Choice } from "../../kit/Choice.tsx"
import { Segmented } from "../../kit/Segmented.tsx"
import { Answered } from "../Answered.tsx"
import { useAnswer } from "../answers.ts"
import type { Input } from "../api.ts"
import { Glyph } from "../Glyph.tsx"
import { Head, Nothing, Part } from "../Head.tsx"
import { Chart } from "./traffic/Chart.tsx"
import { DAY, HOUR, pointsOf } from "./traffic/figures.ts"
import { Ranking } from "./traffic/Ranking.tsx"

const WINDOWS = [
  { value: "1", label: "24 hours" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" }
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

export const Traffic = () => {
  const days = useSignal<(typeof WINDOWS)[number]["value"]>("1")
  const way = useSignal<Way>("country,channel,carrier")
  const mode = useSignal<(typeof MODES)[number]["value"]>("live")
  const opened = useSignal(Date.now())
  const since = new Date(opened.value - Number(days.value) * DAY).toISOString()
  const sandbox = mode.value === "sandbox"
  const course = useAnswer("traffic", { since, sandbox, by: ["hour"] })
  const places = useAnswer("traffic", { since, sandbox, by: APART[way.value] })
  return (
    <>
      <Head title="Traffic" says="How many codes arrive and are entered, and where the rates are lowest.">
        <button type="button" class="button" onClick={() => (opened.value = Date.now())}>
          <Glyph name="again" />
          <span>Refresh</span>
        </button>
      </Head>
      <div class="filters">
        <Segmented
          label="Time"
          name="days"
          value={days.value}
          options={WINDOWS}
          choose={(value) => (days.value = value)}
        />
        <Choice label="Mode" value={mode.value} options={MODES} choose={(value) => (mode.value = value)} />
        <Choice label="By" value={way.value} options={WAYS} choose={(value) => (way.value = value)} />
      </div>
      <Answered answer={course} lines={4}>
        {(answer) =>
          answer.rows.length === 0 ? (
            <Nothing title="Nothing was sent in this period">
              <p>Choose a longer period, or the sandbox.</p>
            </Nothing>
          ) : (
            <Part title="Deliveries and approvals" says={days.value === "1" ? "By hour" : "By day, in UTC"}>
              <Chart points={pointsOf(answer, days.value === "1" ? HOUR : DAY)} />
            </Part>
          )
        }
      </Answered>
      <Answered answer={places} lines={4}>
        {({ rows }) =>
          rows.length > 0 && (
            <Part title="Worst first" says="By approvals below the average rate">
              <Ranking lines={rows} />
            </Part>
          )
        }
      </Answered>
    </>
  )
}
