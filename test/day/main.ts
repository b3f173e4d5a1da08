/**
 * A day of a small service in some minutes: `npm run day -- --minutes=10`.
 *
 * Two servers on one PostgreSQL send on all channels to simulated carriers, while what happens in production happens: a
 * carrier is down, servers are restarted and killed, an attacker pumps. Each step ends with the figures of the
 * dashboard, asked of a Prometheus that scrapes both servers, and with an audit. At the end every message on a phone is
 * compared with the records and the ledger; the program exits with 1 where one was lost or doubled.
 */
import { parseArgs } from "node:util"
import * as Books from "./Books.ts"
import { type Day, open } from "./Day.ts"
import { seed } from "./draws.ts"
import { FACTOR } from "./Prometheus.ts"
import { attack } from "./steps/attack.ts"
import { restored } from "./steps/backup.ts"
import { degrading } from "./steps/degrading.ts"
import { erased } from "./steps/erase.ts"
import { carrierDown, carrierUp } from "./steps/outage.ts"
import { receiverDown, receiverUp, toldOfAll } from "./steps/receiver.ts"
import { killed, rollingRestart } from "./steps/servers.ts"

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, rate: { type: "string", default: "6" } }
})
const [minutes, rate] = [Number(values.minutes), Number(values.rate)]
if (!(minutes > 0) || !(rate > 0)) {
  console.error("--minutes and --rate (sends a second in the busiest hour) must be numbers above 0.")
  process.exit(2)
}

/** What happens at which hour. */
const steps = (receiverOutage: number): ReadonlyArray<readonly [hour: number, step: (day: Day) => Promise<void>]> => [
  [6, async ({ say }) => say("The morning: all channels have traffic")],
  [7, (day) => receiverDown(day, receiverOutage)],
  [9, carrierDown],
  [11, carrierUp],
  [12, degrading],
  [13.5, (day) => receiverUp(day, receiverOutage)],
  [14, rollingRestart],
  [16, killed],
  [18, attack],
  [20, restored],
  [22, erased],
  [24, toldOfAll]
]

/** Compares phones, records and ledger, and prints the table of the day. */
const close = async ({ customers, forgotten, front, must, phones, say, service, shop }: Day): Promise<void> => {
  const entries = await service.operator("account", "entries", shop.account)
  const { faults, rows } = await Books.balance(customers.client, entries, phones, customers.acknowledged, (number) =>
    forgotten.has(number)
  )
  const { outcomes } = customers
  say(
    `${outcomes.answered} requests were answered, ${outcomes.refused} refused and ${outcomes.unanswered} unanswered; ` +
      `${front.lost} answers were lost on the way; ${customers.approved.length} users are verified`
  )
  console.table(
    Object.fromEntries(rows.map(({ channel, cost, ...row }) => [channel, { ...row, EUR: cost.toFixed(2) }]))
  )
  for (const fault of faults.slice(0, 20)) must(false, fault)
  must(faults.length === 0, `${faults.length} messages were lost, doubled or not paid for`)
  must(customers.outcomes.unanswered === 0, "every request was answered in the end")
}

const run = async (): Promise<number> => {
  const day = await open(minutes)
  const { alerting, clock, customers, faults, must, report, say } = day
  process.once("SIGINT", () => void day.close().finally(() => process.exit(130)))
  try {
    say(`Two servers on one PostgreSQL are up. The day takes ${minutes} minutes, SEED=${seed}.`)
    if (alerting === null) say("No Prometheus is installed: figures are those of /metrics, and no alert is evaluated.")
    else say(`Prometheus evaluates deploy/prometheus/alerts.yml; durations are divided by ${FACTOR}.`)
    customers.begin(clock, rate)
    for (const [hour, step] of steps(6.5 * clock.hourTakes)) {
      await clock.until(hour)
      if (hour >= 24) await customers.end()
      await step(day)
      await report()
    }
    await close(day)
    for (const { about, from, name } of alerting?.unexpected ?? []) must(false, `${name} ${about} fired at ${from}`)
  } finally {
    await day.close()
  }
  console.log(
    faults.length === 0 ? "Nothing was lost, and nothing doubled." : `${faults.length} faults:\n${faults.join("\n")}`
  )
  return faults.length === 0 ? 0 : 1
}

process.exitCode = await run()
