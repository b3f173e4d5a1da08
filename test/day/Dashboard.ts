/**
 * The figures of the dashboard, `deploy/grafana/watchword.json`, as lines of text.
 */
import { readFile } from "node:fs/promises"
import * as Schema from "effect/Schema"
import type { Prometheus, Sample } from "./Prometheus.ts"

const Query = Schema.Struct({ expr: Schema.String, legendFormat: Schema.String })

const Panel = Schema.Struct({
  title: Schema.String,
  targets: Schema.optionalKey(Schema.Array(Query)),
  fieldConfig: Schema.optionalKey(
    Schema.Struct({ defaults: Schema.Struct({ unit: Schema.optionalKey(Schema.String) }) })
  )
})

const File = Schema.fromJsonString(Schema.Struct({ panels: Schema.Array(Panel) }))

/** Runs every query of every panel, and returns a line for each panel that has figures. */
export const read = async ({ query }: Prometheus): Promise<ReadonlyArray<string>> => {
  const { panels } = await dashboard
  const lines = panels.map(async ({ fieldConfig, targets = [], title }) => {
    const unit = fieldConfig?.defaults.unit ?? "short"
    const figures = await Promise.all(
      targets.map(async ({ expr, legendFormat }) =>
        (await query(expr))
          .filter(({ value }) => !Number.isNaN(value))
          .map(({ labels, value }) => ({ legend: legendOf(legendFormat, labels), value }))
      )
    )
    return lineOf(title, figures.flat(), unit)
  })
  return (await Promise.all(lines)).filter((line) => line !== null)
}

const dashboard = readFile(new URL("../../deploy/grafana/watchword.json", import.meta.url), "utf8").then(
  Schema.decodeUnknownSync(File)
)

const legendOf = (format: string, labels: Sample["labels"]): string =>
  format.replace(/\{\{(\w+)\}\}/g, (_, name: string) => labels[name] ?? "").trim()

/** The largest figures of a panel; series of several servers with the same legend are listed side by side. */
const lineOf = (
  title: string,
  figures: ReadonlyArray<{ readonly legend: string; readonly value: number }>,
  unit: string
): string | null => {
  if (figures.length === 0) return null
  const byLegend = new Map<string, Array<number>>()
  for (const { legend, value } of figures) byLegend.set(legend, [...(byLegend.get(legend) ?? []), value])
  const texts = [...byLegend]
    .sort(([, a], [, b]) => Math.max(...b) - Math.max(...a))
    .map(([legend, values]) => `${legend} ${values.map((value) => inUnit(value, unit)).join("/")}`)
  return `${title}: ${texts.join(" · ")}`
}

const inUnit = (value: number, unit: string): string => {
  switch (unit) {
    case "ops":
      return `${value.toFixed(2)}/s`
    case "percentunit":
      return `${Math.round(value * 100)} %`
    case "s":
      return value < 1 ? `${Math.round(value * 1000)} ms` : `${value.toFixed(1)} s`
    default:
      return String(Math.round(value * 100) / 100)
  }
}

/** Metrics shown when there is no Prometheus, with the labels that distinguish their series. */
const PLAIN: ReadonlyArray<readonly [name: string, labels: ReadonlyArray<string>]> = [
  ["watchword_sends_total", ["channel", "outcome"]],
  ["watchword_delivery_statuses_total", ["channel", "status"]],
  ["watchword_verifications_ended_total", ["status", "reason"]],
  ["watchword_gateway_up", ["gateway"]],
  ["watchword_open_sends", ["phase"]],
  ["watchword_open_sends_oldest_age_seconds", ["phase"]],
  ["watchword_guard_decisions_total", ["decision", "reason"]],
  ["watchword_events_pending", []],
  ["watchword_events_oldest_age_seconds", []]
]

/** Totals and gauges of `/metrics`, listed side by side for all servers. */
export const readPlain = async (origins: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const pages = await Promise.all(
    origins.map((origin) =>
      fetch(`${origin}/metrics`).then(
        (response) => response.text(),
        () => ""
      )
    )
  )
  const samples = pages.map((page) => [...page.matchAll(/^(\w+?)(?:\{(.*)\})? ([\d.e+-]+)$/gm)])
  return PLAIN.flatMap(([name, labels]) => {
    const figures = samples.flatMap((lines) => {
      const sums = new Map<string, number>()
      for (const [, metric, attributes = "", value] of lines) {
        if (metric !== name) continue
        const legend = labels
          .map((label) => new RegExp(`(?:^|,)${label}="([^"]*)"`).exec(attributes)?.[1] ?? "")
          .join(" ")
        sums.set(legend, (sums.get(legend) ?? 0) + Number(value))
      }
      return [...sums].map(([legend, value]) => ({ legend, value }))
    })
    return lineOf(name, figures, "short") ?? []
  })
}
