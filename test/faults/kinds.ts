/**
 * The kinds of faults, each of which is put into the middle of a round's load.
 */
import type { SeededRandom } from "@watchword/store/checks"
import { setTimeout as delay } from "node:timers/promises"
import { join } from "node:path"
import { SPREAD } from "./Load.ts"
import type { Server, Site } from "./Site.ts"

export interface Fault {
  readonly site: Site
  readonly random: SeededRandom.SeededRandom
  /** A number of an earlier round; null in the first one. */
  readonly earlier: string | null
}

type Inject = (fault: Fault) => Promise<void>

/** Some moment of the load. */
const moment = ({ random }: Fault): Promise<void> => delay(random.below(SPREAD + 300))

const serverOf = ({ random, site }: Fault): Server => {
  const server = site.servers[random.below(site.servers.length)]
  if (server === undefined) throw new Error("there is no server")
  return server
}

const again = async ({ random }: Fault, server: Server): Promise<void> => {
  await delay(random.below(300))
  await server.start()
}

const kill: Inject = async (fault) => {
  const server = serverOf(fault)
  await moment(fault)
  await server.kill()
  await again(fault, server)
}

const killAll: Inject = async (fault) => {
  await moment(fault)
  await Promise.all(fault.site.servers.map((server) => server.kill()))
  await Promise.all(fault.site.servers.map((server) => again(fault, server)))
}

const killTwice: Inject = async (fault) => {
  const server = serverOf(fault)
  await moment(fault)
  await server.kill()
  await server.start()
  await delay(fault.random.below(400))
  await server.kill()
  await again(fault, server)
}

/** A server that dies while all it asks takes long. */
const killSlow: Inject = async (fault) => {
  fault.site.peers.carrier.mood = "late"
  await kill(fault)
  fault.site.peers.carrier.mood = null
}

const stop: Inject = async (fault) => {
  const server = serverOf(fault)
  await moment(fault)
  await server.stop()
  await again(fault, server)
}

const freeze: Inject = async (fault) => {
  const server = serverOf(fault)
  await moment(fault)
  server.signal("SIGSTOP")
  await delay(300 + fault.random.below(2_500))
  server.signal("SIGCONT")
}

/** A server that stands still for longer than its lease: the others take over what it was about, and then it goes on. */
const freezeLong: Inject = async (fault) => {
  const server = serverOf(fault)
  await moment(fault)
  server.signal("SIGSTOP")
  await delay(LEASE + fault.random.below(8_000))
  server.signal("SIGCONT")
}

/** How long the lease of a server is valid, in milliseconds. */
const LEASE = 15_000

const database: Inject = async (fault) => {
  await moment(fault)
  await fault.site.database.fail(100 + fault.random.below(1_500))
}

const databaseAndServer: Inject = async (fault) => {
  await moment(fault)
  const [server] = fault.site.servers
  await Promise.all([fault.site.database.fail(100 + fault.random.below(500)), server?.kill()])
  if (server !== undefined) await again(fault, server)
}

const carrierCut: Inject = async (fault) => {
  const { carrier } = fault.site.peers
  await moment(fault)
  carrier.cut()
  await delay(fault.random.below(1_200))
  await carrier.mend()
}

const carrierIn =
  (mood: "silent" | "late" | "throttled" | "refused" | "early"): Inject =>
  async (fault) => {
    fault.site.peers.carrier.mood = mood
    await delay(SPREAD)
    fault.site.peers.carrier.mood = null
  }

const datagramsLost: Inject = async ({ random, site: { peers } }) => {
  peers.trunk.loss = 10 + random.below(40)
  await delay(SPREAD + 1_000)
  peers.trunk.loss = 0
}

const chatsDrop: Inject = async (fault) => {
  await moment(fault)
  fault.site.peers.chats.drop(1 + fault.random.below(4))
}

