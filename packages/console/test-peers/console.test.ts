/**
 * The console in Chromium.
 */
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { type ConsoleServer, start, token } from "./ConsoleServer.ts"
import { type Tab, launch, openTab } from "./chromium.ts"
import { seed } from "./seed.ts"

const folder = folderForEach()
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

let server: ConsoleServer
let tab: Tab
let url: string
beforeEach(async () => {
  server = await start(folder.file("watchword.db"), "/x/y/console")
  url = `${server.origin}/x/y/console/`
  tab = await openTab(browser)
})
afterEach(async () => {
  await tab.close()
  await server.stop()
})

const signIn = async (page: Page, typed = token) => {
  await page.goto(url)
  await page.getByLabel("Token").fill(typed)
  await page.getByRole("button", { name: "Sign in" }).click()
}

/** What a page complains of that is no refused request. */
const complaints = () => tab.complaints.filter((complaint) => !/status of 4\d\d|ERR_/.test(complaint))

const heading = (name: string) => tab.page.getByRole("heading", { level: 1, name })

describe("signing in", () => {
  it("takes a token under any prefix, says who it is, and forgets it", async () => {
    const { page } = tab
    await page.goto(url.slice(0, -1))
    await signIn(page, "wwo_wrong")
    await page.getByRole("alert").getByText("There is no such token").waitFor()
    await signIn(page)
    await heading("Now").waitFor()
    await page.getByText("anna").waitFor()
    await page.getByText("Admin", { exact: true }).waitFor()
    await page.reload()
    await heading("Now").waitFor()
    expect(await page.evaluate("localStorage.length + sessionStorage.length + document.cookie.length")).toBe(0)
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByLabel("Token").waitFor()
    expect(complaints()).toEqual([])
  })

  it("takes a link once, and leaves it in no address", async () => {
    const { page } = tab
    await page.goto(`${url}#link=once`)
    await heading("Now").waitFor()
    expect(page.url()).toBe(`${url}#/`)
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.goto("about:blank")
    await page.goto(`${url}#link=once`)
    await page.getByRole("alert").getByText("This link was used").waitFor()
    expect(server.requests.filter((line) => line.includes("once"))).toEqual([])
  })

  it("says that a session has ended", async () => {
    await signIn(tab.page)
    await heading("Now").waitFor()
    await tab.page.context().clearCookies()
    await tab.page.getByRole("link", { name: "Number" }).first().click()
    await tab.page.getByLabel("Number to look up").fill("+4915123456789")
    await tab.page.keyboard.press("Enter")
    await tab.page.getByRole("alert").getByText("Your session has ended").waitFor()
  })
})

describe("a number", () => {
  it("shows its reason and its story, and is in no request's address", async () => {
    const { page } = tab
    await seed(server.service)
    await signIn(page)
    await heading("Now").waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type("+49 1512 340480")
    await page.keyboard.press("Enter")
    await heading("+491512340480").waitFor()
    const reason = page.getByRole("region", { name: "Likely reason" })
    await reason.getByText(/gateway is unreachable/i).waitFor()
    await page.getByRole("heading", { name: "Verification", exact: true }).waitFor()
    expect(await page.locator("time").first().getAttribute("title")).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
    expect(server.requests.filter((line) => line.includes("340480"))).toEqual([])
    expect(page.url()).toBe(`${url}#/number/+491512340480`)
    expect(complaints()).toEqual([])
  })

  it("says what is wrong with one that is none, and what to do where nothing is known", async () => {
    const { page } = tab
    await signIn(page)
    await heading("Now").waitFor()
    await page.goto(`${url}#/number/12`)
    await page.getByRole("alert").getByText("must be a phone number in E.164 form").waitFor()
    await page.goto(`${url}#/number/+4915123456789`)
    await page.getByText("No record of this number in this time").waitFor()
  })

  it("has its prefix blocked in three clicks, and only by those who may", async () => {
    const { page } = tab
    server.role = "support"
    await signIn(page)
    await page.goto(`${url}#/number/+2348012345678`)
    await heading("+2348012345678").waitFor()
    expect(await page.getByRole("button", { name: "Block the prefix" }).count()).toBe(0)
    server.role = "operator"
    await page.reload()
    await page.getByRole("button", { name: "Block the prefix" }).click()
    const dialog = page.getByRole("dialog", { name: "Block the prefix" })
    await dialog.getByLabel("Prefix or country").fill("+2")
    await dialog.getByRole("button", { name: "Block the prefix" }).click()
    await dialog.getByRole("alert").waitFor()
    await dialog.getByLabel("Prefix or country").fill("+2348")
    await dialog.getByRole("button", { name: "Block the prefix" }).click()
    await page.getByRole("status").getByText("is sent to +2348 until").waitFor()
    expect((await server.service.operator.guards.show(null)).blocks).toMatchObject([{ place: "+2348" }])
    expect(await page.getByRole("button", { name: "Erase" }).count()).toBe(0)
    expect(complaints()).toEqual([])
  })
})

