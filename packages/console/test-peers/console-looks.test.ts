/**
 * The look of each page of the console: to a screen reader, on small and large screens, light and dark.
 */
import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { addAxe, seriousIn } from "./axe.ts"
import { type ConsoleServer, start } from "./ConsoleServer.ts"
import { launch, openTab } from "./chromium.ts"
import { numbers, seed } from "./seed.ts"

const folder = folderForEach()
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

let server: ConsoleServer
let account: string
beforeEach(async () => {
  server = await start(folder.file("watchword.db"))
  account = await seed(server)
})
afterEach(() => server.stop())

/** A carrier whose dialect no table has. */
const talkative = {
  carrier: "alpha",
  channel: "sms",
  servers: 1,
  up: 1,
  resting: 0,
  drained: false,
  drained_until: null,
  window: { used: 3, size: 10 },
  rate: 20,
  cost: null,
  refusal: { at: "2026-11-01T12:00:00.000Z", message: "The carrier refuses the sender." },
  sent: 1204,
  approved: 1100,
  unrecognized: [
    { kind: "receipt_state", word: "X".repeat(64), count: 12, at: "2026-11-01T12:00:00.000Z" },
    { kind: "receipt_layout", word: "", count: 1, at: "2026-11-01T11:00:00.000Z" }
  ]
}

