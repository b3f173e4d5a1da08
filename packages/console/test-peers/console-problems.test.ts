/**
 * An attack as the console shows it: a problem with the act that stops it, and a country that unfolds to its prefixes.
 */
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

let server: ConsoleServer
beforeEach(async () => {
  server = await start(folder.file("watchword.db"))
})
afterEach(() => server.stop())

const problems = [
  {
    kind: "attack",
    about: "NG",
    severity: "bad",
    text: "0 of 25 codes to Nigeria were entered in the last hour; €2.10 so far.",
    link: "#/guards",
    act: { label: "Block Nigeria", command: "guard block", input: { place: "NG", for: "12h" } }
  },
  {
    kind: "carrier_slow",
    about: "sms alpha",
    severity: "warn",
    text: "Half of the receipts of alpha take up to 60 s; in the day before it was 20 s.",
    link: "#/traffic",
    act: { label: "Drain alpha", command: "carrier drain", input: { carrier: "alpha" } }
  }
]

const countries = [
  {
    country: "NG",
    unverified: 25,
    approved: 0,
    prefixes: [
      { prefix: "+234803", unverified: 19, approved: 0 },
      { prefix: "+234706", unverified: 6, approved: 0 }
    ]
  },
  { country: "DE", unverified: 7, approved: 112, prefixes: [{ prefix: "+4915", unverified: 7, approved: 112 }] }
]

const event = (answer: unknown) => ({
  contentType: "text/event-stream",
  body: `event: answer\ndata: ${JSON.stringify(answer)}\n\n`
})

describe("an attack", () => {
  it.each([
    [390, "light"],
    [1440, "dark"]
  ] as const)("is blocked from Now, and unfolds on Guards, at %i pixels, %s", async (width, colorScheme) => {
    const { close, page } = await openTab(browser, { viewport: { width, height: 900 }, colorScheme })
    const good = async (state: string) => {
      expect([state, await seriousIn(page)]).toEqual([state, []])
      expect([state, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([state, true])
    }
    const overview = event({ ...(await server.command("overview", {})), problems })
    const look = event({ ...(await server.command("guard look", {})), countries })
    await page.route("**/watch/overview*", (route) => route.fulfill(overview))
    await page.route("**/watch/guard/look*", (route) => route.fulfill(look))
    await page.goto(server.url)
    await page.getByLabel("Token").fill(await server.grant("operator"))
    await page.getByRole("button", { name: "Sign in" }).click()
    await addAxe(page)
    await page.getByRole("button", { name: "Drain alpha" }).waitFor()
    await good("problems with acts")
    await page.getByRole("button", { name: "Block Nigeria" }).click()
    const dialog = page.getByRole("dialog", { name: "Block Nigeria" })
    expect(await dialog.getByLabel("Prefix or country").inputValue()).toBe("NG")
    await dialog.getByRole("button", { name: "Block Nigeria" }).click()
    await expect.poll(async () => JSON.stringify(await server.command("guard list", {}))).toContain('"NG"')
    await page.evaluate(`location.hash = "#/guards"`)
    const country = page.getByRole("button", { name: "Nigeria", exact: true })
    await country.press("Enter")
    await page.getByRole("button", { name: "Block +234706" }).waitFor()
    expect(await country.getAttribute("aria-expanded")).toBe("true")
    await good("a country that unfolds")
    await close()
  })
})
