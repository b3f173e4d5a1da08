/**
 * The handset in Chromium, on a development server.
 */
import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type DevServer, start } from "../../dev/test/DevServer.ts"
import { folderForEach } from "../../../test/folder.ts"
import { add, codeIn, handsetOf } from "./Handset.ts"
import { type Tab, launch, openTab } from "./chromium.ts"

const folder = folderForEach()
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

let server: DevServer
let tab: Tab
beforeEach(async () => {
  server = await start({ folder: folder.path() })
  tab = await openTab(browser)
  await tab.page.goto(`${server.origin}/handset`)
})
afterEach(async () => {
  await tab.close()
  await server.stop()
})

const number = "+4915123456789"

const verify = async (
  terms: Readonly<Record<string, unknown>>,
  ...channels: ReadonlyArray<string>
): Promise<string> => {
  const workflow = channels.map((channel) => ({ channel, timeout: 30 }))
  const { body } = await server.ask("/verifications", { to: number, workflow, ...terms })
  return String(body["id"])
}

const check = async (id: string, code: string) =>
  (await server.ask("/verifications/check", { verification_id: id, code })).body

/** Waits until the server has heard of a change. */
const phoneHas = (settings: Readonly<Record<string, unknown>>) =>
  expect
    .poll(async () => (await server.ask(`/sandbox/phones/${encodeURIComponent(number)}`)).body)
    .toMatchObject(settings)