const chatsFail: Inject = async (fault) => {
  await moment(fault)
  fault.site.peers.chats.fail(1 + fault.random.below(4))
}

const receiverIn =
  (temper: "refuses" | "hangs up" | "is silent"): Inject =>
  async ({ random, site: { peers } }) => {
    peers.receiver.temper = temper
    await delay(500 + random.below(2_000))
    peers.receiver.temper = "takes"
  }

/** Kills a command in the middle, and runs it to its end. */
const commandKilled =
  (...words: ReadonlyArray<string>): Inject =>
  async (fault) => {
    const { earlier, random, site } = fault
    await moment(fault)
    const args = words.map((word) =>
      word === "NUMBER"
        ? (earlier ?? "+4915199999999")
        : word === "FILE"
          ? join(site.folder, `${random.below(1e9)}.db`)
          : word
    )
    const first = site.command(args)
    await delay(250 + random.below(500))
    first.kill()
    await first.ended
    await site.command(args.map((arg) => (arg.endsWith(".db") ? `${arg}.2` : arg))).ended
  }

const calm: Inject = () => Promise.resolve()

/** All kinds, with those that need SQLite or more than one server. */
const KINDS: Readonly<Record<string, { readonly inject: Inject; readonly needs?: "sqlite" | "postgres" | "two" }>> = {
  calm: { inject: calm },
  kill: { inject: kill },
  "kill-all": { inject: killAll, needs: "two" },
  "kill-twice": { inject: killTwice },
  "kill-slow": { inject: killSlow },
  stop: { inject: stop },
  freeze: { inject: freeze },
  "freeze-long": { inject: freezeLong, needs: "two" },
  database: { inject: database },
  "database-and-server": { inject: databaseAndServer, needs: "postgres" },
  "carrier-cut": { inject: carrierCut },
  "carrier-silent": { inject: carrierIn("silent") },
  "carrier-late": { inject: carrierIn("late") },
  "carrier-throttles": { inject: carrierIn("throttled") },
  "carrier-early": { inject: carrierIn("early") },
  "datagrams-lost": { inject: datagramsLost },
  "chats-drop": { inject: chatsDrop },
  "chats-fail": { inject: chatsFail },
  "receiver-refuses": { inject: receiverIn("refuses") },
  "receiver-hangs-up": { inject: receiverIn("hangs up") },
  "receiver-silent": { inject: receiverIn("is silent") },
  "erase-killed": { inject: commandKilled("erase", "NUMBER") },
  "rewrite-killed": { inject: commandKilled("erase", "NUMBER", "--rewrite") },
  "backup-killed": { inject: commandKilled("backup", "FILE"), needs: "sqlite" },
  "migrate-killed": { inject: commandKilled("migrate") },
  "audit-killed": { inject: commandKilled("audit") }
}

/** The kinds that an installation can have. */
export const kindsFor = (has: { readonly postgres: boolean; readonly servers: number }): ReadonlyArray<string> => {
  const single = Object.entries(KINDS)
    .filter(
      ([, { needs }]) =>
        needs === undefined ||
        (needs === "two" && has.servers > 1) ||
        (needs === "postgres" && has.postgres) ||
        (needs === "sqlite" && !has.postgres)
    )
    .map(([name]) => name)
  return [...single, ...PAIRS]
}

/** Two kinds at once. */
const PAIRS = [
  "kill+carrier-late",
  "kill+chats-drop",
  "kill+receiver-refuses",
  "kill+datagrams-lost",
  "kill+database",
  "stop+carrier-silent",
  "freeze+carrier-late",
  "freeze+carrier-cut"
]

/** Puts a fault of a kind into the load that runs. */
export const inject = async (kind: string, fault: Fault): Promise<void> => {
  const parts = kind.split("+").map((name) => KINDS[name])
  await Promise.all(
    parts.map((part) => {
      if (part === undefined) throw new Error(`there is no kind of fault ${kind}`)
      return part.inject(fault)
    })
  )
}
