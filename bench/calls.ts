/**
 * Flash calls on a live key, end to end: `POST /v1/call/flash`, the hold and the dialog on disk with
 * `synchronous = FULL`, INVITE, 180, the settlement on disk, 200; a second later CANCEL, and the end on disk.
 *
 * The standalone server has the first core to itself and gets as many calls as its connections can request; the load
 * and a trunk that rings at once run on the second. CPU is the time per call that the server's process uses from the
 * first request until the last record is closed. For comparison, sipp places and cancels the same calls through the
 * same trunk, round by round: the difference is the cost of HTTP, money and records. After that, 5,000 phones ring at
 * once and are ended by DELETE. In the end every call must be on record as ended, charged once, and over at the trunk.
 *
 * `npm run bench -- calls [--rounds=5] [--calls=10000] [--connections=100] [--warm-up=6] [--json[=file]]`
 */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type CallServer, endings, fault, startCallServer } from "./peers/callServer.ts"
import type { Result as Load, Task } from "./peers/load.ts"
import { callWithSipp, sippVersion } from "./peers/sipp.ts"
import type { Counts } from "./peers/trunk.ts"
import type { Reading } from "./support/meter.ts"
import { client } from "./support/http.ts"
import { LOAD_CORE, ask, cpuOf, end, forkOn, pidOf, stepAside, workFolder } from "./support/processes.ts"
import { undisturbed } from "./support/quiet.ts"
import { figure, machineLine, medians, numberOption, say, table, writeJson } from "./support/report.ts"

const rounds = numberOption("rounds", 5)
const calls = numberOption("calls", 10_000)
const connections = numberOption("connections", 100)
/** Rounds until hardly any code is still being compiled, which would compete for the same core. */
const WARM_UP = numberOption("warm-up", 6)
const RINGING = 5_000

interface Peers {
  readonly load: ChildProcess
  readonly trunk: ChildProcess
}

/** Waits until `count` records have ended with this cause. */
const ended = async (server: CallServer, cause: string, count: number): Promise<void> => {
  for (let waited = 0; (endings(server).get(cause) ?? 0) < count; waited++) {
    if (waited > 200) throw new Error(`${endings(server).get(cause)} of ${count} calls ended by ${cause}`)
    await sleep(100)
  }
}

let placed = 0

/** Places calls as fast as the server answers; each ends when its ring time is up. */
const round = async ({ load }: Peers, server: CallServer) => {
  const body = JSON.stringify({ callee: "+49151########", max_ring_time: 1 })
  const fields = { host: "127.0.0.1", ...server.headers, "content-length": String(body.length) }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const task: Task = {
    port: server.port,
    request: `POST /v1/call/flash HTTP/1.1\r\n${lines.join("")}\r\n${body}`,
    connections,
    until: { answers: calls },
    status: 200
  }
  const before = cpuOf(server.pid)
  const { p50, p99, seconds } = await ask<Load>(load, task)
  placed += calls
  await ended(server, "NO_ANSWER", placed)
  return { cpu: (cpuOf(server.pid) - before) / calls, perSecond: calls / seconds, p50, p99 }
}

/** Heap bytes per call with many calls ringing at once; each is ended by DELETE. */
const ringing = async (server: CallServer): Promise<number> => {
  const before = await ask<Reading>(server.child, {})
  const body = JSON.stringify({ callee: "+4915123456789", max_ring_time: 60 })
  const { ask: request, close } = client({ ...server, connections })
  const uuids = await Promise.all(
    Array.from({ length: RINGING }, async (): Promise<string> => {
      return JSON.parse(await request({ method: "POST", path: "/v1/call/flash", body })).uuid
    })
  )
  const after = await ask<Reading>(server.child, {})
  await Promise.all(uuids.map((uuid) => request({ method: "DELETE", path: `/v1/call/flash/${uuid}` })))
  close()
  placed += RINGING
  await ended(server, "ORIGINATOR_CANCEL", RINGING)
  return (after.heap - before.heap) / RINGING
}

const main = async (): Promise<void> => {
  stepAside()
  const folder = workFolder()
  const trunk = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/trunk.ts"))
  const [{ port }] = await once(trunk, "message")
  const load = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/load.ts"))
  await once(load, "message")
  const peers = { load, trunk }
  const server = await startCallServer(folder, port)
  try {
    const pids = [pidOf(load), pidOf(trunk), server.pid]
    const atOnce = Math.min(connections, 100)
    const counts = (): Promise<Counts> => ask<Counts>(trunk, {})
    for (let index = 0; index < WARM_UP; index++) await round(peers, server)
    const served = []
    const rival = []
    let bySipp = 0
    for (let index = 0; index < rounds; index++) {
      served.push(await undisturbed(pids, () => round(peers, server)))
      if (sippVersion() === null) continue
      const before = await counts()
      rival.push(await undisturbed(pids, async () => callWithSipp(folder, port, calls, atOnce)))
      bySipp += (await counts()).invited - before.invited
    }
    const heap = await ringing(server)
    const wrong = fault(server, placed)
    if (wrong !== null) throw new Error(wrong)
    const { acknowledged, cancelled, invited } = await counts()
    if (invited - bySipp !== placed || cancelled !== invited || acknowledged !== invited) {
      throw new Error(
        `${placed} calls placed, ${invited - bySipp} at the trunk; ${acknowledged} of ${invited} are over`
      )
    }

    const { cpu, others, p50, p99, perSecond } = medians(served)
    const sipp = rival.length === 0 ? null : medians(rival)
    say(`${machineLine()}; ${connections} connections, medians of ${rounds} rounds of ${figure(calls)} calls\n`)
    say(
      table(
        ["", "CPU µs a call", "calls/s", "p50 ms", "p99 ms", "others"],
        [
          ["Watchword, standalone", figure(cpu), figure(perSecond), figure(p50), figure(p99), `${others.toFixed(0)} %`],
          ...(sipp === null
            ? []
            : [
                [
                  `sipp ${sippVersion()}`,
                  figure(sipp.cpu),
                  figure(sipp.perSecond),
                  "",
                  "",
                  `${sipp.others.toFixed(0)} %`
                ]
              ])
        ]
      )
    )
    if (sipp === null) say("sipp was not measured: it is not installed.")
    else say(`\nThe whole request takes ${figure(cpu / sipp.cpu)} times the CPU of sipp's call.`)
    say(`${figure(RINGING)} ringing at once: ${(heap / 1024).toFixed(1)} KiB heap a call.`)
    say(`All ${figure(placed)} calls are on record as ended and charged once, and are over at the trunk.`)
    writeJson({ bench: "calls", connections, calls, heap, watchword: served, sipp: rival })
  } finally {
    await server.stop()
    await end(load)
    await end(trunk)
  }
}

await main()
