/**
 * The course of a measure over time: its curves, and the words for a point.
 */
import { timeOf } from "../../../kit/clock.ts"
import { count } from "../../words.ts"
import { HOUR, type Point } from "./figures.ts"
import type { Measure } from "./measures.ts"

export interface Course {
  readonly measure: Measure
  /** Milliseconds of a point. */
  readonly length: number
  readonly points: ReadonlyArray<Point>
  /** The points of the span before, as many. */
  readonly before: ReadonlyArray<Point>
}

type Look = "first" | "second" | "third" | "before"

/** The looks of the curves behind the first. */
const OTHERS: ReadonlyArray<Look> = ["second", "third"]

/** A curve of the drawing. */
export interface Drawn {
  readonly label: string
  readonly look: Look
  readonly values: ReadonlyArray<number | null>
}

/** The measure that needs no bars below it. */
export const SENT = "sent"

export const curvesOf = ({ before, measure, points }: Course): ReadonlyArray<Drawn> => {
  const [first, ...others] = measure.curves
  const valuesOf = (all: ReadonlyArray<Point>, of: typeof first.of) =>
    all.map(({ line }) => (line === null ? (measure.none ?? null) : of(line)))
  return [
    { label: first.label, look: "first", values: valuesOf(points, first.of) },
    ...OTHERS.flatMap((look, place): ReadonlyArray<Drawn> => {
      const curve = others[place]
      return curve === undefined ? [] : [{ label: curve.label, look, values: valuesOf(points, curve.of) }]
    }),
    { label: `${first.label}, before`, look: "before", values: valuesOf(before, first.of) }
  ]
}

/** When a point begins, in words. */
export const nameOf = (at: string, length: number): string =>
  length === HOUR
    ? `${dayOf(at)}, ${timeOf(at)}`
    : new Date(at).toLocaleDateString([], { day: "numeric", month: "short", weekday: "short", timeZone: "UTC" })

/** The same, as short as an axis has it. */
export const labelOf = (at: string, length: number): string =>
  length === HOUR
    ? timeOf(at)
    : new Date(at).toLocaleDateString([], { day: "numeric", month: "short", timeZone: "UTC" })

const dayOf = (at: string): string => new Date(at).toLocaleDateString([], { day: "numeric", month: "short" })

/** The values of a point, in the order of the curves. */
export const valuesAt = (
  { measure, points }: Course,
  curves: ReadonlyArray<Drawn>,
  place: number
): ReadonlyArray<readonly [look: string, label: string, value: string]> => [
  ...curves.map(({ label, look, values }) => {
    const value = values[place] ?? null
    return [look, label, value === null ? "–" : measure.write(value)] as const
  }),
  ...(measure.value === SENT ? [] : [[SENT, "Sent", count(points[place]?.line?.sent ?? 0)] as const])
]

/** A point in a sentence, for users who cannot see the chart. */
export const saidAt = (given: Course, curves: ReadonlyArray<Drawn>, place: number): string => {
  const values = valuesAt(given, curves, place).map(([, label, value]) => `${label} ${value === "–" ? "none" : value}`)
  return `${nameOf(given.points[place]?.at ?? "", given.length)}: ${values.join("; ")}`
}
