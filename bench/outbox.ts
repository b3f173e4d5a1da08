/**
 * Whether events keep up: texts with receipts at a fixed rate, sent on SQLite by a process on one core for an account
 * whose events go to one receiver. Each text has two events. For comparison, the same texts without an endpoint. The
 * backlog is the number of events that the endpoint has yet to receive.
 *
 * `npm run bench -- outbox [--rate=1000] [--seconds=20] [--rounds=3] [--json[=file]]`
 */
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { accepted } from "@watchword/send/Outcome"
import { type SmsEvent, SmsGateway } from "@watchword/sms/SmsGateway"
import { sqlite } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Watchword, createWatchword } from "watchword"
import { LOAD_CORE, SERVER_CORE, cpuOf, end, forkOn, keepTo, workFolder } from "./support/processes.ts"
import { figure, machineLine, medians, numberOption, say, table, writeJson } from "./support/report.ts"

const rate = numberOption("rate", 1_000)
const seconds = numberOption("seconds", 20)
const rounds = numberOption("rounds", 3)
/** Milliseconds between two groups of texts. */
const TICK = 5

/** Accepts each text at once, and sends its receipt 20 ms later. */
const gateway = () => {
  const handlers: Array<(event: SmsEvent) => Effect.Effect<void, unknown>> = []
  const receipt = (ref: string) => ({
    _tag: "Receipt" as const,
    refs: [ref],
    to: null,
    reference: null,
    status: "delivered" as const,
    carrierStatus: "DELIVRD",
    carrierError: "000"
  })
  return Layer.succeed(SmsGateway, {
    events: (handle) => Effect.sync(() => void handlers.push(handle)),
    health: Effect.succeed([]),
    webhook: null,
    send: ({ delivery }) => {
      setTimeout(() => handlers.map((handle) => Effect.runFork(handle(receipt(delivery)))), 20)
      return Effect.succeed(accepted([delivery]))
    }
  })
}

const folder = workFolder()

const start = async (place: string, url: string | null) => {
  const store = sqlite(join(folder, place))
  const options = { prices: { sms: { "*": 0.01 } }, secret: "0123456789abcdef0123456789abcdef" }
  const service = await createWatchword({ ...options, store, sms: gateway(), webhooks: { allowPrivate: true } })
  const { account_id: account } = await service.operator.account.create({ sms_sender: "Bench" })
  await service.operator.account.credit({ account_id: account, amount: 100_000_000 })
  if (url !== null) await service.operator.webhook.add({ account_id: account, url })
  return { service, account }
}

const backlogOf = async (service: Watchword): Promise<number> => {
  const [webhook] = (await service.operator.webhook.list()).webhooks
  return webhook?.pending ?? 0
}

const round = async ({ account, service }: Awaited<ReturnType<typeof start>>) => {
  const before = { at: performance.now(), cpu: cpuOf(process.pid) }
  const backlogs: Array<number> = []
  const sends: Array<Promise<unknown>> = []
  let sent = 0
  for (let looked = 0; performance.now() - before.at < seconds * 1_000; await sleep(TICK)) {
    const elapsed = performance.now() - before.at
    for (; sent < (elapsed / 1_000) * rate; sent++) {
      const to = `+49151234${String((sent * 7_919) % 1_000_000).padStart(6, "0")}`
      sends.push(service.sms.send(account, { to, text: "Your code is 123456" }))
    }
    if (elapsed < (looked + 1) * 1_000) continue
    looked++
    backlogs.push(await backlogOf(service))
  }
  await Promise.all(sends)
  const cpu = (cpuOf(process.pid) - before.cpu) / sent
  const perSecond = sent / ((performance.now() - before.at) / 1_000)
  const half = backlogs.length >> 1
  const slope = ((backlogs.at(-1) ?? 0) - (backlogs[half] ?? 0)) / (backlogs.length - 1 - half)
  const drained = performance.now()
  while ((await backlogOf(service)) > 0) await sleep(TICK)
  return { perSecond, cpu, backlog: backlogs.at(-1) ?? 0, slope, drained: performance.now() - drained }
}

const receiver = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/receiver.ts"))
const [port] = await once(receiver, "message")
keepTo(SERVER_CORE)
const systems = [
  { name: "not watched", ...(await start("plain.db", null)) },
  { name: "one endpoint", ...(await start("watched.db", `http://127.0.0.1:${port}/`)) }
]
try {
  for (const system of systems) await round(system)
  const measured = systems.map((system) => ({ system, rounds: new Array<Awaited<ReturnType<typeof round>>>() }))
  for (let index = 0; index < rounds; index++) {
    for (const { rounds, system } of measured) rounds.push(await round(system))
  }
  const results = measured.map(({ rounds, system: { name } }) => ({ name, ...medians(rounds), rounds }))
  say(`${machineLine()}; ${rate} sends a second asked for, medians of ${rounds} rounds of ${seconds} s\n`)
  say(
    table(
      ["", "sends/s", "CPU µs", "backlog", "more a second", "drained ms"],
      results.map(({ backlog, cpu, drained, name, perSecond, slope }) => [
        name,
        ...[perSecond, cpu, backlog, slope, drained].map(figure)
      ])
    )
  )
  writeJson({ bench: "outbox", rate, seconds, results })
} finally {
  for (const { service } of systems) await service.dispose()
  await end(receiver)
}
