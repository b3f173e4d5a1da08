/**
 * What guards cost a send: texts of an account without rules, and of one with five limits (seven rates, of which each is a
 * counter), called in-process, on SQLite and on PostgreSQL with `synchronous_commit = on`. The gateway answers at once, so
 * that the steps of the store are all that a send waits for.
 *
 * `npm run bench -- guards [--rounds=5] [--seconds=4] [--waiting=50] [--json[=file]]`
 */
import { join } from "node:path"
import { accepted } from "@watchword/send/Outcome"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import { postgres } from "@watchword/store-postgres"
import { sqlite } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type GuardRules, type Options, type Watchword, createWatchword } from "watchword"
import { start } from "../test/PostgresServer.ts"
import { cpuOf, cpuOfAll, familyOf, workFolder } from "./support/processes.ts"
import { undisturbed } from "./support/quiet.ts"
import { figure, machineLine, medians, numberOption, quantile, say, table, writeJson } from "./support/report.ts"

const rounds = numberOption("rounds", 5)
const seconds = numberOption("seconds", 4)
const waiting = numberOption("waiting", 50)

/** Limits that nothing here reaches, by keys that each send has. */
const rules: GuardRules = {
  action: "deny",
  limits: [
    { name: "pair", by: ["to", "client_ip"], rates: ["1000000/30s", "5000000/1h"] },
    { name: "number", by: ["to"], rates: ["5000000/1h", "10000000/1d"] },
    { name: "ip", by: ["client_ip"], rates: ["20000000/1h"] },
    { name: "prefix", by: ["to_prefix"], rates: ["100000000/1h"] },
    { name: "spend", by: ["account"], money: "900000000/1d" }
  ]
}

const gateway = Layer.succeed(SmsGateway, {
  events: () => Effect.void,
  health: Effect.succeed([]),
  webhook: null,
  send: ({ delivery }) => Effect.succeed(accepted([delivery]))
})

interface System {
  readonly name: string
  readonly service: Watchword
  readonly account: string
}

/** A service on a store, and two accounts of it. */
const systemsOn = async (name: string, store: Options["store"]): Promise<ReadonlyArray<System>> => {
  const service = await createWatchword({ store, sms: gateway, prices: { sms: { "*": 0.01 } } })
  const accountWith = async (kind: string, guard: GuardRules | null): Promise<System> => {
    const account = await service.operator.createAccount({ name: kind, smsSender: "Bench" })
    await service.operator.credit(account, 100_000_000)
    if (guard !== null) await service.operator.guards.set(account, guard)
    return { name: `${name}, ${kind}`, service, account }
  }
  return [await accountWith("no rules", null), await accountWith("five limits", rules)]
}

let sent = 0

/** Sends to ten thousand numbers of a hundred prefixes, from two hundred addresses. */
const send = async ({ account, service }: System): Promise<void> => {
  const index = sent++
  const to = `+49151234${String((index * 7_919) % 1_000_000).padStart(6, "0")}`
  await service.sms.send(account, { to, text: "Your code is 123456", client_ip: `192.0.2.${index % 200}` })
}

const round = async (system: System, duration: number) => {
  const latencies: Array<number> = []
  const end = performance.now() + duration * 1000
  const before = { at: performance.now(), cpu: cpuOf(process.pid), database: cpuOfAll(database.pid()) }
  const sender = async (): Promise<void> => {
    while (performance.now() < end) {
      const started = performance.now()
      await send(system)
      latencies.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: waiting }, sender))
  return {
    sends: latencies.length / ((performance.now() - before.at) / 1000),
    cpu: (cpuOf(process.pid) - before.cpu) / latencies.length,
    database: (cpuOfAll(database.pid()) - before.database) / latencies.length,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99)
  }
}

type Round = Awaited<ReturnType<typeof round>> & { readonly others: number }

const database = await start({ durable: true })
const systems = [
  ...(await systemsOn("SQLite", sqlite(join(workFolder(), "guards.db")))),
  ...(await systemsOn("PostgreSQL", postgres(database.url)))
]
try {
  for (const system of systems) await round(system, Math.min(seconds, 3))
  const measured = systems.map((system) => ({ system, rounds: new Array<Round>() }))
  for (let index = 0; index < rounds; index++) {
    for (const { rounds, system } of measured) {
      rounds.push(await undisturbed(familyOf(database.pid()), () => round(system, seconds)))
    }
  }
  const results = measured.map(({ rounds, system: { name } }) => ({ name, ...medians(rounds), rounds }))
  say(`${machineLine()}; ${waiting} sends at once, medians of ${rounds} rounds of ${seconds} s\n`)
  say(
    table(
      ["", "sends/s", "CPU µs", "PostgreSQL µs", "p50 ms", "p99 ms", "others"],
      results.map(({ cpu, database, name, others, p50, p99, sends }) => [
        name,
        figure(sends),
        figure(cpu),
        figure(database),
        figure(p50),
        figure(p99),
        `${others.toFixed(0)} %`
      ])
    )
  )
  writeJson({ bench: "guards", waiting, seconds, results })
} finally {
  for (const service of new Set(systems.map((system) => system.service))) await service.dispose()
  await database.stop()
}
