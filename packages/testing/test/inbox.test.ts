import { NoMessage, startWatchword } from "@watchword/testing"
import { describe, expect, it } from "vitest"
import { other, send, start, to } from "./kit.ts"

describe("the inbox", () => {
  it("has what phones show, of all channels, oldest first", async () => {
    const kit = await start({ now: new Date("2030-01-01T00:00:00Z") })
    await send(kit, "sms")
    await send(kit, "call", other)
    const at = new Date("2030-01-01T00:00:00Z")
    const text = "Your code is 471199."
    expect(kit.inbox.all()).toEqual([
      { id: expect.any(String), channel: "sms", to, from: "Test", text, code: "471199", at },
      { id: expect.any(String), channel: "call", to: other, from: "+493023125000", text: null, code: "125000", at }
    ])
    kit.inbox.clear()
    expect(kit.inbox.all()).toEqual([])
  })

  it("gives each message once, the oldest first", async () => {
    const kit = await start()
    await send(kit, "sms")
    await send(kit, "bizchat")
    await send(kit, "sms", other)
    expect(await kit.inbox.next(to, { channel: "bizchat" })).toMatchObject({ channel: "bizchat" })
    expect(await kit.inbox.next(other)).toMatchObject({ to: other })
    expect(await kit.inbox.next()).toMatchObject({ channel: "sms", to })
    await expect(kit.inbox.next(undefined, { timeout: 0.001 })).rejects.toThrow(NoMessage)
  })

  it("waits for a message, and gives it to the first that waits for it", async () => {
    const kit = await start()
    const waiting = [kit.inbox.next(other), kit.inbox.next(to), kit.inbox.next()]
    await send(kit, "sms")
    await send(kit, "bizchat")
    await send(kit, "sms", other)
    expect(await Promise.all(waiting)).toMatchObject([
      { to: other },
      { to, channel: "sms" },
      { to, channel: "bizchat" }
    ])
  })

  it("says what came instead", async () => {
    const kit = await start()
    await expect(kit.inbox.next(to, { timeout: 0.001 })).rejects.toThrow(
      `No message to ${to} came in 1ms. Nothing was sent at all.`
    )
    await send(kit, "sms")
    await send(kit, "sms", other)
    await kit.inbox.next(to)
    kit.fail("sms", "throttled", { once: true })
    await send(kit, "sms")
    await expect(kit.inbox.next(to, { channel: "sms", timeout: 0.02 })).rejects.toThrow(
      [
        `No sms to ${to} came in 20ms. There was:`,
        `  sms to ${to}, which next has given`,
        `  sms to ${other}`,
        `  sms to ${to}: throttled`
      ].join("\n")
    )
  })

  it("refuses numbers that no message can come to, and channels that there are not", async () => {
    const kit = await start()
    await expect(kit.inbox.next("0151 2345")).rejects.toThrow("to must be a phone number in E.164")
    await expect(Reflect.apply(kit.inbox.next, kit.inbox, [to, { channel: "fax" }])).rejects.toThrow("fax")
  })

  it("has the code of a call in the length of its verification", async () => {
    const kit = await start()
    const workflow = [{ channel: "call", timeout: 60 }] as const
    const { id } = await kit.service.verify.start(kit.account, { to, workflow, code_length: 4 })
    const { code, from } = await kit.inbox.next(to)
    expect([code.length, from?.endsWith(code)]).toEqual([4, true])
    expect(await kit.service.verify.check(kit.account, id, { code })).toMatchObject({ valid: true })
  })
})

describe("a kit", () => {
  it("serves the interface over HTTP, for live keys and those of the sandbox", async () => {
    const kit = await start()
    const url = await kit.listen()
    for (const key of [kit.keys.live, kit.keys.sandbox, "wrong"]) {
      const response = await fetch(`${url}/sms`, {
        method: "POST",
        headers: { "x-account-id": kit.account, "x-api-key": key, "content-type": "application/json" },
        body: JSON.stringify({ to, text: "Your code is 123456" })
      })
      expect(response.status).toBe(key === "wrong" ? 401 : 200)
    }
    expect((await kit.inbox.next(to)).code).toBe("123456")
    const { balance } = await kit.service.operator.account.show({ account_id: kit.account })
    expect(balance).toBe(99.95)
  })

  it("takes the prices of the service that it stands for, and any balance", async () => {
    const kit = await start({ prices: { sms: { "*": 1 } }, balance: 1.5 })
    expect([await send(kit, "sms"), await send(kit, "sms"), await send(kit, "bizchat")]).toEqual([200, 402, 400])
    await kit.service.operator.account.credit({ account_id: kit.account, amount: 1 })
    expect(await kit.service.verify.start(kit.account, { to })).toMatchObject({ channel: "sms" })
  })

  it("ends once, with its server, and answers nothing after that", async () => {
    const kit = await startWatchword()
    const url = await kit.listen()
    expect((await fetch(`${url}/sms`)).status).toBe(405)
    await Promise.all([kit[Symbol.asyncDispose](), kit.dispose()])
    await expect(fetch(`${url}/sms`)).rejects.toThrow()
    await expect(kit.service.sms.send(kit.account, { to, text: "x" })).rejects.toMatchObject({ status: 503 })
  })
})
