/**
 * Figures of traffic: ranked by lost approvals, and joined into points of a chart.
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

export const sumOf = (lines: ReadonlyArray<Sums>): Sums => ({
  sent: lines.reduce((sum, { sent }) => sum + sent, 0),
  delivered: lines.reduce((sum, { delivered }) => sum + delivered, 0),
  approved: lines.reduce((sum, { approved }) => sum + approved, 0)
})

/** A point of a chart. */
export interface Point extends Sums {
  /** When it begins, ISO 8601. */
  readonly at: string
}

/** In milliseconds. */
export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** Points of equal length from hours, even if nothing was sent. */
export const pointsOf = (
  { rows, since, until }: Pick<Output<"traffic">, "rows" | "since" | "until">,
  length: number
): ReadonlyArray<Point> => {
  const first = Math.floor(Date.parse(since) / length)
  const last = Math.floor((Date.parse(until) - 1) / length)
  const places = new Map<number, Array<Line>>()
  for (const row of rows) {
    const place = Math.floor(Date.parse(row.hour ?? since) / length)
    places.set(place, [...(places.get(place) ?? []), row])
  }
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const place = first + index
    return { at: new Date(place * length).toISOString(), ...sumOf(places.get(place) ?? []) }
  })
}

/** EUR that one approved number has cost; null if no number was approved. */
export const costOf = ({ approved, cost }: Line): number | null => (approved === 0 ? null : cost / approved)
