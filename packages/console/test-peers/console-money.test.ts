/**
 * Money in the console in Chromium: prices, costs and margins, and statements.
 */
import { readFile } from "node:fs/promises"
import { type Smsc, smsc } from "@watchword/sandbox/smsc"
import { carriers } from "@watchword/sms/carriers"
import { smpp } from "@watchword/sms/smpp"
import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { addAxe, seriousIn } from "./axe.ts"
import { type ConsoleServer, start } from "./ConsoleServer.ts"
import { launch, openTab } from "./chromium.ts"

const folder = folderForEach()
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

const NUMBERS = ["+4915123456789", "+4915123456789", "+33612345678"]

let server: ConsoleServer
let account: string
let carrier: Smsc
beforeEach(async () => {
  carrier = await smsc()
  // French numbers sell for less than they cost.
  const sms = carriers({ acme: { gateway: smpp({ url: carrier.url() }), cost: { "33": 0.07025, "*": 0.04 } } })
  const prices = { sms: { "*": 0.05 } }
  server = await start(folder.file("watchword.db"), "/console", { sms, prices, guards: "none" })
  await expect.poll(() => carrier.bound.length, { timeout: 20_000 }).toBeGreaterThan(0)
  const { operator, sms: texts } = server.service
  account = (await operator.account.create({ name: "Acme Shop", sms_sender: "Acme" })).account_id
  await operator.account.credit({ account_id: account, amount: 25, reason: "=invoice 2041" })
  for (const to of NUMBERS) await texts.send(account, { to, text: "Hello" })
})
afterEach(async () => {
  await server.stop()
  await carrier.stop()
})

/** A tab that is signed in at a page, and what each of its states must have. */
const opened = async (hash: string, width: number, colorScheme: "light" | "dark") => {
  const tab = await openTab(browser, { viewport: { width, height: 1000 }, colorScheme })
  const { page } = tab
  await page.goto(`${server.url}${hash}`)
  await page.getByLabel("Token").fill(await server.grant("support"))
  await page.getByRole("button", { name: "Sign in" }).click()
  const good = async () => {
    await addAxe(page)
    expect(await seriousIn(page)).toEqual([])
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
  }
  return { ...tab, good }
}

const looks = [
  [390, "light"],
  [1440, "dark"]
] as const

describe("money in the console", () => {
  it.each(looks)("is what accounts paid, what carriers ask, and the margin, at %i pixels", async (width, scheme) => {
    // A process adds its sums every ten seconds.
    const traffic = async () => (await server.service.operator.traffic({})).total.sent
    await expect.poll(traffic, { timeout: 30_000 }).toBe(3)
    const { close, good, page } = await opened(`#/accounts/${account}`, width, scheme)
    const spending = page.getByRole("region", { name: "Money of live sends" })
    await spending.getByText("€0.15000").waitFor()
    await spending.getByText("€0.15025").waitFor()
    await spending.getByText("-€0.00025").waitFor()
    await good()
    await page.evaluate(`location.hash = "#/traffic"`)
    const worst = page.getByRole("region", { name: "Worst first" })
    await worst.getByRole("row").last().getByText("-€0.00025").waitFor()
    await worst.getByText("-€0.02025").waitFor()
    await good()
    await page.evaluate(`location.hash = "#/number/${NUMBERS[2]}"`)
    await page.getByText("The account paid 0.05 EUR, the carrier asks 0.07025 EUR: a margin of -0.02025 EUR").waitFor()
    await close()
  })

  it.each(looks)("has a statement of each month, to print and as CSV, at %i pixels", async (width, scheme) => {
    const { close, good, page } = await opened(`#/accounts/${account}`, width, scheme)
    await page.getByRole("link", { name: "Statements" }).click()
    const month = new Date().toISOString().slice(0, 7)
    await page
      .getByRole("row", { name: /^sends SMS France/i })
      .getByText("-€0.05")
      .waitFor()
    await page
      .getByRole("row", { name: /^sends SMS Germany/i })
      .getByText("-€0.10")
      .waitFor()
    await page
      .getByRole("row", { name: /^Balance so far/ })
      .getByText("€24.85")
      .waitFor()
    await good()
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as CSV" }).click()
    ])
    expect(download.suggestedFilename()).toBe(`statement-${account}-${month}.csv`)
    await download.saveAs(folder.file("saved.csv"))
    const lines = (await readFile(folder.file("saved.csv"), "utf8")).trim().split("\n")
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d,credit,,,1,25,'=invoice 2041$/),
      ",sends,sms,DE,2,-0.1,",
      ",sends,sms,FR,1,-0.05,",
      ",closing balance,,,0,24.85,"
    ])
    await page.emulateMedia({ media: "print" })
    expect(await page.getByRole("navigation", { name: "Pages" }).first().isVisible()).toBe(false)
    expect(await page.getByRole("button", { name: "Save as CSV" }).isVisible()).toBe(false)
    expect(await page.getByRole("row", { name: /^Balance so far/ }).isVisible()).toBe(true)
    await page.emulateMedia({ media: "screen" })
    await page.getByLabel("Month").selectOption({ index: 1 })
    await page
      .getByRole("row", { name: /^Balance after/ })
      .getByText("€0.00")
      .waitFor()
    await close()
  })
})
