/**
 * A Prometheus that scrapes the servers and evaluates `deploy/prometheus/alerts.yml`.
 *
 * A day of some minutes needs shorter durations than a real one: `scaled` divides the durations of the rules and of
 * queries by a factor, and leaves the rest of them as it is.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import * as Schema from "effect/Schema"
import { freePort } from "../freePort.ts"

/** By how much durations are shorter. Two minutes become six seconds. */
export const FACTOR = 20

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Rules or a query with durations divided by a factor: `for:`, ranges, and the ages that gauges are compared with. */
export const scaled = (text: string, factor = FACTOR): string => {
  const shorter = (amount: string, unit: string): string =>
    `${Math.round((Number(amount) * (UNITS[unit] ?? 1) * 1000) / factor)}ms`
  return text
    .replace(/for: (\d+)([smhd])/g, (_, amount: string, unit: string) => `for: ${shorter(amount, unit)}`)
    .replace(/\[(\d+)([smhd])\]/g, (_, amount: string, unit: string) => `[${shorter(amount, unit)}]`)
    .replace(
      /(_seconds(?:\{[^}]*\})?\) > )(\d+)/g,
      (_, age: string, seconds: string) => `${age}${Number(seconds) / factor}`
    )
}

const Labels = Schema.Record(Schema.String, Schema.String)

const Value = Schema.Struct({ metric: Labels, value: Schema.Tuple([Schema.Finite, Schema.String]) })
const Values = Schema.Struct({
  status: Schema.Literal("success"),
  data: Schema.Struct({ result: Schema.Array(Value) })
})

const Alert = Schema.Struct({ labels: Labels, annotations: Labels, state: Schema.Literals(["pending", "firing"]) })
const Alerts = Schema.Struct({ data: Schema.Struct({ alerts: Schema.Array(Alert) }) })

export type Alert = typeof Alert.Type

/** A series of an answer. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Prometheus {
  /** The series that a query has now, its durations divided by the factor. */
  readonly query: (expression: string) => Promise<ReadonlyArray<Sample>>
  readonly alerts: () => Promise<ReadonlyArray<Alert>>
  readonly close: () => Promise<void>
}

/** Null if no Prometheus is installed. */
export const open = async (folder: string, targets: ReadonlyArray<string>): Promise<Prometheus | null> => {
  const rules = await readFile(new URL("../../deploy/prometheus/alerts.yml", import.meta.url), "utf8")
  await writeFile(join(folder, "alerts.yml"), scaled(rules))
  const config = {
    global: { scrape_interval: "500ms", scrape_timeout: "500ms", evaluation_interval: "500ms" },
    rule_files: [join(folder, "alerts.yml")],
    scrape_configs: [
      { job_name: "watchword", static_configs: [{ targets: targets.map((target) => new URL(target).host) }] }
    ]
  }
  await writeFile(join(folder, "prometheus.yml"), JSON.stringify(config))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const process = await launched([
    `--config.file=${join(folder, "prometheus.yml")}`,
    `--storage.tsdb.path=${join(folder, "prometheus")}`,
    `--web.listen-address=127.0.0.1:${port}`
  ])
  if (process === null) return null
  const ask = async (path: string): Promise<unknown> => (await fetch(origin + path)).json()
  while (
    !(await fetch(`${origin}/-/ready`).then(
      ({ ok }) => ok,
      () => false
    ))
  )
    await delay(50)
  return {
    query: async (expression) => {
      const answer = await ask(`/api/v1/query?query=${encodeURIComponent(scaled(expression))}`)
      const { data } = Schema.decodeUnknownSync(Values)(answer)
      return data.result.map(({ metric, value: [, value] }) => ({ labels: metric, value: Number(value) }))
    },
    alerts: async () => Schema.decodeUnknownSync(Alerts)(await ask("/api/v1/alerts")).data.alerts,
    close: async () => {
      const ended = once(process, "exit")
      process.kill()
      await ended
    }
  }
}

const launched = async (args: ReadonlyArray<string>): Promise<ChildProcess | null> => {
  const child = spawn("prometheus", args, { stdio: "ignore" })
  const failed = once(child, "error").then(() => null)
  const spawned = once(child, "spawn").then(() => child)
  void failed.catch(() => null)
  return Promise.race([spawned, failed])
}
