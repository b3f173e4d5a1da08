/**
 * What remains of a verification's CPU without the disk, and without HTTP: verifications by SMS from start to approval,
 * on a store in SQLite's file or in memory, asked over HTTP or by the functions of the service, whose process then
 * takes the calls' CPU, too. All four in turn, round by round.
 *
 * `npm run bench -- floors [--rounds=5] [--operations=3000] [--connections=50] [--json[=file]]`
 */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { Own } from "./peers/embedded.ts"
import { type Client, client } from "./support/http.ts"
import { LOAD_CORE, SERVER_CORE, ask, end, forkOn, pidOf, stepAside, workFolder } from "./support/processes.ts"
import { figure, machineLine, median, numberOption, say, table, writeJson } from "./support/report.ts"
import { type Loaded, cpuOfWork, round } from "./support/rounds.ts"
import { verify } from "./support/verifications.ts"

const WARM_UP = 2
const rounds = numberOption("rounds", 5)
const operations = numberOption("operations", 3_000)
const connections = numberOption("connections", 50)

const stores = ["file", "memory"] as const
const ways = ["HTTP", "functions"] as const

interface Contestant extends Loaded {
  readonly name: (typeof stores)[number]
  readonly child: ChildProcess
  readonly client: Client
  readonly times: Record<(typeof ways)[number], Array<number>>
}

stepAside()
const folder = workFolder()
const smsc = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/smsc.ts"))
const [ports] = await once(smsc, "message")

const start = async (name: Contestant["name"]): Promise<Contestant> => {
  const child = forkOn(SERVER_CORE, join(import.meta.dirname, "peers/embedded.ts"), {
    env: {
      SMSC_PORT: String(ports.smpp),
      SYSTEM_ID: name,
      ...(name === "file" ? { FILE: join(folder, "watchword.db") } : {})
    }
  })
  const [{ account, key, port }] = await once(child, "message")
  const headers = { "x-api-key": key, "x-account-id": account, "content-type": "application/json" }
  return {
    name,
    system: { pids: [pidOf(child)], systemId: name },
    child,
    client: client({ port, headers, connections }),
    peer: smsc,
    times: { HTTP: [], functions: [] },
    sent: 0
  }
}

/** Microseconds of CPU a verification. */
const timed = async (contestant: Contestant, way: (typeof ways)[number]): Promise<number> => {
  if (way === "HTTP") return (await round(contestant, verify, { operations, connections })).cpu
  return cpuOfWork(contestant, operations, () => ask(contestant.child, { operations, connections } satisfies Own))
}

const contestants = [await start("file"), await start("memory")]
try {
  for (let index = 0; index < WARM_UP + rounds; index += 1) {
    for (const contestant of contestants) {
      for (const way of ways) {
        const time = await timed(contestant, way)
        if (index >= WARM_UP) contestant.times[way].push(time)
      }
    }
  }
  const results = contestants.flatMap(({ name, times }) => ways.map((way) => ({ store: name, way, cpu: times[way] })))
  say(`\n${machineLine()}; ${connections} at a time, medians of ${rounds} rounds of ${figure(operations)}\n`)
  say(
    table(
      ["store", "asked by", "CPU, µs", "rounds"],
      results.map(({ cpu, store, way }) => [store, way, figure(median(cpu)), cpu.map(figure).join(" · ")])
    )
  )
  writeJson({ bench: "floors", operations, connections, results })
} finally {
  for (const { child, client } of contestants) {
    client.close()
    await end(child)
  }
  await end(smsc)
}
