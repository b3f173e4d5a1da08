/**
 * The console's lists and charts in Chromium: the address, filters, rows that open, and a chart by the keyboard.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { addAxe, seriousIn } from "./axe.ts"
import { type ConsoleServer, start } from "./ConsoleServer.ts"
import { type Tab, launch, openTab } from "./chromium.ts"
import { numbers, seed } from "./seed.ts"
import { countTraffic } from "../../../test/countedTraffic.ts"

const folder = folderForEach()
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

let server: ConsoleServer
let tab: Tab
let account: string
beforeEach(async () => {
  server = await start(folder.file("watchword.db"), "/x/y/console")
  tab = await openTab(browser)
  account = await seed(server)
})
afterEach(async () => {
  await tab.close()
  await server.stop()
})

const signIn = async (hash: string): Promise<Page> => {
  const { page } = tab
  await page.goto(`${server.url}${hash}`)
  await page.getByLabel("Token").fill(await server.grant("operator"))
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("link", { name: "Watchword, now" }).waitFor()
  return page
}

/** The page's complaints, except about refused requests. */
const complaints = () => tab.complaints.filter((complaint) => !/status of 4\d\d/.test(complaint))

const fits = (page: Page) => page.evaluate("document.documentElement.scrollWidth <= innerWidth")

/** Waits for the sums of a process, which it adds every ten seconds. */
const isCounted = () =>
  expect
    .poll(async () => JSON.stringify(await server.command("traffic", { sandbox: true })), { timeout: 30_000 })
    .toMatch(/"country":"DE"/)

describe("a list", () => {
  it("has its filters in the address: Back restores them, and a colleague gets them by the link", async () => {
    const page = await signIn("#/live")
    const records = page.locator("tbody tr.opens")
    await records.first().waitFor()
    await page.getByRole("radio", { name: "Verifications" }).check()
    await page.getByLabel("Status").selectOption("blocked")
    await page.getByLabel("Account").selectOption({ label: "Acme Shop" })
    await page.getByLabel("Mode").selectOption("sandbox")
    await expect.poll(() => records.count()).toBe(1)
    const link = page.url()
    expect(link).toBe(`${server.url}#/live?tab=verifications&status=blocked&account=${account}&mode=sandbox`)
    await page.getByRole("link", { name: numbers.blocked, exact: true }).click()
    await page.getByRole("heading", { level: 1, name: numbers.blocked }).waitFor()
    await page.goBack()
    await expect.poll(() => records.count()).toBe(1)
    expect(page.url()).toBe(link)
    expect(await page.getByLabel("Status").inputValue()).toBe("blocked")
    await page.reload()
    await expect.poll(() => records.count()).toBe(1)
    expect(await page.getByLabel("Account").inputValue()).toBe(account)
    expect(complaints()).toEqual([])
  })

  it("says why a prefix is not one, and finds the numbers that begin with one", async () => {
    const page = await signIn("#/live")
    const records = page.locator("tbody tr.opens")
    await records.first().waitFor()
    const prefix = page.getByLabel("Prefix")
    await prefix.fill(numbers.delivered)
    await prefix.press("Enter")
    await page.getByRole("alert").getByText("at most 7 digits").waitFor()
    expect(await prefix.getAttribute("aria-invalid")).toBe("true")
    expect(page.url()).not.toContain("prefix")
    await prefix.fill("+49 1511")
    await prefix.press("Enter")
    await expect.poll(() => page.url()).toMatch(/prefix=%2B491511$/)
    await expect
      .poll(async () => new Set(await records.locator("a[href^='#/number/']").allTextContents()))
      .toEqual(new Set([numbers.undelivered]))
    await page.getByLabel("Time").selectOption("between")
    await page.getByLabel("From").fill("2027-01-31T12:00")
    await page.getByLabel("Until").fill("2027-01-31T11:00")
    await page.getByText("The end must be after the beginning.").waitFor()
    expect(server.requests.filter((line) => line.includes(numbers.delivered.slice(1)))).toEqual([])
  })

  it("opens a record with its whole life", async () => {
    const page = await signIn("#/live?channel=call")
    const record = page.locator("tbody tr.opens").first()
    await record.waitFor()
    await record.getByRole("button", { name: "What happened to" }).press("Enter")
    const life = page.getByRole("article")
    await life.getByRole("heading", { name: "Verification" }).waitFor()
    expect(await life.locator(".steps > li").count()).toBeGreaterThan(0)
    await addAxe(page)
    expect(await seriousIn(page)).toEqual([])
    await record.getByRole("button", { name: "What happened to" }).press("Enter")
    await expect.poll(() => life.count()).toBe(0)
    expect(complaints()).toEqual([])
  })

  it("offers countries that its sends had", async () => {
    await isCounted()
    const page = await signIn("#/live")
    const country = page.getByLabel("Country")
    await expect.poll(() => country.locator("option").allTextContents()).toContain("Germany")
    await country.selectOption("DE")
    await expect.poll(() => page.locator("tbody tr.opens").count()).toBeGreaterThan(0)
  })
})