describe("the live list", () => {
  it("takes new records in on top, and does not move what its reader looks at", async () => {
    const { page } = tab
    await signIn(page)
    await page.goto(`${url}#/live`)
    const rows = page.locator("tbody tr")
    await rows.first().waitFor()
    const first = await rows.first().getAttribute("id")
    server.fakes.add()
    await page.locator(`tbody tr:nth-child(2)[id="${first}"]`).waitFor()
    await page.evaluate("scrollTo(0, 600)")
    const seen = page.locator("tbody tr").nth(12)
    const place = await seen.boundingBox()
    const id = await seen.getAttribute("id")
    server.fakes.add(3)
    await page.getByRole("button", { name: "3 new" }).waitFor()
    expect(await page.locator(`[id="${id}"]`).boundingBox()).toEqual(place)
    await page.getByRole("button", { name: "3 new" }).press("Enter")
    await page.locator(`tbody tr:nth-child(5)[id="${first}"]`).waitFor()
    await page.keyboard.press("p")
    server.fakes.add(2)
    await page.getByRole("button", { name: "2 new" }).waitFor()
    await page.keyboard.press("p")
    await page.locator(`tbody tr:nth-child(7)[id="${first}"]`).waitFor()
    await page.getByRole("button", { name: "Show older ones" }).click()
    await expect.poll(() => rows.count()).toBe(100 + 6)
    await rows.nth(3).click()
    await page.getByRole("region", { name: "Likely reason" }).waitFor()
    expect(complaints()).toEqual([])
  })

  it("saves what its filter finds", async () => {
    const { page } = tab
    await signIn(page)
    await page.goto(`${url}#/live`)
    await page.getByLabel("Channel").selectOption("call")
    await page.locator("tbody tr").first().waitFor()
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as CSV" }).click()
    ])
    expect(download.suggestedFilename()).toMatch(/^watchword-.*\.csv$/)
    await download.saveAs(folder.file("saved.csv"))
    const { readFile } = await import("node:fs/promises")
    const lines = (await readFile(folder.file("saved.csv"), "utf8")).split("\r\n")
    expect(lines.slice(1).filter((line) => !line.includes(",call,"))).toEqual([])
    expect(lines.length).toBeGreaterThan(20)
  })
})

describe("a server that goes away", () => {
  it("is said to be away, and the page goes on when it is back", async () => {
    const { page } = tab
    await signIn(page)
    await page.getByText("64 %").waitFor()
    await server.go()
    await page.getByRole("alert").getByText("The server does not answer").waitFor()
    await page.getByText("64 %").waitFor()
    server.fakes.overview.verifications.hour.approved = 1_900
    await server.come()
    await page.getByText("93 %").waitFor()
    expect(await page.getByRole("alert").count()).toBe(0)
  })

  it("has no stream of a tab that is hidden", async () => {
    const { page } = tab
    await signIn(page)
    await page.getByText("64 %").waitFor()
    const hide = (isHidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, "hidden", { configurable: true, get: () => ${isHidden} });
         document.dispatchEvent(new Event("visibilitychange"))`
      )
    await hide(true)
    await expect.poll(() => server.streams()).toBe(0)
    await hide(false)
    await expect.poll(() => server.streams()).toBe(1)
  })
})
