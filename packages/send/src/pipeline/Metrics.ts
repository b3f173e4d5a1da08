/**
 * Metrics whose series are bounded: labels are channels, modes, outcomes and countries, never accounts or numbers.
 *
 * A metric is bound to the context of a service when that is made, and leads from label to label to a series, which is
 * made once. An update costs a look into a map for each label.
 *
 * ```ts
 * const sends = by("channel", by("mode", counter("app_sends_total", "Sends by channel and mode.")))(context)
 * sends("sms")("live")(1)
 * ```
 *
 * Source: https://prometheus.io/docs/practices/naming/
 */
import type * as Context from "effect/Context"
import * as Metric from "effect/Metric"

export type Labels = Readonly<Record<string, string>>

/** Binds a metric to the context of a service. */
export type Bind<Series> = (context: Context.Context<never>, labels?: Labels) => Series

/** Adds to a counter, or a value to a histogram. */
export type Update = (value: number) => void

type Value = string | number

/** Maps the value of a label to its series. */
export type By<Series> = (value: Value) => Series

/** A counter, named `watchword_…_total`. */
export const counter = (name: string, description: string): Bind<Update> =>
  series((attributes) => Metric.counter(name, { description, attributes, incremental: true }))

/** A histogram of seconds, named `watchword_…_seconds`. */
export const histogram = (name: string, description: string, boundaries: ReadonlyArray<number>): Bind<Update> =>
  series((attributes) => Metric.histogram(name, { description, attributes, boundaries }))

const series =
  <State>(make: (attributes: Labels) => Metric.Metric<number, State>): Bind<Update> =>
  (context, labels = {}) => {
    const metric = make(labels)
    return (value) => metric.updateUnsafe(value, context)
  }

/** The series of a metric by the values of a label, each as it is written; the outermost label is the first. */
export const by =
  <Series>(label: string, bind: Bind<Series>, write: (value: Value) => string = String): Bind<By<Series>> =>
  (context, labels) => {
    const known = new Map<Value, Series>()
    return (value) => {
      const found = known.get(value)
      if (found !== undefined) return found
      const made = bind(context, { ...labels, [label]: write(value) })
      known.set(value, made)
      return made
    }
  }

/** How many countries a process tells apart; an attacker who sends to all of them adds no more series. */
const MOST_COUNTRIES = 60

const countries = new Set<string>()

/**
 * A country, by its ISO 3166-1 alpha-2 code, as a label: `none` for numbers of no country, and `other` for countries
 * after the first 60 of the process.
 */
export const countryLabel = (country: string | null): string => {
  const label = country ?? "none"
  if (countries.has(label)) return label
  if (countries.size >= MOST_COUNTRIES) return "other"
  countries.add(label)
  return label
}
