/**
 * Verifications by SMS on a live key, from start to approved: `POST /v1/verifications`, the step by SMS with its hold and
 * its settlement on the disk, `POST /v1/verifications/check` with the code, and the receipt stored before it is
 * acknowledged. Beside them the bare sends of the same text, on the same server in turn, round by round.
 *
 * The standalone server is alone on the first core; load and carrier are on the second. CPU is what the server's process
 * uses from the first request until the last receipt is acknowledged, for each verification and for each send. In the end
 * every verification must be approved, and every text on record as delivered and charged once.
 *
 * `npm run bench -- verify [--rounds=5] [--operations=4000] [--connections=50] [--warm-up=4] [--json[=file]]`
 */
import type { ChildProcess } from "node:child_process"
import Sqlite from "better-sqlite3"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Counts } from "./peers/smsc.ts"
import { type System, fault, startWatchword } from "./peers/systems.ts"
import { type Client, client } from "./support/http.ts"
import { LOAD_CORE, ask, cpuOf, end, forkOn, pidOf, stepAside, workFolder } from "./support/processes.ts"
import { undisturbed } from "./support/quiet.ts"
import { figure, machineLine, medians, numberOption, say, table, writeJson } from "./support/report.ts"
import { SECRET, sendText, verify } from "./support/verifications.ts"

const rounds = numberOption("rounds", 5)
const operations = numberOption("operations", 4_000)
const connections = numberOption("connections", 50)
/** In rounds of both kinds: so many until hardly any code is compiled any more. */
const WARM_UP = numberOption("warm-up", 4)

/** Waits until the carrier has an acknowledgement for every text. */
const settled = async (smsc: ChildProcess, { systemId }: System): Promise<Counts> => {
  for (let waited = 0; ; waited++) {
    const counts = await ask<Counts>(smsc, { about: systemId })
    if (counts.submits === sent && counts.acknowledged === sent) return counts
    if (waited > 600) throw new Error(`${counts.submits} texts and ${counts.acknowledged} receipts, not ${sent}`)
    await sleep(50)
  }
}

let sent = 0

/** One round of one kind; each operation makes one text. */
const round = async (
  smsc: ChildProcess,
  system: System,
  client: Client,
  operate: (client: Client) => Promise<unknown>
) => {
  const [pid = 0] = system.pids
  const before = cpuOf(pid)
  const startedAt = performance.now()
  const latencies: Array<number> = []
  let left = operations
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const begun = performance.now()
      await operate(client)
      latencies.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = (performance.now() - startedAt) / 1000
  sent += operations
  await settled(smsc, system)
  latencies.sort((a, b) => a - b)
  return {
    cpu: (cpuOf(pid) - before) / operations,
    perSecond: operations / seconds,
    p50: latencies[latencies.length >> 1] ?? 0,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0
  }
}

/** How many records the database has of each status: texts and verifications share none. */
const countsOf = (address: string): ReadonlyMap<string, number> => {
  const db = new Sqlite(address, { readonly: true })
  try {
    const rows = db
      .prepare<[], { readonly status: string; readonly n: number }>(
        "SELECT status, count(*) AS n FROM deliveries GROUP BY status"
      )
      .all()
    return new Map(rows.map(({ n, status }) => [status, n]))
  } finally {
    db.close()
  }
}

const main = async (): Promise<void> => {
  stepAside()
  const folder = workFolder()
  const smsc = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/smsc.ts"))
  const [ports] = await once(smsc, "message")
  const surroundings = { folder, smscPort: ports.smpp, receiptPort: ports.http, requestIds: false }
  const system = await startWatchword(surroundings, { env: { VERIFY_SECRET: SECRET } })
  const requests = client({ port: system.port, headers: system.headers, connections })
  const pids = [...system.pids, pidOf(smsc)]
  try {
    for (let index = 0; index < WARM_UP; index++) {
      await round(smsc, system, requests, sendText)
      await round(smsc, system, requests, verify)
    }
    const sends = []
    const verifications = []
    for (let index = 0; index < rounds; index++) {
      sends.push(await undisturbed(pids, () => round(smsc, system, requests, sendText)))
      verifications.push(await undisturbed(pids, () => round(smsc, system, requests, verify)))
      say(
        `round ${index + 1}  ${figure(sends.at(-1)?.cpu ?? 0)} µs a send, ${figure(verifications.at(-1)?.cpu ?? 0)} µs a verification`
      )
    }
    const wrong = await fault(system, sent)
    if (wrong !== null) throw new Error(wrong)
    const statuses = countsOf(system.records?.address ?? "")
    const approved = statuses.get("approved") ?? 0
    if (statuses.size !== 2 || 2 * approved !== sent) throw new Error(`found ${JSON.stringify([...statuses])}`)

    const [send, verification] = [medians(sends), medians(verifications)]
    say(`\n${machineLine()}; ${connections} connections, medians of ${rounds} rounds of ${figure(operations)}\n`)
    say(
      table(
        ["", "CPU µs", "a second", "p50 ms", "p99 ms", "others"],
        [["SMS", send] as const, ["verification by SMS, to approved", verification] as const].map(
          ([name, { cpu, others, p50, p99, perSecond }]) => [
            name,
            figure(cpu),
            figure(perSecond),
            figure(p50),
            figure(p99),
            `${others.toFixed(0)} %`
          ]
        )
      )
    )
    say(`\nA verification takes ${figure(verification.cpu / send.cpu)} times the CPU of its SMS.`)
    say(
      `All ${figure(sent)} texts are on record as delivered and charged once, and ${figure(approved)} verifications as approved.`
    )
    writeJson({ bench: "verify", connections, operations, send: sends, verification: verifications })
  } finally {
    requests.close()
    await system.stop()
    await end(smsc)
  }
}

await main()
