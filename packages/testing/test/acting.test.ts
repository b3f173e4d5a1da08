import { expect, it } from "vitest"
import { NoMessage } from "@watchword/testing"
import { start, to } from "./kit.ts"

const workflow = (...by: ReadonlyArray<"sms" | "call" | "bizchat">) => [
  { channel: "receive", by, timeout: 300, reply: false } as const,
  { channel: "sms", timeout: 60 } as const
]

it("a phone writes the text that it is asked for, by the form that the test chooses", async () => {
  const kit = await start()
  const phone = await kit.phones.add(to, { mode: "manual" })
  for (const by of ["bizchat", "sms"] as const) {
    const { id } = await kit.service.verify.start(kit.sandbox, { to, workflow: workflow("sms", "bizchat") })
    expect(await phone.write(undefined, { by })).toEqual({ by, result: "approved" })
    expect(await kit.service.verify.get(kit.sandbox, id)).toMatchObject({ status: "approved", by })
  }
})

it("a phone calls the number that it is asked to, or another one", async () => {
  const kit = await start()
  const phone = await kit.phones.add(to, { mode: "manual" })
  const { id } = await kit.service.verify.start(kit.sandbox, { to, workflow: workflow("call") })
  expect(await phone.call("+447700900819")).toEqual({ by: "call", result: "unknown" })
  expect(await phone.call(undefined, { withheld: true })).toEqual({ by: "call", result: "unknown" })
  expect(await phone.call()).toEqual({ by: "call", result: "approved" })
  expect(await kit.service.verify.get(kit.sandbox, id)).toMatchObject({ status: "approved", assurance: "network" })
})

it("a phone says something else, hides its number, or is less sure of it, and proves nothing", async () => {
  const kit = await start()
  const phone = await kit.phones.add(to, { mode: "manual" })
  const { id } = await kit.service.verify.start(kit.sandbox, {
    to,
    workflow: workflow("bizchat"),
    least_assurance: "network"
  })
  expect(await phone.write("Hello")).toEqual({ by: "bizchat", result: "unknown" })
  expect(await phone.write(undefined, { assurance: "claimed" })).toEqual({ by: "bizchat", result: "weak" })
  expect(await phone.write(undefined, { withheld: true })).toEqual({ by: "bizchat", result: "not_shared" })
  expect(await kit.service.verify.get(kit.sandbox, id)).toMatchObject({ channel: "sms", status: "pending" })
})

it("phones have no news while a verification waits", async () => {
  const kit = await start()
  await kit.listen()
  const by = ["telegram_login", "sms", "call", "bizchat"] as const
  await kit.service.verify.start(kit.sandbox, { to, workflow: [{ channel: "receive", by, timeout: 300 }] })
  const { cursor } = await kit.service.sandbox.phoneEvents(kit.sandbox)
  expect(await kit.service.sandbox.phoneEvents(kit.sandbox, { after: cursor })).toMatchObject({ events: [] })
})

it("a phone that is asked for nothing says so", async () => {
  const kit = await start()
  const phone = await kit.phones.add(to, { mode: "manual" })
  await expect(phone.write(undefined, { timeout: 0 })).rejects.toThrow(NoMessage)
  await expect(phone.login({ timeout: 0 })).rejects.toThrow("No verification that waits for telegram_login came")
  await expect(phone.call("+4930901820123")).rejects.toMatchObject({ issues: [{ path: "to" }] })
})

it("a phone acts by itself, by the kit's clock, unless a person has it", async () => {
  const kit = await start()
  const phone = await kit.phones.add(to)
  const { id } = await kit.service.verify.start(kit.sandbox, { to, workflow: workflow("bizchat") })
  await kit.clock.advance(0.9)
  expect(await kit.service.verify.get(kit.sandbox, id)).toMatchObject({ status: "pending" })
  await kit.clock.advance(0.1)
  expect(await kit.service.verify.get(kit.sandbox, id)).toMatchObject({ status: "approved", by: "bizchat" })

  await phone.set({ mode: "manual" })
  const second = await kit.service.verify.start(kit.sandbox, { to, workflow: workflow("bizchat") })
  await kit.clock.advance(301)
  expect(await kit.service.verify.get(kit.sandbox, second.id)).toMatchObject({ status: "pending", channel: "sms" })
})
