/**
 * V8 CPU profiles, summed up by origin and by function. They measure wall-clock time, which includes waits for the
 * disk and the time of other processes.
 */
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

interface Node {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly children?: ReadonlyArray<number>
}

export interface Profile {
  readonly nodes: ReadonlyArray<Node>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

/** Names of origins, each with a pattern of its places. The first origin that matches a place counts. */
export type Origins = ReadonlyArray<readonly [string, RegExp]>

const special = new Map([
  ["(garbage collector)", "garbage collection"],
  ["(program)", "native, outside of JavaScript"],
  ["(idle)", "idle"],
  ["(root)", "idle"]
])

// Time in Node counts for its caller: a socket's bytes belong to HTTP or to SMPP.
const isPassedOn = (place: string): boolean =>
  place === "" || (place.startsWith("node:") && !/_http|internal\/http/.test(place))

/** Microseconds by origin and by function, and the total without idle time. */
export const analyse = ({ nodes, samples, timeDeltas }: Profile, origins: Origins) => {
  const originAt = (place: string): string | undefined => origins.find(([, pattern]) => pattern.test(place))?.[0]
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ children = [], id }) => children.map((child) => [child, id] as const)))
  const originOf = (node: Node): string => {
    const known = special.get(node.callFrame.functionName)
    if (known !== undefined) return known
    for (let at: Node | undefined = node; at !== undefined; at = byId.get(parents.get(at.id) ?? 0)) {
      if (!isPassedOn(at.callFrame.url)) return originAt(at.callFrame.url) ?? OTHERS
    }
    return NODE
  }
  const selfTimes = new Map<number, number>()
  for (const [index, id] of samples.entries()) {
    selfTimes.set(id, (selfTimes.get(id) ?? 0) + (timeDeltas[index + 1] ?? 0))
  }
  const groups = new Map<string, number>()
  const functions = new Map<string, { time: number; readonly origin: string }>()
  for (const [id, time] of selfTimes) {
    const node = byId.get(id)
    if (node === undefined) continue
    const origin = originOf(node)
    groups.set(origin, (groups.get(origin) ?? 0) + time)
    const { functionName, lineNumber, url } = node.callFrame
    const caller = url === "" ? byId.get(parents.get(id) ?? 0)?.callFrame : undefined
    const place =
      url === ""
        ? `native, for ${shortened(caller?.url ?? "")}:${(caller?.lineNumber ?? 0) + 1}`
        : `${shortened(url)}:${lineNumber + 1}`
    const name = `${functionName || "(anonymous)"}  ${place}`
    const known = functions.get(name)
    if (known === undefined) functions.set(name, { time, origin })
    else known.time += time
  }
  const busy = [...groups].reduce((sum, [origin, time]) => (origin === "idle" ? sum : sum + time), 0)
  return { busy, groups: [...groups].filter(([origin]) => origin !== "idle"), functions: [...functions] }
}

const shortened = (url: string): string =>
  url.replace(`file://${root}/`, "").replace(/^.*\/node_modules\/(?!\.pnpm)/, "")

/** The origin of places that match no given origin, and the origin of Node's own time without a caller. */
const OTHERS = "other packages"
const NODE = "sockets, streams, timers of Node"
