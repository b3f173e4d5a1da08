/**
 * Text messages on a live key, end to end: `POST /v1/sms`, the hold on the disk with `synchronous = FULL`, submit_sm
 * and its answer, the settlement on the disk, 200; and a receipt for every message, stored before it is acknowledged.
 *
 * Three servers do it in turn, as `peers/messages.ts` says: the standalone server; one written by hand with Fastify,
 * better-sqlite3 and smpp (bench/rivals/sms), which gives the same guarantees; and Kannel where it is installed, which
 * answers 202 when a message is queued in memory. Kannel goes on submitting after the load has ended: `submit/s` counts under load, `drained` all told.
 *
 * `npm run bench -- sms [--rounds=5] [--seconds=5] [--connections=50] [--no-request-ids] [--json[=file]]`
 */
import { compare, connections, requestIds, rounds, seconds } from "./peers/messages.ts"
import { kannelVersion, rivalLines, startKannel, startRival, startWatchword } from "./peers/systems.ts"
import { bars, figure, machineLine, say, table, writeJson } from "./support/report.ts"

const report = (results: Awaited<ReturnType<typeof compare>>): void => {
  const kannel = kannelVersion()
  say(`\n${machineLine()}; ${connections} connections, medians of ${rounds} rounds of ${seconds} s\n`)
  say(
    table(
      ["", "requests/s", "submit/s", "drained/s", "CPU µs", "p50 ms", "p99 ms", "load and carrier", "others"],
      results.map(({ cpu, drained, load, name, others, p50, p99, requests, submits }) => [
        name,
        figure(requests),
        figure(submits),
        figure(drained),
        figure(cpu),
        figure(p50),
        figure(p99),
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

report(await compare([startWatchword, startRival, ...(kannelVersion() === null ? [] : [startKannel])]))
