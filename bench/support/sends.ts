/**
 * Texts sent in the process itself, by accounts that differ in one setting, on SQLite and on PostgreSQL. The gateway
 * answers at once, so a send waits only for the store's steps.
 */
import { accepted } from "@watchword/send/Outcome"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Options, type Watchword, createWatchword } from "watchword"
import type { PostgresServer } from "../../test/PostgresServer.ts"
import { cpuOf, cpuOfAll, familyOf } from "./processes.ts"
import { undisturbed } from "./quiet.ts"
import { figure, machineLine, medians, numberOption, quantile, say, table, writeJson } from "./report.ts"

const rounds = numberOption("rounds", 5)
const seconds = numberOption("seconds", 4)
const waiting = numberOption("waiting", 50)

/** An account of a service. */
export interface System {
  readonly name: string
  readonly service: Watchword
  readonly account: string
}

const gateway = Layer.succeed(SmsGateway, {
  events: () => Effect.void,
  health: Effect.succeed([]),
  webhook: null,
  send: ({ delivery }) => Effect.succeed(accepted([delivery]))
})

export const serviceOn = (options: Pick<Options, "background" | "store" | "webhooks">): Promise<Watchword> =>
  createWatchword({ ...options, sms: gateway, prices: { sms: { "*": 0.01 } } })

export const accountOf = async (service: Watchword): Promise<string> => {
  const { account_id: account } = await service.operator.account.create({ sms_sender: "Bench" })
  await service.operator.account.credit({ account_id: account, amount: 100_000_000 })
  return account
}

let sent = 0

/** Sends to ten thousand numbers with a hundred prefixes, from two hundred addresses. */
const send = async ({ account, service }: System): Promise<void> => {
  const index = sent++
  const to = `+49151234${String((index * 7_919) % 1_000_000).padStart(6, "0")}`
  await service.sms.send(account, { to, text: "Your code is 123456", client_ip: `192.0.2.${index % 200}` })
}

const round = async (database: PostgresServer, system: System, duration: number) => {
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

/** Measures accounts in turn, round by round, prints the medians, and closes their services. */
export const compareSends = async (
  bench: string,
  database: PostgresServer,
  systems: ReadonlyArray<System>
): Promise<void> => {
  try {
    for (const system of systems) await round(database, system, Math.min(seconds, 3))
    const measured = systems.map((system) => ({ system, rounds: new Array<Round>() }))
    for (let index = 0; index < rounds; index++) {
      for (const { rounds, system } of measured) {
        rounds.push(await undisturbed(familyOf(database.pid()), () => round(database, system, seconds)))
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
    writeJson({ bench, waiting, seconds, results })
  } finally {
    for (const service of new Set(systems.map((system) => system.service))) await service.dispose()
  }
}
