/**
 * The console of the standalone server: signed in to by the command's link, behind a proxy that puts a prefix before
 * it.
 */
import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type Running, command, start } from "../../standalone/test/Standalone.ts"
import { folderForEach } from "../../../test/folder.ts"
import { freePort } from "../../../test/freePort.ts"
import { type Tab, launch, openTab } from "./chromium.ts"
import { proxied } from "./proxied.ts"

const folder = folderForEach()
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

let server: Running
let tab: Tab
let environment: Record<string, string>
let origin: string
beforeEach(async () => {
  const port = await freePort()
  environment = { DATABASE_URL: `sqlite:${folder.file("watchword.db")}`, OPERATIONS_PORT: String(port) }
  origin = `http://127.0.0.1:${port}`
  server = await start({ ...environment, DEMO: "yes" })
  tab = await openTab(browser)
})
afterEach(async () => {
  await tab.close()
  await server.stop()
})

const open = async (...args: ReadonlyArray<string>): Promise<string> =>
  String((await command(environment, "console", "open", ...args))["link"])

describe("the console of the standalone server", () => {
  it("is opened once by the link of the command, which is in no address afterwards", async () => {
    const { page } = tab
    const link = await open("--name", "anna", "--role", "support")
    expect(link).toMatch(`${origin}/console/#link=`)
    await page.goto(link)
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor()
    expect(page.url()).toBe(`${origin}/console/#/`)
    await page.getByText("Support", { exact: true }).waitFor()
    expect(await page.getByRole("link", { name: "Log" }).count()).toBe(0)
    const other = await openTab(browser)
    await other.page.goto(link)
    await other.page.getByRole("alert").getByText("The link was already used").waitFor()
    await other.close()
    expect(tab.complaints.filter((complaint) => !/status of 401/.test(complaint))).toEqual([])
  })

  it("is opened by a link that is pasted into a tab that shows the sign-in", async () => {
    const { page } = tab
    await page.goto(`${origin}/console/`)
    await page.getByRole("button", { name: "Sign in" }).waitFor()
    const link = await open("--name", "anna")
    await page.evaluate(`location.hash = ${JSON.stringify(link.slice(link.indexOf("#")))}`)
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor()
    expect(page.url()).toBe(`${origin}/console/#/`)
  })

  it("says within its limits that the server hangs, on pages that follow and on pages that ask once", async () => {
    const { page } = tab
    await page.goto(await open("--name", "anna"))
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor()
    const away = page.getByRole("alert").getByText("The server is not responding")
    for (const link of ["Now", "Accounts"]) {
      server.process.kill("SIGSTOP")
      try {
        await page.getByRole("link", { name: link, exact: true }).click()
        await away.waitFor()
        await page.getByRole("button", { name: "Try again" }).click()
      } finally {
        server.process.kill("SIGCONT")
      }
      await away.waitFor({ state: "detached" })
    }
    await page.locator("tbody tr").first().waitFor()
  })

  it("works behind a proxy that puts a prefix before it", async () => {
    const { page } = tab
    const proxy = await proxied(origin)
    const link = await open()
    await page.goto(`${proxy.origin}/x/y/console/${link.slice(link.indexOf("#"))}`)
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor()
    await page.getByRole("link", { name: "Accounts" }).click()
    await page.locator("tbody tr").first().click()
    await page.getByRole("button", { name: "Suspend" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click()
    await page.getByText("Suspended since").waitFor()
    await page.getByRole("link", { name: "Log" }).click()
    await page.getByRole("row", { name: "account suspend" }).getByText("done").waitFor()
    proxy.close()
  })

  it("is not on the port of customers, is framed by no page, and is served again only when it has changed", async () => {
    expect((await fetch(`${server.origin}/console/`)).status).toBe(404)
    const page = await fetch(`${origin}/console/`)
    expect(page.headers.get("content-security-policy")).toMatch(
      /default-src 'none'.*frame-ancestors 'none'.*trusted-types 'none'$/
    )
    expect(page.headers.get("content-encoding")).toBe("gzip")
    const etag = page.headers.get("etag") ?? ""
    expect((await fetch(`${origin}/console/`, { headers: { "if-none-match": etag } })).status).toBe(304)
  })
})
