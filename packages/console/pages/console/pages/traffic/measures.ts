/**
 * The measures of traffic that its chart can show. A further measure is a further line of `MEASURES`.
 */
import { euros } from "../../../kit/channels.ts"
import { count, shortCount } from "../../words.ts"
import { type Line, costOf } from "./figures.ts"

export interface Curve {
  readonly label: string
  /** Null if it has no value. */
  readonly of: (line: Line) => number | null
}

export interface Measure {
  /** Its name in addresses. */
  readonly value: string
  readonly label: string
  /** At most three. The first is compared with the span before. */
  readonly curves: readonly [Curve, ...ReadonlyArray<Curve>]
  readonly write: (value: number) => string
  /** Writes the values of the axis, which has little room; as the others unless given. */
  readonly onAxis?: (value: number) => string
  /** The end of its axis; by its greatest value unless given. */
  readonly most?: number
  /** The least step of its axis, such as 1 for counts. */
  readonly step?: number
  /** The value for times without sends; no value unless given. */
  readonly none?: number
}

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

const percent = (value: number): string => `${Math.round(100 * value)} %`

const seconds = (value: number): string => `${value.toLocaleString("en")} s`

const counts = { write: count, onAxis: shortCount, step: 1, none: 0 } as const

/** Amounts of money on an axis, which has little room. */
const shortEuros = (value: number): string =>
  value !== 0 && Math.abs(value) < 10 ? euros(value) : `${value < 0 ? "-" : ""}€${shortCount(Math.abs(value))}`

const money = { write: (value: number) => euros(value), onAxis: shortEuros } as const

const one = (label: string, of: Curve["of"]): Measure["curves"] => [{ label, of }]

/** The first is shown unless another is chosen. */
export const MEASURES: readonly [Measure, ...ReadonlyArray<Measure>] = [
  {
    value: "conversion",
    label: "Conversion",
    curves: one("Approved", ({ approved, sent }) => ratio(approved, sent)),
    write: percent,
    most: 1
  },
  {
    value: "delivery",
    label: "Delivery",
    curves: one("Delivered", ({ delivered, sent }) => ratio(delivered, sent)),
    write: percent,
    most: 1
  },
  {
    value: "delay",
    label: "Receipt delay",
    curves: [
      { label: "Median", of: ({ delay }) => delay.p50 },
      { label: "95 of 100", of: ({ delay }) => delay.p95 }
    ],
    write: seconds
  },
  { value: "sent", label: "Sent", curves: one("Sent", ({ sent }) => sent), ...counts },
  { value: "blocked", label: "Blocked", curves: one("Blocked", ({ blocked }) => blocked), ...counts },
  { value: "cost", label: "Cost per approved", curves: one("Cost per approved", costOf), ...money },
  {
    value: "margin",
    label: "Margin",
    curves: [
      { label: "Margin", of: ({ margin }) => margin },
      { label: "Price", of: ({ price }) => price },
      { label: "Cost", of: ({ cost }) => cost }
    ],
    ...money,
    none: 0
  }
]
