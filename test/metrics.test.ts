/**
 * The metrics used by the dashboard and the alerts, as a server exports them after a small load.
 */
import { readFile } from "node:fs/promises"
import { serve } from "@watchword/node"
import * as Outcome from "@watchword/send/Outcome"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { createWatchword, memory } from "watchword"

const gateway = Layer.succeed(SmsGateway, {
  send: () => Effect.succeed(Outcome.accepted(["1"])),
  events: () => Effect.void,
  health: Effect.succeed([{ name: "carrier", up: true, window: { used: 1, size: 10 } }])
})

/** Counted only on faults, or only for named carriers, neither of which occur in this load. */
const OTHERS = ["watchword_carrier_messages_total", "watchword_gateway_throttled_total", "watchword_store_errors_total"]

const namesIn = async (file: string): Promise<ReadonlyArray<string>> => {
  const text = await readFile(new URL(`../deploy/${file}`, import.meta.url), "utf8")
  return [...new Set(text.match(/watchword_[a-z_]+/g))].filter((name) => !OTHERS.includes(name))
}

/** A number that the check before a send denies. */
const DENIED = "+4915123000000"

const start = async () => {
  const service = await createWatchword({
    store: memory(),
    sms: gateway,
    guards: { limits: [{ name: "number", by: ["to"], rates: ["100/1h"] }] },
    beforeSend: ({ to }) => ({ decision: to === DENIED ? "deny" : "allow" })
  })
  const operations = await serve({ handle: service.operations }, { port: 0 })
  const scrape = async () => (await fetch(`http://127.0.0.1:${operations.port}/metrics`)).text()
  return { service, scrape, [Symbol.asyncDispose]: () => operations.close().then(service.dispose) }
}

const seriesOf = (text: string) => text.split("\n").filter((line) => line.startsWith("watchword_")).length

it("has every metric that the dashboard and the alerts name, and no series of numbers or accounts", async () => {
  await using server = await start()
  const { service, scrape } = server
  let told = 0
  service.on("*", () => {
    told += 1
  })
  const load = async (from: number) => {
    const { account_id: account } = await service.operator.account.create({ name: `Acme ${from}`, sms_sender: "Acme" })
    const sandbox = { account, sandbox: true } as const
    for (let number = from; number < from + 5; number++) {
      const to = `+4915123${number}`
      await service.sms.send({ account }, { to, text: "Your code is 123456" })
      await service.sms.send(sandbox, { to, text: "Your code is 123456" })
      await service.chatgw.send(sandbox, { to, code: "4321" })
      await service.bizchat.send(sandbox, { to, text: "Order 2024: 55 55 00", code: "555500" })
      await service.call.flash(sandbox, { callee: to, caller: "+4930901820000", max_ring_time: 1 })
      const verification = await service.verify.start(sandbox, { to, code: "123456" })
      const checked = await service.verify.check(sandbox, verification.id, { code: "123456" })
      expect(checked.valid).toBe(true)
    }
    return account
  }
  const account = await load(411_111)
  await expect.poll(() => told).toBeGreaterThan(0)
  await expect.poll(scrape, { timeout: 30_000 }).toContain("watchword_events_pending")
  await expect.poll(scrape, { timeout: 30_000 }).toContain("watchword_delivery_statuses_total")
  const before = await scrape()
  for (const file of ["grafana/watchword.json", "prometheus/alerts.yml"]) {
    const missing = (await namesIn(file)).filter((name) => !new RegExp(`^${name}[ {]`, "m").test(before))
    expect(missing).toEqual([])
  }
  await load(411_211)
  const after = await scrape()
  for (const channel of ["sms", "chatgw", "bizchat", "call"]) {
    expect(after).toContain(`watchword_sends_total{channel="${channel}",country="DE",mode="sandbox"`)
  }
  await expect(service.sms.send({ account }, { to: DENIED, text: "Hello" })).rejects.toMatchObject({ reason: "denied" })
  const checks = (await scrape()).match(/^watchword_before_send_checks_total\{.*$/gm)
  expect(checks?.map((line) => line.replace(/ [1-9]\d*$/, " some")).toSorted()).toEqual(
    ["allow", "deny", "failed"].map(
      (outcome) => `watchword_before_send_checks_total{outcome="${outcome}"} ${outcome === "failed" ? 0 : "some"}`
    )
  )
  expect(seriesOf(after)).toBeLessThan(seriesOf(before) + 60)
  expect(after).not.toContain(account)
  expect(after).not.toContain("15123411")
})
