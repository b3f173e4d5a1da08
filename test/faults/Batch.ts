/**
 * A batch: several rounds on one installation, each with a fault of its own, and then a period of rest, in which the
 * clock is moved ahead until every operation has finished.
 */
import { setTimeout as delay } from "node:timers/promises"
import { type Asking, asking as askingOf } from "./Asking.ts"
import type { Delivery } from "@watchword/store/Delivery"
import { type Evidence, type Violation, readRows } from "./Evidence.ts"
import { inject } from "./kinds.ts"
import { numberOf, roundOf, runLoad } from "./Load.ts"
import { startPulse } from "./Pulse.ts"
import { type When, broken } from "./rules/rules.ts"
import { randomOf } from "./seeds.ts"
import { type Options, type Site, openSite } from "./Site.ts"

export interface Round {
  /** Counted from 1; it is part of the numbers of its users. */
  readonly nth: number
  readonly kind: string
}

export interface Found extends Violation {
  /** The round whose user the violation concerns, or the round in which it was found. */
  readonly round: Round
}

export interface Outcome {
  readonly found: ReadonlyArray<Found>
  readonly asked: number
  readonly answered: number
  readonly arrived: number
  readonly records: number
  readonly events: number
  /** On a cluster: the longest time without a text sent in each round, in milliseconds. */
  readonly pauses: ReadonlyArray<{ readonly round: Round; readonly pause: number }>
}

export interface BatchOptions extends Options {
  readonly rounds: ReadonlyArray<Round>
  readonly journeys: number
  readonly say: (line: string) => void
  /** Breaks something after the rounds, to test the rules. */
  readonly tamper?: (site: Site) => void
}

const HOUR = 3_600_000

/** Longer than the lease of a verification step, and shorter than the validity of a signature. */
const LEASE = 90_000

/** How long the steps that follow may take. */
const STEPS = 2_500

export const runBatch = async (options: BatchOptions): Promise<Outcome> => {
  const { journeys, rounds, say, seed } = options
  const site = await openSite(options)
  const { peers } = site
  const asking = askingOf(site)
  const erased = new Set<string>()
  const found = new Map<string, Found>()
  const pauses: Array<Outcome["pauses"][number]> = []
  let records = 0

  const gather = async (when: ReadonlyArray<When>, now: Round): Promise<void> => {
    const evidence = await evidenceOf(site, asking, erased, when.includes("erased"))
    records = evidence.records.length
    for (const violation of when.flatMap((each) => broken(each, evidence))) {
      const key = JSON.stringify(violation)
      if (found.has(key)) continue
      const round = rounds.find(({ nth }) => violation.number !== null && nth === roundOf(violation.number)) ?? now
      found.set(key, { ...violation, round })
      say(`  VIOLATION of ${violation.rule} in round ${round.nth} (${round.kind}): ${violation.what}`)
    }
  }

  try {
    for (const round of rounds) {
      const random = randomOf(seed, `round ${round.nth}`)
      const earlier = rounds[0] === round ? null : numberOf(round.nth - 1, 10 + random.below(journeys))
      if (/erase|rewrite/u.test(round.kind) && earlier !== null) erased.add(earlier)
      asking.giveUpAt = Date.now() + (site.cluster === null ? PATIENCE : PATIENCE_WITH_CLUSTER)
      const pulse = site.cluster === null ? null : startPulse(round.nth, asking)
      await Promise.all([
        runLoad(round.nth, seed, journeys, asking, peers),
        inject(round.kind, { site, random, earlier })
      ])
      if (pulse !== null) {
        const pause = await pulse.end()
        pauses.push({ round, pause })
        say(`  ${round.kind}: no text was sent for ${(pause / 1_000).toFixed(1)} s`)
      }
      await peers.calm()
      await within(QUIET, () => peers.arrivals.owed === 0)
      await gather(["always"], round)
    }
    options.tamper?.(site)
    const last = rounds.at(-1)
    if (last !== undefined) await rest(site, rounds, erased, (when) => gather(when, last), say)
  } finally {
    await site.close()
  }
  return {
    found: [...found.values()],
    asked: asking.log.length,
    answered: asking.log.filter(({ status }) => status !== null).length,
    arrived: peers.arrivals.all.filter(({ taken }) => taken).length,
    records,
    events: peers.receiver.told.length,
    pauses
  }
}