describe("the console", () => {
  it.each([
    [390, "light"],
    [390, "dark"],
    [1440, "light"],
    [1440, "dark"]
  ] as const)("has nothing serious for axe at %i pixels, %s, and fits the screen", async (width, colorScheme) => {
    const { close, complaints, page } = await openTab(browser, { viewport: { width, height: 900 }, colorScheme })
    const good = async (state: string) => {
      expect([state, await seriousIn(page)]).toEqual([state, []])
      expect([state, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([state, true])
    }
    // The name is reserved, so that no host has it.
    const { webhook_id: webhook } = await server.command("webhook add", { url: "https://shop.example/all" })
    await server.service.sms.send({ account, sandbox: true }, { to: numbers.delivered, text: "Hello" })
    await page.goto(server.url)
    await page.getByLabel("Token").waitFor()
    await addAxe(page)
    await good("signing in")
    await page.getByLabel("Token").fill(await server.grant("admin"))
    await page.getByRole("button", { name: "Sign in" }).click()
    for (const [hash, text] of [
      ["", "Channels"],
      ["number", "Why did no code come?"],
      [`number/${numbers.unreachable}`, "Flash call"],
      [`number/${numbers.blocked}`, "Blocked by"],
      ["number/12", "must begin with a plus sign"],
      ["live", "Acme Shop"],
      ["requests", "POST /verifications"],
      ["guards", "+4479"],
      ["traffic", "Nothing was sent in this period"],
      ["accounts", "Second Bank"],
      [`accounts/${account}`, "123456 ist dein Code"],
      ["connections", "https://audit.example/all"],
      ["log", "guard block"]
    ] as const) {
      await page.evaluate(`location.hash = "#/${hash}"`)
      await page.getByRole("main").getByText(text).filter({ visible: true }).first().waitFor()
      await good(hash)
    }
    // A process adds its sums every ten seconds.
    const traffic = async () => JSON.stringify(await server.command("traffic", { sandbox: true }))
    await expect.poll(traffic, { timeout: 30_000 }).toMatch(/"country":"DE"/)
    await page.evaluate(`location.hash = "#/traffic"`)
    await page.getByLabel("Mode").selectOption("sandbox")
    await page.getByRole("region", { name: "Worst first" }).getByText("Germany").first().waitFor()
    await page.getByText("Show as a table").click()
    await page.getByRole("slider").press("ArrowLeft")
    await page.locator(".tip").waitFor()
    await good("a chart")
    await page.evaluate(`location.hash = "#/live?span=between"`)
    await page.getByLabel("Prefix").fill(numbers.delivered)
    await page.getByLabel("Prefix").press("Enter")
    await page.getByText("at most 7 digits").waitFor()
    await page.getByRole("button", { name: "What happened to" }).first().press("Enter")
    await page.getByRole("article").first().waitFor()
    await good("a record that is open")
    await page.evaluate(`location.hash = "#/connections?webhook=${String(webhook)}"`)
    await page.locator(".events").getByRole("button", { expanded: false }).first().press("Enter")
    await page.locator("pre").first().waitFor()
    await good("an event that is open")
    await page.evaluate(`location.hash = "#/log"`)
    await page.getByRole("button", { name: "Grant a token" }).click()
    await page.getByRole("dialog").getByLabel("Role").waitFor()
    await good("a dialog")
    await page.keyboard.press("Escape")
    await page.keyboard.press("?")
    await page.getByRole("dialog", { name: "Keys" }).getByText("Open a row").waitFor()
    await good("the keys")
    await page.evaluate(`location.hash = "#/accounts/${account}"`)
    for (const [button, text] of [
      ["Create a key", "verify:check"],
      ["Add a workflow", "Edit as JSON"],
      ["Change the rules", "Counts by each"]
    ] as const) {
      await page.getByRole("button", { name: button, exact: true }).click()
      await page.getByRole("dialog").getByText(text).first().waitFor()
      await good(button)
      await page.keyboard.press("Escape")
    }
    // Problems name ids, which are long words.
    const text = `Webhook whk_01M8AGCECKJAGE77XBP0M9X70T has accepted no event since ${new Date().toISOString()}.`
    const problems = [
      { kind: "webhook_failing", about: "whk", severity: "warn", text, link: "#/connections", act: null }
    ]
    const overview = { ...(await server.command("overview", {})), problems }
    const body = `event: answer\ndata: ${JSON.stringify(overview)}\n\n`
    await page.route("**/watch/overview*", (route) => route.fulfill({ contentType: "text/event-stream", body }))
    await page.evaluate(`location.hash = "#/"`)
    await page.getByRole("list", { name: "Problems" }).getByText("whk_").waitFor()
    await good("a problem")
    // A carrier may say words as long as a line.
    const list = `event: answer\ndata: ${JSON.stringify({ carriers: [talkative] })}\n\n`
    await page.route("**/watch/carrier/list*", (route) =>
      route.fulfill({ contentType: "text/event-stream", body: list })
    )
    await page.evaluate(`location.hash = "#/connections"`)
    await page.getByText("Not recognized: 2 kinds").click()
    await page.getByText("X".repeat(64)).waitFor()
    await good("what a carrier says")
    if (width === 390) {
      await page.getByRole("button", { name: "More" }).click()
      await page.getByRole("navigation", { name: "More pages" }).waitFor()
      await good("the menu")
    }
    expect(complaints.filter((complaint) => !/status of 40[01]/.test(complaint))).toEqual([])
    await close()
  })

  it("is used by the keyboard alone, and has a way past its menu", async () => {
    const { close, page } = await openTab(browser)
    await page.goto(server.url)
    const focused = () => page.evaluate("document.activeElement.textContent || document.activeElement.ariaLabel")
    await page.getByLabel("Token").focus()
    await page.keyboard.type(await server.grant("operator"))
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor()
    await page.keyboard.press("Tab")
    expect(await focused()).toBe("Skip to content")
    await page.keyboard.press("/")
    await page.keyboard.type(numbers.blocked)
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: numbers.blocked }).waitFor()
    await page.getByRole("button", { name: "Exempt from guards" }).press("Enter")
    const dialog = page.getByRole("dialog", { name: "Exempt from guards" })
    await dialog.waitFor()
    await page.keyboard.press("Escape")
    await expect.poll(() => dialog.count()).toBe(0)
    expect(await focused()).toBe("Exempt from guards")
    await page.keyboard.press("Enter")
    await dialog.getByRole("button", { name: "Exempt from guards" }).press("Enter")
    await page.getByRole("status").getByText("pass blocks, country rules and pumping rules").waitFor()
    const { guards } = await server.service.operator.guard.list({ account_id: null })
    expect(guards.flatMap(({ allowed: exceptions }) => exceptions.map(({ number }) => number))).toContain(
      numbers.blocked
    )
    await close()
  })
})
