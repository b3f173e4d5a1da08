/**
 * Requests that wait until their users have acted: how long an approval takes to reach the request that waits for it,
 * with few and with many that wait, next to a constant rate of texts; and the server's CPU while they only wait.
 *
 * `npm run bench -- polls [--waiting=50,5000] [--rate=1000] [--seconds=20] [--approvals=20] [--rounds=3]
 * [--json[=file]]`: so many approvals a second, each of a verification that a request waits for.
 */
import { once } from "node:events"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Watchword, startWatchword } from "./peers/systems.ts"
import { noRules } from "./support/conditions.ts"
import { type Client, client } from "./support/http.ts"
import { LOAD_CORE, cpuOf, end, forkOn, residentOf, stepAside, workFolder } from "./support/processes.ts"
import { undisturbed } from "./support/quiet.ts"
import {
  figure,
  machineLine,
  medians,
  numberOption,
  quantile,
  say,
  table,
  textOption,
  writeJson
} from "./support/report.ts"
import { sendSteadily } from "./support/steadyLoad.ts"
import { SECRET } from "./support/verifications.ts"

const sizes = (textOption("waiting") ?? "50,5000").split(",").map(Number)
const rate = numberOption("rate", 1_000)
const seconds = numberOption("seconds", 20)
const approvals = numberOption("approvals", 20)
const rounds = numberOption("rounds", 3)

/** The number of the service to which users would write. */
const NUMBER = "+4930901820000"
const WAIT = 25
/** Connections over which verifications are started and approved, and texts are sent. */
const CONNECTIONS = 50

const WORKFLOW = [{ channel: "receive", by: ["sms"], timeout: 900 }]

let serial = 20_000_000

const start = async ({ ask }: Client): Promise<string> => {
  const body = JSON.stringify({ to: `+49151${++serial}`, workflow: WORKFLOW, ttl: 3600 })
  return JSON.parse(await ask({ method: "POST", path: "/v1/verifications", body })).id
}

/** A request that waits for a verification, and is asked again until that has ended. */
const watch = async ({ ask }: Client, id: string, isOver: () => boolean): Promise<number> => {
  while (!isOver()) {
    try {
      const { status } = JSON.parse(await ask({ method: "GET", path: `/v1/verifications/${id}?wait=${WAIT}` }))
      if (status !== "pending") break
    } catch (error) {
      // The end of the measurement closes the connections.
      if (!isOver()) throw error
    }
  }
  return performance.now()
}

/** Approves a verification, as an app may that has seen the user's action itself. */
const report = ({ ask }: Client, id: string): Promise<string> =>
  ask({ method: "POST", path: `/v1/verifications/${id}/report`, body: JSON.stringify({ status: "approved" }) })

const measure = async ({ headers, pids, port }: Watchword, waiting: number) => {
  const requests = client({ port, headers, connections: CONNECTIONS })
  const polls = client({ port, headers, connections: waiting })
  let over = false
  try {
    const ids: Array<string> = []
    for (let from = 0; from < waiting; from += CONNECTIONS) {
      const count = Math.min(CONNECTIONS, waiting - from)
      ids.push(...(await Promise.all(Array.from({ length: count }, () => start(requests)))))
    }
    const answers = new Map(ids.map((id) => [id, watch(polls, id, () => over)]))
    await sleep(3_000)
    const before = cpuOf(...pids)
    await sleep(5_000)
    const rest = (cpuOf(...pids) - before) / 5
    const delays: Array<number> = []
    const approve = async (): Promise<void> => {
      for (let nth = 0; nth < approvals * seconds; nth++) {
        const next = sleep(1_000 / approvals)
        const id = ids[nth % ids.length] ?? ""
        const waited = answers.get(id)
        if (waited !== undefined) {
          const began = performance.now()
          await Promise.all([report(requests, id), waited])
          delays.push((await waited) - began)
          answers.delete(id)
          const another = await start(requests)
          ids[nth % ids.length] = another
          answers.set(
            another,
            watch(polls, another, () => over)
          )
        }
        await next
      }
    }
    const load = sendSteadily(requests, { rate, seconds, verification: Number.POSITIVE_INFINITY })
    await Promise.all([approve(), load])
    return {
      rest,
      p50: quantile(delays, 0.5),
      p99: quantile(delays, 0.99),
      sends: quantile((await load).latencies, 0.99),
      resident: residentOf(pids[0] ?? 0) / 1024
    }
  } finally {
    over = true
    polls.close()
    requests.close()
  }
}

stepAside()
const folder = join(workFolder(), "server")
mkdirSync(folder)
const results = sizes.map((waiting) => ({ waiting, rounds: new Array<Awaited<ReturnType<typeof measure>>>() }))
for (let index = 0; index < rounds; index++) {
  for (const { rounds, waiting } of results) {
    const own = join(folder, `${index}-${waiting}`)
    mkdirSync(own)
    const carrier = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/smsc.ts"))
    const [{ http, smpp }] = await once(carrier, "message")
    const url = `smpp://watchword:secret@127.0.0.1:${smpp}?receives=${encodeURIComponent(NUMBER)}`
    const system = await startWatchword(
      { folder: own, smscPort: smpp, receiptPort: http, requestIds: false },
      {
        env: { SMPP_URL: url, VERIFY_SECRET: SECRET, LOG_LEVEL: "error" },
        prepare: (...given) => noRules(...given, own)
      }
    )
    try {
      rounds.push(await undisturbed(system.pids, () => measure(system, waiting), 1))
    } finally {
      await system.stop()
      await end(carrier)
    }
    say(`${figure(waiting)} waiting: ${JSON.stringify(rounds.at(-1))}`)
  }
}
const summary = results.map(({ rounds, waiting }) => ({ waiting, ...medians(rounds), rounds }))
say(`\n${machineLine()}; ${rate} texts and ${approvals} approvals a second, medians of ${rounds} rounds\n`)
say(
  table(
    ["waiting", "CPU at rest, µs a second", "approval to answer: p50 ms", "p99 ms", "p99 of a send ms", "resident KiB"],
    summary.map(({ p50, p99, resident, rest, sends, waiting }) =>
      [waiting, rest, p50, p99, sends, resident].map(figure)
    )
  )
)
writeJson({ bench: "polls", rate, seconds, approvals, results: summary })
