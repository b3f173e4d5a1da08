/**
 * Figures of traffic: ranked by lost approvals, and as points of a chart.
 */
import type { Output } from "../../api.ts"

export type Line = Output<"traffic">["rows"][number]

export type Sums = Pick<Line, "sent" | "delivered" | "approved">

/**
 * Worst first: by how many approvals fewer a line has than it would have at the rate of all. Channels that no code
 * was entered of, such as texts of an app's own, compare by deliveries.
 */
export const ranked = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const all = sumOf(lines)
  const outcome: keyof Sums = all.approved > 0 ? "approved" : "delivered"
  const rate = all.sent === 0 ? 0 : all[outcome] / all.sent
  const lost = (line: Line): number => rate * line.sent - line[outcome]
  return lines.toSorted((one, other) => lost(other) - lost(one) || other.sent - one.sent)
}

const sumOf = (lines: ReadonlyArray<Sums>): Sums => ({
  sent: lines.reduce((sum, { sent }) => sum + sent, 0),
  delivered: lines.reduce((sum, { delivered }) => sum + delivered, 0),
  approved: lines.reduce((sum, { approved }) => sum + approved, 0)
})

/** A point of a chart. */
export interface Point {
  /** When it begins, ISO 8601. */
  readonly at: string
  /** Its figures; null if nothing was sent. */
  readonly line: Line | null
}

/** In milliseconds. */
export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** A span of time of whole hours or days, the last of which may not be over yet, and the equally long one before it. */
export interface Span {
  /** Milliseconds of a point. */
  readonly length: number
  readonly points: number
  /** Milliseconds since the epoch. */
  readonly before: number
  readonly since: number
}

export const spanOf = (points: number, length: number, now: number): Span => {
  const since = (Math.floor(now / length) - points + 1) * length
  return { length, points, since, before: since - points * length }
}

/** The calendar month before the current one, in UTC, and as many days before it. */
export const lastMonthOf = (now: number): Span => {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const since = Date.UTC(year, month - 1)
  const points = (Date.UTC(year, month) - since) / DAY
  return { length: DAY, points, since, before: since - points * DAY }
}

/** Points of equal length from lines by hour or by day. Times without sends have points too. */
export const pointsOf = (lines: ReadonlyArray<Line>, since: number, { length, points }: Span): ReadonlyArray<Point> => {
  const byTime = new Map(lines.map((line) => [Date.parse(line.hour ?? line.day ?? ""), line]))
  return Array.from({ length: points }, (_, place) => {
    const at = since + place * length
    return { at: new Date(at).toISOString(), line: byTime.get(at) ?? null }
  })
}

/** EUR that one approved number has cost, to a hundredth of a cent; null if no number was approved. */
export const costOf = ({ approved, cost }: Pick<Line, "approved" | "cost">): number | null =>
  approved === 0 ? null : Math.round((cost / approved) * 10_000) / 10_000
