/**
 * The cost of a flash call in the SIP gateway: CPU for a call that is placed, rings and is cancelled over UDP, and heap
 * for a ringing call. sipp places the same calls, and so does Node with bare datagrams, which is the lower bound.
 *
 * The callers alternate round by round; each has the first core to itself and places calls as fast as it can, 100 at
 * once. The trunk, which answers at once, runs on the second core. Without sipp its figures are left out.
 *
 * `npm run bench -- sip [--rounds=7] [--calls=10000] [--json[=file]]`
 */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { Ringing, Round, Task } from "./peers/sipCaller.ts"
import { callWithSipp, sippVersion } from "./peers/sipp.ts"
import { LOAD_CORE, SERVER_CORE, ask, end, forkOn, pidOf, stepAside, workFolder } from "./support/processes.ts"
import { undisturbed } from "./support/quiet.ts"
import { figure, machineLine, medians, numberOption, say, table, writeJson } from "./support/report.ts"

const rounds = numberOption("rounds", 7)
const calls = numberOption("calls", 10_000)
const AT_ONCE = 100
const RINGING = 5_000
/** Rounds that are not counted, until the hot code has been compiled. */
const WARM_UP = 3

interface Caller {
  readonly name: string
  readonly round: () => Promise<Round>
}

/** A caller in Node, in a process of its own. */
const inNode = async (file: string, trunkPort: number): Promise<ChildProcess> => {
  const options = { args: ["--expose-gc"], env: { TRUNK_PORT: String(trunkPort) } }
  const child = forkOn(SERVER_CORE, join(import.meta.dirname, file), options)
  await once(child, "message")
  return child
}

const main = async (): Promise<void> => {
  stepAside()
  const folder = workFolder()
  const trunk = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/trunk.ts"))
  const [{ port }] = await once(trunk, "message")
  const gateway = await inNode("peers/sipCaller.ts", port)
  const datagrams = await inNode("rivals/datagrams.ts", port)
  // Heap is measured first, before any call lingers.
  const { heap } = await ask<Ringing>(gateway, { what: "ringing", calls: RINGING, atOnce: AT_ONCE } satisfies Task)

  const task: Task = { what: "round", calls, atOnce: AT_ONCE }
  const callers: ReadonlyArray<Caller> = [
    { name: "Watchword", round: () => ask<Round>(gateway, task) },
    ...(sippVersion() === null
      ? []
      : [{ name: `sipp ${sippVersion()}`, round: async () => callWithSipp(folder, port, calls, AT_ONCE) }]),
    { name: "bare datagrams", round: () => ask<Round>(datagrams, task) }
  ]
  for (const { round } of callers) for (let index = 0; index < WARM_UP; index++) await round()
  const pids = [trunk, gateway, datagrams].map(pidOf)
  const measured = new Map(callers.map(({ name }) => [name, new Array<Round & { readonly others: number }>()]))
  for (let index = 0; index < rounds; index++) {
    for (const { name, round } of callers) measured.get(name)?.push(await undisturbed(pids, round))
  }
  await end(gateway)
  await end(datagrams)
  await end(trunk)

  const results = [...measured].map(([name, rounds]) => ({ name, ...medians(rounds), rounds }))
  const own = results[0]?.cpu ?? Number.NaN
  say(`${machineLine()}; medians of ${rounds} rounds of ${figure(calls)} calls, ${AT_ONCE} at once\n`)
  say(
    table(
      ["", "CPU µs a call", "Watchword's to this", "calls/s", "others"],
      results.map(({ cpu, name, others, perSecond }) => [
        name,
        figure(cpu),
        `${figure(own / cpu)} times`,
        figure(perSecond),
        `${others.toFixed(0)} %`
      ])
    )
  )
  if (sippVersion() === null) say("sipp was not measured: it is not installed.")
  say(`\n${(heap / 1024).toFixed(2)} KiB heap a call at ${figure(RINGING)} ringing at once`)
  writeJson({ bench: "sip", calls, heap, results })
}

await main()
