/**
 * Verifications by SMS on a live key, from start to approval: `POST /v1/verifications`, the step by SMS with its hold
 * and its settlement on disk, `POST /v1/verifications/check` with the code, and the receipt, stored before it is
 * acknowledged. For comparison, bare sends of the same text on the same server, in turn, round by round.
 *
 * The standalone server has the first core to itself; load and carrier run on the second. CPU is the time per
 * verification and per send that the server's process uses from the first request until the last receipt is
 * acknowledged. In the end every verification must be approved, and every text delivered and charged once on record.
 *
 * With `--rivals` it compares the standalone server with the one written by hand (bench/rivals/verify), both with an
 * endpoint that receives every event, as `peers/rivalVerifications.ts` describes; warm-up is then in seconds.
 *
 * `npm run bench -- verify [--rounds=5] [--operations=4000] [--connections=50] [--warm-up=4] [--json[=file]]`
 * `npm run bench -- verify --rivals [--database=postgres] [--rounds=5] [--seconds=5] [--connections=50] [--warm-up=15]
 * [--json[=file]]`
 */
import Sqlite from "better-sqlite3"
import { once } from "node:events"
import { join } from "node:path"
import { compareVerifiers } from "./peers/rivalVerifications.ts"
import { fault, startWatchword } from "./peers/systems.ts"
import { client } from "./support/http.ts"
import { LOAD_CORE, end, forkOn, pidOf, stepAside, workFolder } from "./support/processes.ts"
import { undisturbed } from "./support/quiet.ts"
import { figure, flag, machineLine, medians, numberOption, say, table, writeJson } from "./support/report.ts"
import { type Loaded, round } from "./support/rounds.ts"
import { SECRET, sendText, verify } from "./support/verifications.ts"

const rounds = numberOption("rounds", 5)
const operations = numberOption("operations", 4_000)
const connections = numberOption("connections", 50)
/** Rounds of both kinds until hardly any code is still being compiled. */
const WARM_UP = numberOption("warm-up", 4)

/** The number of records of each status; texts and verifications have no status in common. */
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
  const loaded: Loaded = { system, client: requests, peer: smsc, sent: 0 }
  const load = { connections, operations }
  const pids = [...system.pids, pidOf(smsc)]
  try {
    for (let index = 0; index < WARM_UP; index++) {
      await round(loaded, sendText, load)
      await round(loaded, verify, load)
    }
    const sends = []
    const verifications = []
    for (let index = 0; index < rounds; index++) {
      sends.push(await undisturbed(pids, () => round(loaded, sendText, load)))
      verifications.push(await undisturbed(pids, () => round(loaded, verify, load)))
      say(
        `round ${index + 1}  ${figure(sends.at(-1)?.cpu ?? 0)} µs a send, ${figure(verifications.at(-1)?.cpu ?? 0)} µs a verification`
      )
    }
    const wrong = await fault(system, loaded.sent)
    if (wrong !== null) throw new Error(wrong)
    const statuses = countsOf(system.records?.address ?? "")
    const approved = statuses.get("approved") ?? 0
    if (statuses.size !== 2 || 2 * approved !== loaded.sent) throw new Error(`found ${JSON.stringify([...statuses])}`)

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
      `All ${figure(loaded.sent)} texts are on record as delivered and charged once, and ${figure(approved)} verifications as approved.`
    )
    writeJson({ bench: "verify", connections, operations, send: sends, verification: verifications })
  } finally {
    requests.close()
    await system.stop()
    await end(smsc)
  }
}

await (flag("rivals") ? compareVerifiers() : main())