describe("the handset", () => {
  it("says what to do before there is a phone, and shows one when a text comes to its number", async () => {
    await tab.page.getByRole("heading", { name: "No phone yet" }).waitFor()
    const id = await verify({}, "sms")
    const { desk, notification, phone } = handsetOf(tab.page, number)
    await notification(/Acme code/).click()
    const code = codeIn(await phone.getByRole("log").textContent())
    await phone.getByRole("button", { name: `Copy ${code}` }).click()
    await phone.getByRole("status").getByText("Copied").waitFor()
    expect(await tab.page.evaluate("navigator.clipboard.readText()")).toBe(code)
    expect(await check(id, code)).toMatchObject({ valid: true })
    await desk.getByText("Approved").waitFor()
    expect(tab.complaints).toEqual([])
  })

  it("rings: a call is declined, and the digits that it marks are the code", async () => {
    const { desk, phone } = await add(tab.page, number)
    const id = await verify({}, "call")
    const code = codeIn(await phone.locator("mark").textContent())
    expect(await tab.page.title()).toMatch(/^Ringing/)
    await phone.getByRole("button", { name: "Decline" }).click()
    await phone.getByRole("button", { name: /Call declined/ }).waitFor()
    expect(await check(id, code)).toMatchObject({ valid: true })
    await desk.getByText("Approved").waitFor()
  })

  it("answers a call, or lets it ring unseen until the network drops it", async () => {
    const { desk, phone } = await add(tab.page, number)
    await verify({}, "call", "sms")
    await phone.getByRole("button", { name: "Ignore" }).click()
    await phone.getByRole("region", { name: "Lock screen" }).waitFor()
    await desk.getByRole("button", { name: "Drop the call" }).click()
    await phone.getByRole("button", { name: /Acme code/ }).waitFor()
    await server.ask("/call/flash", { callee: number, caller: "+493023125123" })
    await phone.getByRole("button", { name: "Answer" }).click()
    await phone.getByRole("button", { name: /Call answered/ }).waitFor()
  })

  it("reports a chat read when its user opens it", async () => {
    const { notification, phone } = await add(tab.page, number)
    const id = await verify({}, "chatgw")
    await notification(/Your code is/).click()
    await phone.getByText(/, read$/).waitFor()
    expect(await check(id, codeIn(await phone.getByRole("log").textContent()))).toMatchObject({ valid: true })
  })

  it("steps to a text in sight where the number has no account on the chat app", async () => {
    const { desk, notification } = await add(tab.page, number)
    await desk.getByText("How the phone answers").click()
    await desk.getByLabel("Chat gateway").selectOption("no")
    await phoneHas({ chatgw: false })
    await verify({}, "chatgw", "sms")
    await desk.getByText("not delivered: no account").waitFor()
    await desk.getByText(/^SMS\s*delivered$/).waitFor()
    await notification(/Acme code/).waitFor()
  })

  it("shows the next step, and how long it is until then", async () => {
    const { desk } = await add(tab.page, number)
    await desk.getByText("How the phone answers").click()
    await desk.getByLabel("Texts").selectOption("delay")
    await desk.getByRole("radio", { name: "Answers itself" }).check()
    await phoneHas({ mode: "auto", sms: { delay: 20 } })
    await verify({}, "sms", "call")
    await desk.getByText("comes next").waitFor()
    await desk.getByText(/^0:[0-3]\d$/).waitFor()
    await desk.getByText("1 message is waiting at the carrier.").waitFor()
  })

  it("brings in a burst what was sent in aeroplane mode", async () => {
    const { desk, notification } = await add(tab.page, number)
    await desk.getByRole("switch", { name: "Aeroplane mode" }).click()
    await phoneHas({ offline: true })
    for (const code of ["111111", "222222", "333333"])
      await server.ask("/sms", { to: number, text: `Your code is ${code}` })
    await desk.getByText("3 messages are waiting at the carrier for the network.").waitFor()
    expect(await notification(/Your code is/).count()).toBe(0)
    await desk.getByRole("switch", { name: "Aeroplane mode" }).click()
    await expect.poll(() => notification(/Your code is/).count()).toBe(3)
  })

  it("fills a bound code into a page of its host alone, and says why not into another", async () => {
    const { notification, phone } = await add(tab.page, number)
    await verify({ web_origin: "https://shop.example", app_hash: "FA+9qCX9VSu" }, "sms")
    await notification(/shop\.example/).click()
    await phone.getByRole("button", { name: "Use it in a form" }).click()
    const host = phone.getByLabel("Host of the page")
    expect(await host.inputValue()).toBe("shop.example")
    const chip = phone.getByRole("button", { name: /From Messages/ })
    const code = codeIn(await chip.textContent())
    await chip.click()
    expect(await phone.locator("output").textContent()).toBe(code)
    await host.fill("evil.example")
    await phone.getByText("Bound to shop.example: nothing is offered on evil.example.").waitFor()
    expect(await chip.count()).toBe(0)
    await phone.getByRole("radio", { name: "Android app" }).check()
    await phone.getByText(/SMS Retriever passes the text to the app/).waitFor()
  })

  it("has up to four phones, and a new one takes the place of the quietest", async () => {
    const numbers = ["+4915123456701", "+4915123456711", "+4915123456712", "+4915123456713"]
    for (const each of numbers) await add(tab.page, each)
    for (const each of numbers.slice(1)) await server.ask("/sms", { to: each, text: "Your code is 123456" })
    await expect.poll(() => tab.page.locator(".notification").count()).toBe(3)
    await server.ask("/sms", { to: number, text: "Your code is 654321" })
    await handsetOf(tab.page, number).phone.waitFor()
    expect(await tab.page.locator(".phone").count()).toBe(4)
    expect(await handsetOf(tab.page, numbers[0] ?? "").phone.count()).toBe(0)
  })

  it("comes back after a reload, and is cleared", async () => {
    await add(tab.page, number)
    await server.ask("/sms", { to: number, text: "Your code is 123456" })
    await handsetOf(tab.page, number)
      .notification(/123456/)
      .waitFor()
    await tab.page.reload()
    await handsetOf(tab.page, number)
      .notification(/123456/)
      .waitFor()
    await tab.page.getByRole("button", { name: "Clear" }).click()
    await handsetOf(tab.page, number)
      .notification(/123456/)
      .waitFor({ state: "detached" })
    await tab.page.getByRole("button", { name: `Remove ${number}` }).click()
    await tab.page.getByRole("heading", { name: "No phone yet" }).waitFor()
  })

  it("sends a code itself", async () => {
    const { desk, phone } = await add(tab.page, number)
    await desk.getByRole("button", { name: "Send it a code" }).click()
    await phone.getByRole("button", { name: /code is/ }).waitFor()
    await desk.getByText(/^Valid for/).waitFor()
  })

  it("shows what a verification waits for, and does it at the press of a button", async () => {
    const { desk, phone } = await add(tab.page, number)
    const card = phone.getByRole("region", { name: "An app waits for you" })
    for (const [by, button] of [
      ["sms", "Send the text"],
      ["bizchat", "Send in WhatsApp"],
      ["call", "Call"],
      ["telegram_login", "Sign in"]
    ] as const) {
      const workflow = [{ channel: "receive", by: [by], timeout: 300, reply: false }]
      const { body } = await server.ask("/verifications", { to: number, workflow })
      await desk.getByText("Waits for the user").waitFor()
      await card.getByRole("button", { name: button, exact: true }).click()
      await desk.getByRole("heading", { name: "Approved" }).waitFor()
      await card.waitFor({ state: "detached" })
      expect((await server.ask(`/verifications/${String(body["id"])}`)).body).toMatchObject({ status: "approved", by })
    }
    expect(tab.complaints).toEqual([])
  })

  it("gets a code for a text, and says what proves too little", async () => {
    const { desk, notification, phone } = await add(tab.page, number)
    const workflow = [{ channel: "receive", by: ["sms"], timeout: 300 }]
    const { body } = await server.ask("/verifications", { to: number, workflow })
    await phone.getByRole("button", { name: "Send the text" }).click()
    await notification(/Acme code/).click()
    const code = codeIn(await phone.getByRole("log").textContent())
    expect(await check(String(body["id"]), code)).toMatchObject({ valid: true })
    await desk.getByText("Text from the user answered with a code to enter").waitFor()

    await phone.getByRole("button", { name: "Home screen" }).click()
    await phone.getByRole("button", { name: "Lock" }).click()
    const strict = { to: number, least_assurance: "account", workflow }
    await server.ask("/verifications", strict)
    await phone.getByRole("button", { name: "Send the text" }).click()
    await phone.getByRole("status").getByText("is less sure than the verification asks for").waitFor()
    await desk.getByRole("switch", { name: "Aeroplane mode" }).click()
    await phone.getByText("The phone has no network.").waitFor()
    expect(await phone.getByRole("button", { name: "Send the text" }).isDisabled()).toBe(true)
  })

  it("gets a code instead, where its user does not act", async () => {
    const { desk, notification } = await add(tab.page, number)
    const workflow = [
      { channel: "receive", by: ["sms"], timeout: 300 },
      { channel: "sms", timeout: 60 }
    ]
    const { body } = await server.ask("/verifications", { to: number, workflow })
    await desk.getByRole("button", { name: "Send a code instead" }).click()
    await notification(/Acme code/).waitFor()
    expect((await server.ask(`/verifications/${String(body["id"])}`)).body).toMatchObject({ channel: "sms", step: 2 })
  })

  it("says that the server is away, and goes on when it is back", async () => {
    const { notification } = await add(tab.page, number)
    const { port } = new URL(server.origin)
    await server.stop()
    await tab.page.getByText("The server is not responding").waitFor()
    await tab.page.getByText("Reconnecting").waitFor()
    server = await start({ folder: folder.path(), flags: ["--port", port] })
    await tab.page.getByText("The server is not responding").waitFor({ state: "detached" })
    await server.ask("/sms", { to: number, text: "Your code is 123456" })
    await notification(/123456/).waitFor()
  })

  it("says what is wrong with a number", async () => {
    await tab.page.getByLabel("Number").fill("123")
    await tab.page.keyboard.press("Enter")
    await tab.page
      .getByRole("alert")
      .getByText(/number must be/)
      .waitFor()
    await tab.page.getByRole("button", { name: "Dismiss" }).click()
    expect(await tab.page.getByRole("alert").count()).toBe(0)
  })
})
