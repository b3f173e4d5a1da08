/**
 * The last 24 hours of a channel, hour by hour.
 */
import { useAnswer } from "../../answers.ts"
import type { Output } from "../../api.ts"
import { linkTo } from "../../route.ts"
import { Spark } from "../../Spark.tsx"
import { count } from "../../words.ts"
import { HOUR, pointsOf, spanOf } from "../traffic/figures.ts"

type Rows = Output<"traffic">["rows"]

/** Lines by hour and channel; none until they are known. */
export const useLastDay = (): Rows => {
  const { since } = spanOf(24, HOUR, Date.now())
  const { data } = useAnswer("traffic", { since: new Date(since).toISOString(), by: ["hour", "channel"] })
  return data?.rows ?? []
}

export const LastDay = ({ channel, rows }: { readonly channel: string; readonly rows: Rows }) => {
  const own = rows.filter((row) => row.channel === channel)
  if (own.length === 0) return <span class="soft">–</span>
  const span = spanOf(24, HOUR, Date.now())
  const sent = pointsOf(own, span.since, span).map(({ line }) => line?.sent ?? 0)
  const most = Math.max(...sent)
  const total = sent.reduce((sum, each) => sum + each, 0)
  return (
    <a class="day" href={`${linkTo("traffic")}?channel=${encodeURIComponent(channel)}&measure=sent`}>
      <Spark values={sent} label={`${count(total)} sent in 24 hours, at most ${count(most)} in an hour`} />
    </a>
  )
}