/** How long requests are repeated after the beginning of a round, in milliseconds. */
const PATIENCE = 6_000
/** The same if another server has to be promoted. */
const PATIENCE_WITH_CLUSTER = 25_000

/** How long the peers may take to deliver their reports after the load. */
const QUIET = 2_000

/** How long any operation may take at rest. */
const AT_REST = 30_000

/**
 * Moves the clock ahead: receipts arrive, verifications end, events are delivered, and holds of unknown sends end.
 */
const rest = async (
  site: Site,
  rounds: ReadonlyArray<Round>,
  erased: Set<string>,
  gather: (when: ReadonlyArray<When>) => Promise<void>,
  say: BatchOptions["say"]
): Promise<void> => {
  const { account, peers, servers } = site
  const [server] = servers
  if (server === undefined) return

  const every = async (holds: (record: Delivery) => boolean): Promise<boolean> =>
    (await readRows(site, account)).records.every(holds)
  /** Waits until a condition of the rules holds; if it never does, the rules report the violations. */
  const settle = async (what: string, isSo: () => boolean | Promise<boolean>): Promise<void> => {
    if (!(await within(AT_REST, isSo))) say(`  After ${AT_REST / 1000} s not every ${what}`)
  }
  const restart = async (ahead: number): Promise<void> => {
    await Promise.all(servers.map((each) => each.kill()))
    await server.start(ahead)
  }

  for (const each of servers) if (!each.isUp()) await each.start()
  await settle("report of a peer was taken", () => peers.arrivals.owed === 0)
  await settle("send was answered", () => every(({ phase }) => phase !== "pending"))

  // The next server takes over the steps of a server that died.
  await restart(LEASE)
  await site.database.hurry()
  await delay(STEPS)
  await settle("report of a peer was taken", () => peers.arrivals.owed === 0)
  await settle("send was answered", () => every(({ phase }) => phase !== "pending"))

  await restart(2 * HOUR)
  await site.database.hurry()
  await settle("verification has ended", () =>
    every(({ channel, status }) => channel !== "verify" || status.name !== "pending")
  )
  await settle("event was told", () => isTold(site))
  await gather(["always", "verified"])

  await restart(26 * HOUR)
  await settle("hold has ended", () => every(({ phase }) => phase !== "pending" && phase !== "unknown"))
  await settle("verification was settled", async () => {
    await site.database.hurry()
    return every(({ dueAt }) => dueAt === null)
  })
  await settle("event was told", () => isTold(site))
  await gather(["always", "at rest"])

  for (const { nth } of rounds) erased.add(numberOf(nth, 10))
  for (const number of erased) {
    const { code, stdout } = await site.command(["erase", number, "--rewrite", "--json"], 26 * HOUR).ended
    // If a number cannot be erased at rest, its traces reveal it.
    if (code !== 0) say(`  watchword erase ended with ${code} at rest: ${stdout}`)
  }
  await gather(["always", "erased"])
}

/** Whether no event is waiting to be delivered. */
const isTold = async ({ command, database }: Site): Promise<boolean> => {
  await database.hurry()
  await delay(300)
  const { stdout } = await command(["webhook", "list", "--json"]).ended
  const { webhooks } = JSON.parse(stdout)
  return Array.isArray(webhooks) && webhooks.every(({ pending }) => pending === 0)
}

/** Waits until a condition holds; resolves to false if it does not hold in time. */
const within = async (milliseconds: number, isSo: () => boolean | Promise<boolean>): Promise<boolean> => {
  for (const end = Date.now() + milliseconds; Date.now() < end; await delay(50)) if (await isSo()) return true
  return false
}

/** The current evidence. Arrivals and answers are read before the records, which must then cover all of them. */
const evidenceOf = async (
  site: Site,
  asking: Asking,
  erased: ReadonlySet<string>,
  isErased: boolean
): Promise<Evidence> => {
  const arrivals = [...site.peers.arrivals.all]
  const asked = [...asking.log]
  const written = site.peers.carrier.written.map((text) => ({ ...text }))
  const rows = await readRows(site, site.account)
  return {
    ...rows,
    arrivals,
    written,
    asked,
    told: [...site.peers.receiver.told],
    printed: site.printed.map(({ by, text }) => ({ by, text: text() })),
    secrets: site.secrets,
    deaths: [...site.deaths],
    erased,
    traces: isErased ? await site.database.traces([...erased].map((number) => number.slice(1))) : []
  }
}
