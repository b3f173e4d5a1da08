/**
 * Metrics whose series are bounded: labels are channels, modes, outcomes and countries, never accounts or numbers.
 *
 * A series is made with its first value and kept, so that an update costs a look into a map.
 *
 * Source: https://prometheus.io/docs/practices/naming/
 */
import type * as Context from "effect/Context"
import * as Metric from "effect/Metric"

export interface Labels {
  readonly [name: string]: string
}

/** Adds a value to the series of some labels, which come in the same order each time. */
export type Update = (labels: Labels, value: number, context: Context.Context<never>) => void

/** A counter, named `watchword_…_total`. */
export const counter = (name: string, description: string): Update =>
  seriesOf((attributes) => Metric.counter(name, { description, attributes, incremental: true }))

/** A histogram of seconds, named `watchword_…_seconds`. */
export const histogram = (name: string, description: string, boundaries: ReadonlyArray<number>): Update =>
  seriesOf((attributes) => Metric.histogram(name, { description, attributes, boundaries }))

const seriesOf = <State>(make: (labels: Labels) => Metric.Metric<number, State>): Update => {
  const series = new Map<string, Metric.Metric<number, State>>()
  return (labels, value, context) => {
    const key = Object.values(labels).join(" ")
    let metric = series.get(key)
    if (metric === undefined) {
      metric = make(labels)
      series.set(key, metric)
    }
    metric.updateUnsafe(value, context)
  }
}

/** How many countries a process tells apart; an attacker who sends to all of them adds no more series. */
const MOST_COUNTRIES = 60

const countries = new Set<string>()

/**
 * A country, by its ISO 3166-1 alpha-2 code, as a label: `none` for numbers of no country, and `other` for countries after
 * the first 60 of the process.
 */
export const countryLabel = (country: string | null): string => {
  const label = country ?? "none"
  if (countries.has(label)) return label
  if (countries.size >= MOST_COUNTRIES) return "other"
  countries.add(label)
  return label
}
