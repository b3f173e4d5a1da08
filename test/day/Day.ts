/**
 * State shared by the steps of the day: the service, its peers, and the timeline that is printed.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Alerting } from "./Alerting.ts"
import * as Carriers from "./Carriers.ts"
import { Clock } from "./Clock.ts"
import { Customers, type Shop } from "./Customers.ts"
import * as Dashboard from "./Dashboard.ts"
import { Front } from "./Front.ts"
import { Phones } from "./Phones.ts"
import * as Prometheus from "./Prometheus.ts"
import * as Service from "./Service.ts"
import { openShop, writeRules } from "./Shop.ts"

export interface Day {
  readonly folder: string
  readonly clock: Clock
  readonly service: Service.Service
  readonly carriers: Carriers.Carriers
  readonly phones: Phones
  readonly front: Front
  readonly shop: Shop
  readonly customers: Customers
  /** Null without Prometheus. */
  readonly alerting: Alerting | null
  /** Numbers that were erased. */
  readonly forgotten: Set<string>
  /** Problems found; a day without faults exits with 0. */
  readonly faults: Array<string>
  readonly say: (line: string) => void
  /** Prints a line that must hold, and records a fault if it does not. */
  readonly must: (holds: boolean, line: string) => void
  /** Prints the dashboard's figures and the findings of an audit. */
  readonly report: () => Promise<void>
  readonly close: () => Promise<void>
}

/** @param minutes the duration of the day */
export const open = async (minutes: number): Promise<Day> => {
  const folder = await mkdtemp(join(tmpdir(), "watchword-day-"))
  const phones = new Phones()
  const carriers = await Carriers.open(phones)
  const settings = { ...carriers.settings, ...(await writeRules(folder)), DRAIN_SECONDS: "1", LOG_LEVEL: "warn" }
  const secrets = { ...carriers.secrets, VERIFY_SECRET: crypto.randomUUID() + crypto.randomUUID() }
  const service = await Service.open(folder, settings, secrets)
  const shop = await openShop(service.operator, carriers.webhooks.url)
  const operations = service.servers.map((server) => server.operations)
  const prometheus = await Prometheus.open(folder, operations)
  const front = new Front(service.servers)
  const customers = new Customers(shop, front, phones)
  carriers.reportTo(() => front.next)
  const clock = new Clock(minutes)
  const say = (line: string): void => console.log(`${clock.time}  ${line}`)
  const alerting = prometheus === null ? null : new Alerting(prometheus, () => clock.time.trim(), say)
  // Commits are slow on a busy machine, which says nothing about the service.
  alerting?.expect("WatchwordCommitsSlow")
  const faults: Array<string> = []

  const must: Day["must"] = (holds, line) => {
    say(holds ? line : `WRONG: ${line}`)
    if (!holds) faults.push(line)
  }

  const report = async (): Promise<void> => {
    const figures = prometheus === null ? Dashboard.readPlain(operations) : Dashboard.read(prometheus)
    for (const line of await figures) console.log(`          ${line}`)
    const { ok, violations } = await service.operator("audit").catch((error: unknown) => ({
      ok: false,
      violations: String(error)
    }))
    must(ok === true, `audit: ${ok === true ? "every rule of money and messages holds" : JSON.stringify(violations)}`)
  }

  const close = async (): Promise<void> => {
    front.close()
    await service.close()
    await carriers.close()
    await alerting?.end()
    await prometheus?.close()
    await rm(folder, { recursive: true, force: true })
  }

  return {
    folder,
    clock,
    service,
    carriers,
    phones,
    front,
    shop,
    customers,
    alerting,
    forgotten: new Set(),
    faults,
    say,
    must,
    report,
    close
  }
}
