/**
 * The handset on the standalone server, where it wants a sandbox key, and behind a proxy that puts a prefix before it.
 */
import { writeFile } from "node:fs/promises"
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type Running, start } from "../../standalone/test/Standalone.ts"
import { folderForEach } from "../../../test/folder.ts"
import { add } from "./Handset.ts"
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
beforeEach(async () => {
  await writeFile(
    folder.file("prices.json"),
    JSON.stringify({ sms: { "*": 0.06 }, chatgw: { "*": 0.045 }, bizchat: { "*": 0.07 }, chatgw_probe: { "*": 0.01 } })
  )
  server = await start({
    DATABASE_URL: `sqlite:${folder.file("watchword.db")}`,
    DEMO: "yes",
    PRICES: folder.file("prices.json")
  })
  tab = await openTab(browser)
})
afterEach(async () => {
  await tab.close()
  await server.stop()
})

const printed = (name: RegExp): string => name.exec(server.printed())?.[1] ?? ""

const signIn = async (page: Page, key = printed(/key +(sk_test_\S+)/)) => {
  await page.getByLabel("Account").fill(printed(/account id +(acc_\S+)/))
  await page.getByLabel("Sandbox key").fill(key)
  await page.getByRole("button", { name: "Show the phones" }).click()
}

const number = "+4915123456789"

describe("the handset of the standalone server", () => {
  it("asks for a sandbox key, keeps it in the tab, and forgets it", async () => {
    await tab.page.goto(`${server.origin}/handset`)
    expect(tab.page.url()).toBe(`${server.origin}/handset/`)
    await signIn(tab.page)
    await add(tab.page, number)
    await tab.page.reload()
    await tab.page.getByRole("region", { name: `Phone ${number}` }).waitFor()
    expect(tab.page.url()).toBe(`${server.origin}/handset/`)
    expect(await tab.page.evaluate("Object.keys(localStorage).length + document.cookie.length")).toBe(0)
    await tab.page.getByRole("button", { name: "Sign out" }).click()
    await tab.page.getByLabel("Sandbox key").waitFor()
    expect(await tab.page.evaluate("sessionStorage.length")).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  it("says what is wrong with a key", async () => {
    await tab.page.goto(`${server.origin}/handset/`)
    await signIn(tab.page, "")
    await tab.page.getByRole("alert").getByText("Enter both the account and the key.").waitFor()
    await signIn(tab.page, "sk_live_0")
    await tab.page.getByRole("alert").getByText("This is a live key.").waitFor()
    await signIn(tab.page, "sk_test_wrong")
    await tab.page.getByRole("alert").getByText(/key/).waitFor()
    await tab.page.getByLabel("Sandbox key").waitFor()
  })

  it("says what a verification would cost live", async () => {
    await tab.page.goto(`${server.origin}/handset/`)
    await signIn(tab.page)
    const { desk, phone } = await add(tab.page, number)
    await desk.getByRole("button", { name: "Send it a code" }).click()
    await phone.getByRole("button", { name: /code is/ }).waitFor()
    await desk.getByText("€0.045 live").waitFor()
  })

  it("works under any prefix", async () => {
    const proxy = await proxied(server.origin)
    await tab.page.goto(`${proxy.origin}/x/y/handset`)
    expect(tab.page.url()).toBe(`${proxy.origin}/x/y/handset/`)
    await signIn(tab.page)
    const { desk, phone } = await add(tab.page, number)
    await desk.getByRole("button", { name: "Send it a code" }).click()
    await phone.getByRole("button", { name: /code is/ }).waitFor()
    proxy.close()
    expect(tab.complaints).toEqual([])
  })

  it("is served compressed, with a strict policy, and again only when it has changed", async () => {
    const url = `${server.origin}/handset/`
    const page = await fetch(url)
    expect(page.headers.get("content-encoding")).toBe("gzip")
    expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'.*trusted-types 'none'/)
    expect(page.headers.get("referrer-policy")).toBe("no-referrer")
    const etag = page.headers.get("etag") ?? ""
    expect((await fetch(url, { headers: { "if-none-match": etag } })).status).toBe(304)
    const plain = await fetch(url, { headers: { "accept-encoding": "identity" } })
    expect([plain.headers.get("content-encoding"), await plain.text()]).toEqual([null, await page.text()])
    const session = await fetch(`${url}session`)
    expect([session.headers.get("cache-control"), await session.json()]).toEqual(["no-store", { base_path: "/v1" }])
  })
})
