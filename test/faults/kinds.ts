/**
 * The kinds of faults; each is injected in the middle of a round's load.
 */
import type { SeededRandom } from "@watchword/store/checks"
import { setTimeout as delay } from "node:timers/promises"
import { join } from "node:path"
import type { Cluster } from "./cluster/Cluster.ts"
import type { Member } from "./cluster/Member.ts"
import { SPREAD } from "./Load.ts"
import type { Options, Server, Site } from "./Site.ts"

export interface Fault {
  readonly site: Site
  readonly random: SeededRandom
  /** A number from an earlier round; null in the first round. */
  readonly earlier: string | null
}

type Inject = (fault: Fault) => Promise<void>

/** A random moment during the load. */
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

/** A server dies while its requests to the carrier take long. */
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

/**
 * A server freezes for longer than its lease: the others take over its work, and then it continues.
 */
const freezeLong: Inject = async (fault) => {
  const server = serverOf(fault)
  await moment(fault)
  server.signal("SIGSTOP")
  await delay(LEASE + fault.random.below(8_000))
  server.signal("SIGCONT")
}

/** How long a server's lease is valid, in milliseconds. */
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

/** Applies a fault to the cluster for some time, mends it, and waits until the cluster is healthy. */
const inCluster =
  (fault: (cluster: Cluster, random: Fault["random"]) => Promise<(() => void) | null>): Inject =>
  async (given) => {
    const { cluster } = given.site
    if (cluster === null) throw new Error("the database is no cluster")
    await moment(given)
    const mend = await fault(cluster, given.random)
    if (mend !== null) {
      await delay(OUTAGE + given.random.below(2_000))
      mend()
    }
    await cluster.healthy()
  }

/** Longer than the time to live of Patroni's leader key plus a promotion, in milliseconds. */
const OUTAGE = 11_000

const toPrimary = (fault: (primary: Member) => (() => void) | Promise<() => void>): Inject =>
  inCluster(async (cluster) => fault(await cluster.primary()))

const primaryKilled = toPrimary(async (primary) => {
  await primary.kill()
  return primary.start
})

/** Commits that the primary answers meanwhile reach no standby, unless the primary waits for one. */
const primaryKilledAhead = toPrimary(async (primary) => {
  primary.lag()
  await delay(LAG)
  await primary.kill()
  return primary.start
})

const LAG = 1_000

/** Kills only Patroni: two servers believe that they are the primary. */
const patroniKilled = toPrimary(async (primary) => {
  await primary.killPatroni()
  return primary.start
})

const primaryFrozen = toPrimary((primary) => {
  primary.freeze()
  return primary.thaw
})

const primaryCut = (from: "clients" | "all"): Inject =>
  toPrimary((primary) => {
    primary.cut(from)
    return primary.mend
  })

const switchedOver = inCluster(async (cluster) => {
  const [primary, candidate] = [await cluster.primary(), await cluster.successor()]
  await primary.switchOver(candidate.name)
  return null
})

const standbyLost = inCluster(async (cluster) => {
  const standby = await cluster.successor()
  await standby.kill()
  return standby.start
})

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

/** Kills a command halfway, and then runs it to completion. */
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

/** All kinds; some need a particular database or more than one server. */
const KINDS: Readonly<Record<string, { readonly inject: Inject; readonly needs?: Options["database"] | "two" }>> = {
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
  "audit-killed": { inject: commandKilled("audit") },
  "primary-killed": { inject: primaryKilled, needs: "patroni" },
  "primary-killed-ahead": { inject: primaryKilledAhead, needs: "patroni" },
  "primary-frozen": { inject: primaryFrozen, needs: "patroni" },
  "primary-cut": { inject: primaryCut("all"), needs: "patroni" },
  "clients-cut": { inject: primaryCut("clients"), needs: "patroni" },
  "patroni-killed": { inject: patroniKilled, needs: "patroni" },
  "switched-over": { inject: switchedOver, needs: "patroni" },
  "standby-lost": { inject: standbyLost, needs: "patroni" }
}

/** The kinds that an installation can have. On a cluster, only kinds for clusters. */
export const kindsFor = ({ database, servers }: Omit<Options, "seed">): ReadonlyArray<string> => {
  if (database === "patroni") {
    const single = Object.entries(KINDS).filter(([, { needs }]) => needs === "patroni")
    return [...single.map(([name]) => name), ...(servers === 2 ? CLUSTER_PAIRS : [])]
  }
  const single = Object.entries(KINDS)
    .filter(([, { needs }]) => needs === undefined || needs === database || (needs === "two" && servers > 1))
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

const CLUSTER_PAIRS = ["primary-killed+kill", "primary-frozen+freeze-long", "switched-over+kill-all"]

/** Injects a fault of a kind into the running load. */
export const inject = async (kind: string, fault: Fault): Promise<void> => {
  const parts = kind.split("+").map((name) => KINDS[name])
  await Promise.all(
    parts.map((part) => {
      if (part === undefined) throw new Error(`there is no kind of fault ${kind}`)
      return part.inject(fault)
    })
  )
}
