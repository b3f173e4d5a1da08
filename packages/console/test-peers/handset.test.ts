/**
 * The handset in Chromium, on a development server.
 */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type DevServer, start } from "../../../examples/standalone/test/DevServer.ts"
import { folderForEach } from "../../../test/folder.ts"
import { until } from "../../../test/until.ts"
import { launch } from "./chromium.ts"

const folder = folderForEach()
let browser: Browser
let axe: string
beforeAll(async () => {
  browser = await launch()
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
})
afterAll(() => browser.close())

let server: DevServer
let context: BrowserContext
let page: Page
/** What the browser complained of. */
let complaints: Array<string>

beforeEach(async () => {
  server = await start({ folder: folder.path() })
  context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, reducedMotion: "reduce" })
  page = await context.newPage()
  complaints = []
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text())
  })
  page.on("pageerror", (error) => complaints.push(error.message))
  await page.goto(`${server.origin}/handset`)
})
afterEach(async () => {
  await context.close()
  await server.stop()
})

const number = "+4915123456789"

const add = async (which = number) => {
  await page.getByLabel("Number").fill(which)
  await page.getByRole("button", { name: "Add a phone" }).click()
  await page.getByRole("region", { name: `Phone ${which}` }).waitFor()
}

const phone = (which = number) => page.getByRole("region", { name: `Phone ${which}` })
const under = (which = number) => page.getByRole("region", { name: `About ${which}` })

const verify = async (...channels: ReadonlyArray<string>) =>
  (await server.ask("/verifications", { to: number, workflow: channels.map((channel) => ({ channel, timeout: 30 })) }))
    .body

const codeOn = async (text: string | null) => /\d{6}/.exec(text ?? "")?.[0] ?? ""

describe("the handset", () => {
  it("shows a phone by itself when a text comes to its number, and copies the code", async () => {
    const { id } = await verify("sms")
    await phone()
      .getByRole("button", { name: /Acme code/ })
      .click()
    const code = await codeOn(await phone().getByRole("log").textContent())
    expect(await phone().locator("button.chip").textContent()).toContain(code)
    expect((await server.ask("/verifications/check", { verification_id: id, code })).body).toMatchObject({
      valid: true
    })
    await under().getByText("Verification: approved").waitFor()
    expect(complaints).toEqual([])
  })

  it("rings: a call is declined, and the digits that it marks are the code", async () => {
    await add()
    const { id } = await verify("call")
    const code = await codeOn(await phone().locator(".ringing mark").textContent())
    await phone().getByRole("button", { name: "Decline" }).click()
    await phone().getByText("declined").waitFor()
    expect((await server.ask("/verifications/check", { verification_id: id, code })).body).toMatchObject({
      valid: true
    })
  })

  it("marks a chat as read when it is opened", async () => {
    await add()
    const { id } = await verify("chatgw")
    await phone()
      .getByRole("button", { name: /is your code/ })
      .click()
    await phone().getByText("read").waitFor()
    const { body } = await server.ask(`/verifications/${String(id)}`)
    expect(body).toMatchObject({ attempts: [{ status: "delivered" }] })
  })

  it("steps to a text in sight where the number has no chat account", async () => {
    await add()
    await under().getByText("How it answers").click()
    await under().getByLabel("Chat account").selectOption("none")
    await until(
      async () => (await server.ask(`/sandbox/phones/${encodeURIComponent(number)}`)).body["chatgw"] === false
    )
    await verify("chatgw", "sms")
    await under()
      .getByText(/chatgw: undelivered/)
      .waitFor()
    await under()
      .getByText(/sms: delivered/)
      .waitFor()
    await phone()
      .getByRole("button", { name: /Acme code/ })
      .waitFor()
  })

  it("brings what was sent in aeroplane mode in a burst", async () => {
    await add()
    await under().getByText("Aeroplane mode").click()
    await until(
      async () => (await server.ask(`/sandbox/phones/${encodeURIComponent(number)}`)).body["offline"] === true
    )
    for (const code of ["111111", "222222", "333333"])
      await server.ask("/sms", { to: number, text: `Your code is ${code}` })
    expect(
      await phone()
        .getByRole("button", { name: /Your code is/ })
        .count()
    ).toBe(0)
    await under().getByText("Aeroplane mode").click()
    await expect
      .poll(() =>
        phone()
          .getByRole("button", { name: /Your code is/ })
          .count()
      )
      .toBe(3)
  })

  it("says that the server is away, and comes back", async () => {
    await add()
    const { port } = new URL(server.origin)
    await server.stop()
    await page.getByText("The server does not answer").waitFor()
    server = await start({ folder: folder.path(), flags: ["--port", port] })
    await page.getByText("The server does not answer").waitFor({ state: "detached" })
    await verify("sms")
    await phone()
      .getByRole("button", { name: /Acme code/ })
      .waitFor()
  })

  it("says what is wrong with a number", async () => {
    await page.getByLabel("Number").fill("123")
    await page.keyboard.press("Enter")
    await page
      .getByRole("alert")
      .getByText(/must be/)
      .waitFor()
  })

  it("is used by the keyboard alone", async () => {
    await page.getByLabel("Number").focus()
    await page.keyboard.type(number)
    await page.keyboard.press("Enter")
    await phone().waitFor()
    await verify("sms")
    const notification = phone().getByRole("button", { name: /Acme code/ })
    await notification.focus()
    await page.keyboard.press("Enter")
    await phone().getByRole("log").waitFor()
    await phone().getByRole("button", { name: "Back" }).press("Enter")
    await notification.waitFor()
  })

  it.each([
    [390, "light"],
    [390, "dark"],
    [1440, "light"],
    [1440, "dark"]
  ] as const)(
    "has nothing that axe calls serious at %i pixels, %s, and no line beside the screen",
    async (width, colorScheme) => {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      await add()
      await verify("sms", "call")
      await server.ask("/call/flash", { callee: "+4915123456788", caller: "+493023125123" })
      await page.locator(".ringing").waitFor()
      await phone()
        .getByRole("button", { name: /Acme code/ })
        .click()
      await page.evaluate(axe)
      const found: Array<{
        readonly id: string
        readonly impact: string
        readonly nodes: Array<{ readonly html: string; readonly failureSummary: string }>
      }> = await page.evaluate("axe.run().then(({ violations }) => violations)")
      const serious = found.filter(({ impact }) => impact === "serious" || impact === "critical")
      expect(
        serious.map(({ id, nodes }) => [
          id,
          ...nodes.map(({ failureSummary, html }) => `${html.slice(0, 120)}: ${failureSummary}`)
        ])
      ).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
      expect(complaints).toEqual([])
    }
  )
})
