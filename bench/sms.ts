/**
 * Text messages on a live key, end to end: `POST /v1/sms`, the hold on disk with `synchronous = FULL`, submit_sm and
 * its answer, the settlement on disk, 200; and a receipt for every message, stored before it is acknowledged.
 *
 * Three servers take turns, as described in `peers/messages.ts`: the standalone server; one written by hand with
 * Fastify, better-sqlite3 and smpp (bench/rivals/sms), which gives the same guarantees; and Kannel if it is installed,
 * which answers 202 when a message is queued in memory. Kannel continues to submit after the load has ended:
 * `submit/s` counts under load, `drained` until the queue is empty.
 *
 * `--also` adds the standalone server under further conditions: `limits` (three, which count sends but never stop one),
 * `five-limits` (one of which refuses every fifth request, for a number that has had its texts), `endpoint` (one, which
 * receives every change), `order` and `best` (two carriers, and how a route chooses one), `viewers` (ten viewers of the
 * operators' console, whose pages refresh meanwhile).
 *
 * `npm run bench -- sms [--also=limits,five-limits,endpoint,order,best,viewers] [--rounds=5] [--seconds=5]
 * [--connections=50] [--no-request-ids] [--json[=file]]`
 */
import { once } from "node:events"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../test/freePort.ts"
import { kannelVersion, startKannel } from "./peers/kannel.ts"
import { compare, connections, requestIds, rounds, seconds } from "./peers/messages.ts"
import {
  type Operate,
  type Surroundings,
  type Watchword,
  rivalLines,
  sendRequest,
  startRival,
  startWatchword
} from "./peers/systems.ts"
import type { Viewing } from "./peers/viewers.ts"
import { type Condition, bindingLimits, endpoint, threeLimits, twoCarriers } from "./support/conditions.ts"
import { LOAD_CORE, end, forkOn, pidOf } from "./support/processes.ts"
import { bars, figure, machineLine, say, table, textOption, writeJson } from "./support/report.ts"

const report = (results: Awaited<ReturnType<typeof compare>>): void => {
  const kannel = kannelVersion()
  say(`\n${machineLine()}; ${connections} connections, medians of ${rounds} rounds of ${seconds} s\n`)
  say(
    table(
      [
        "",
        "requests/s",
        "submit/s",
        "drained/s",
        "CPU µs",
        "p50 ms",
        "p99 ms",
        "refused",
        "load and carrier",
        "others"
      ],
      results.map(({ cpu, drained, load, name, others, p50, p99, refused, requests, submits }) => [
        name,
        figure(requests),
        figure(submits),
        figure(drained),
        figure(cpu),
        figure(p50),
        figure(p99),
        `${refused.toFixed(0)} %`,
        `${load.toFixed(0)} % CPU`,
        `${others.toFixed(0)} %`
      ])
    )
  )
  if (kannel === null) say("Kannel was not measured: it is not installed.")
  say(`\nsubmit_sm a second at the carrier, under load\n`)
  say(bars(results.map(({ name, submits }) => ({ name, value: submits }))))
  say(`\nThe server by hand has ${rivalLines("sqlite.ts")} lines of code and this one endpoint.`)
  writeJson({ bench: "sms", connections, seconds, requestIds, rivalLines: rivalLines("sqlite.ts"), kannel, results })
}

/** The standalone server under one condition, in a folder of its own. */
const under =
  (name: string, { prepare, refuses, settings }: Conditions) =>
  async (surroundings: Surroundings) => {
    const folder = join(surroundings.folder, name)
    mkdirSync(folder)
    const url = `smpp://${name}:secret@127.0.0.1:${surroundings.smscPort}`
    const system = await startWatchword(
      { ...surroundings, folder },
      {
        env: { WEBHOOK_ALLOW_PRIVATE: "true", ...(settings?.(url, folder) ?? { SMPP_URL: url }) },
        ...(prepare === undefined
          ? {}
          : { prepare: (operate: Operate, account: string) => prepare(operate, account, folder) })
      }
    )
    const refusing = refuses === true ? { request: someRefused(system), refusal: 429 } : {}
    return { ...system, ...refusing, name: `Watchword, ${name}`, systemId: name }
  }

/** Fifty requests, of which every fifth is to a number that repeats. */
const someRefused = ({ port, senders: [sender] }: Watchword): ReadonlyArray<string> =>
  Array.from({ length: 50 }, (_, index) => {
    const to = index % 5 === 0 ? { to: `+49151000000${index + 10}` } : {}
    return sendRequest(port, sender?.account ?? "", sender?.key ?? "", { requestIds, ...to })
  })

/** Settings in addition to the usual ones. */
interface Conditions {
  readonly prepare?: Condition
  /** Whether every fifth request is refused. */
  readonly refuses?: boolean
  /** The settings that connect to the carrier at a URL. */
  readonly settings?: (url: string, folder: string) => Readonly<Record<string, string>>
}

const receiver = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/receiver.ts"))
const [receiverPort] = await once(receiver, "message")
const viewers = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/viewers.ts"))
const operationsPort = await freePort()

/** The viewers start at once, and retry until the server is up. */
const viewing: Condition = (operate) => {
  const { token = "" } = operate("operator", "grant", "--name", "viewer", "--role", "support")
  const task: Viewing = { url: `http://127.0.0.1:${operationsPort}`, token }
  viewers.send(task)
}

const conditions: Readonly<Record<string, Conditions>> = {
  limits: { prepare: threeLimits },
  "five-limits": { prepare: bindingLimits, refuses: true },
  endpoint: { prepare: endpoint(receiverPort) },
  order: { settings: twoCarriers("order") },
  best: { settings: twoCarriers("best") },
  viewers: {
    prepare: viewing,
    settings: (url) => ({ SMPP_URL: url, OPERATIONS_PORT: String(operationsPort) })
  }
}
const also = Object.entries(conditions).filter(([name]) => textOption("also")?.split(",").includes(name))
try {
  const more = also.map(([name, condition]) => under(name, condition))
  const kannel = kannelVersion() === null ? [] : [startKannel]
  report(await compare([startWatchword, startRival, ...more, ...kannel], [pidOf(receiver), pidOf(viewers)]))
} finally {
  await end(viewers)
  await end(receiver)
}