describe("a webhook's events", () => {
  /** An endpoint that answers with a status, and the bodies that it got. */
  const endpointThat = async (answer: { status: number; says: string }) => {
    const got: Array<string> = []
    const endpoint = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk) => (body += String(chunk)))
      request.on("end", () => {
        got.push(body)
        response.writeHead(answer.status).end(answer.says)
      })
    }).listen(0, "127.0.0.1")
    await once(endpoint, "listening")
    const address = endpoint.address()
    const close = () => {
      endpoint.close()
      endpoint.closeAllConnections()
    }
    return { got, close, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/hooks` }
  }

  it("open to the body, the attempts and the answer, and several are sent again at once", async () => {
    const answer = { status: 500, says: "the signature is wrong" }
    const { close, got, url } = await endpointThat(answer)
    const { webhook_id: id } = await server.command("webhook add", { url, events: ["delivery.*"] })
    const caller = { account, sandbox: true }
    for (const to of [numbers.delivered, "+4915123451001", "+4915123451002"]) {
      await server.service.sms.send(caller, { to, text: "Hello" })
    }
    await expect.poll(() => got.length).toBeGreaterThan(2)
    const page = await signIn(`#/connections?webhook=${String(id)}`)
    const panel = page.locator(".events")
    await panel.getByText("500").first().waitFor()
    await panel.getByRole("button", { name: "SMS", exact: false }).and(panel.locator("[aria-expanded]")).first().click()
    await panel.getByText("the signature is wrong").waitFor()
    await panel.getByText(/500 in \d+ ms/).waitFor()
    const body = await panel.locator("pre").first().textContent()
    expect(got.map((each) => JSON.parse(each))).toContainEqual(JSON.parse(body ?? ""))
    await panel.getByRole("link", { name: /^\+49151/ }).waitFor()
    await addAxe(page)
    expect(await seriousIn(page)).toEqual([])
    answer.status = 204
    const before = got.length
    const all = await panel.locator("tbody tr.opens").count()
    await panel.getByRole("checkbox", { name: `All ${all}` }).check()
    await panel.getByRole("button", { name: `Send ${all} again` }).click()
    await page
      .getByRole("dialog")
      .getByRole("button", { name: `Send ${all} again` })
      .click()
    await page.getByRole("status").getByText(`done for ${all}.`).waitFor()
    await expect.poll(() => got.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(before + all)
    await page.getByRole("radio", { name: "Taken" }).check()
    await panel.getByText("204").first().waitFor()
    expect(page.url()).toContain("events=sent")
    await panel.getByRole("button", { name: "Send again all of the last hour" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click()
    await page
      .getByRole("status")
      .getByText(/events will be resent/)
      .waitFor()
    expect(complaints()).toEqual([])
    close()
  })
})

describe("traffic", () => {
  it("has a chart that keys and the pointer read, and a table beside it", async () => {
    await isCounted()
    const page = await signIn("#/traffic?mode=sandbox&measure=sent")
    const chart = page.getByRole("slider", { name: "Sent by hour" })
    await chart.waitFor()
    expect(await chart.locator("circle").count()).toBeGreaterThan(0)
    await chart.focus()
    await page.keyboard.press("ArrowLeft")
    const said = async () => String(await chart.getAttribute("aria-valuetext"))
    expect(await said()).toMatch(/: Sent \d+; Sent, before 0$/)
    await page.keyboard.press("Home")
    expect(await said()).toMatch(/: Sent 0; Sent, before 0$/)
    expect(await chart.getAttribute("aria-valuenow")).toBe("1")
    await page.locator(".tip").getByText("Sent, before").waitFor()
    const box = await chart.boundingBox()
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 30, (box?.y ?? 0) + 60)
    await expect.poll(() => chart.getAttribute("aria-valuenow")).toBe("24")
    await page.getByRole("radio", { name: "Delivery" }).check()
    await page.getByRole("slider", { name: "Delivery by hour" }).waitFor()
    expect(page.url()).toContain("measure=delivery")
    await page.getByText("Show as a table").click()
    expect(await page.locator(".chart table tbody tr").count()).toBe(24)
    await addAxe(page)
    expect(await seriousIn(page)).toEqual([])
    await page.getByRole("region", { name: "Worst first" }).getByRole("link", { name: "Germany" }).first().click()
    await expect.poll(() => page.getByRole("group", { name: "Filter" }).getByLabel("Country").inputValue()).toBe("DE")
    await page.setViewportSize({ width: 390, height: 800 })
    await expect.poll(() => fits(page)).toBe(true)
    expect(complaints()).toEqual([])
  })
  it("is readable at a few points and at millions", async () => {
    await server.stop()
    const file = folder.file("counted.db")
    await countTraffic(file, Date.now(), 3_000)
    server = await start(file)
    const page = await signIn("#/traffic?days=90&measure=sent")
    const chart = page.getByRole("slider", { name: "Sent by day" })
    await chart
      .locator("text")
      .getByText(/^\d+M$/)
      .first()
      .waitFor()
    expect([await chart.getAttribute("aria-valuemax"), await chart.locator("circle").count()]).toEqual(["90", 0])
    await page.getByRole("group", { name: "Filter" }).getByLabel("Country").selectOption({ label: "Nigeria" })
    await page.getByRole("radio", { name: "24 hours" }).check()
    const hourly = page.getByRole("slider", { name: "Sent by hour" })
    await expect.poll(() => hourly.locator(".first circle").count()).toBe(24)
    await hourly.focus()
    await page.keyboard.press("End")
    expect(await hourly.getAttribute("aria-valuetext")).toMatch(/Sent [\d,]{7,}; Sent, before 0$/)
    await page.getByRole("radio", { name: "Margin" }).check()
    const money = page.getByRole("slider", { name: "Margin by hour" })
    await money.focus()
    await page.keyboard.press("End")
    expect(await money.getAttribute("aria-valuetext")).toMatch(
      /: Margin €[\d,.]+; Price €[\d,.]+; Cost €[\d,.]+; Margin, before €0.00; Sent /
    )
    await page.getByRole("link", { name: "Watchword, now" }).click()
    await page
      .getByRole("img", { name: /sent in 24 hours/ })
      .first()
      .waitFor()
    expect(complaints()).toEqual([])
  })
})
