/**
 * Users who act first, in Chromium: the form shows the ways to, and ends by itself once they have acted.
 */
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest"
import { addAxe, seriousIn } from "../../console/test-peers/axe.ts"
import { launch, openTab } from "../../console/test-peers/chromium.ts"
import { type App, startApp } from "./App.ts"

let browser: Browser
beforeAll(async () => void (browser = await launch()))
afterAll(() => browser.close())

const workflow = (reply: boolean) => [
  { channel: "receive", by: ["sms", "bizchat"], timeout: 300, reply } as const,
  { channel: "sms", timeout: 60 } as const
]

let app: App
beforeEach(async () => void (app = await startApp({ start: { workflow: workflow(false) } })))
afterEach(() => app.stop())

const to = "+4915123456789"

const send = async (page: Page) => {
  await page.locator("#number").fill("0151 23456789")
  await page.keyboard.press("Enter")
  await page.locator("watchword-form .way").first().waitFor()
}

/** Has the user of the phone send the text of the form's first link. */
const write = async (page: Page): Promise<void> => {
  const uri = (await page.locator("watchword-form .way").first().getAttribute("href")) ?? ""
  const [, number = "", text = ""] = /^sms:(\+\d+)\?(?:&?body=)(.*)$/.exec(uri) ?? []
  await app.world.service.sandbox.writeText(app.world.account, to, { to: number, text: decodeURIComponent(text) })
}

it.each(["/phone", "/app"])("finishes by itself at %s once the user has written, and the app knows", async (path) => {
  const { close, complaints, page } = await openTab(browser)
  await page.goto(`${app.origin}${path}`)
  await send(page)
  expect(await page.locator("#code").isVisible()).toBe(false)
  expect(await page.locator("watchword-form a[target=_blank]").getAttribute("rel")).toBe("noopener")
  await write(page)
  await page.locator("watchword-form .done").waitFor()
  expect([app.approved, complaints]).toEqual([[`one ${to}`], []])
  await close()
})

it("is asked for the code that answers the text", async () => {
  await app.stop()
  app = await startApp({ start: { workflow: workflow(true) } })
  const { close, page } = await openTab(browser)
  await page.goto(`${app.origin}/phone`)
  await send(page)
  await write(page)
  await page.locator("#code").fill(await codeWhenVisible(page))
  await page.locator("watchword-form .done").waitFor()
  expect(app.approved).toEqual([`one ${to}`])
  await close()
})

const codeWhenVisible = async (page: Page): Promise<string> => {
  await page.locator("#code").waitFor()
  return app.world.codeFor(to)
}

it("uses a code instead, by the keyboard alone", async () => {
  const { close, page } = await openTab(browser)
  await page.goto(`${app.origin}/phone`)
  await send(page)
  await page.getByRole("button", { name: "Use a code instead" }).press("Enter")
  await page.locator("#code").fill(await codeWhenVisible(page))
  await page.locator("watchword-form .done").waitFor()
  await close()
})

it.each([
  [390, "light", "en"],
  [390, "dark", "ar"],
  [1440, "light", "he"],
  [1440, "dark", "de"]
] as const)("has nothing serious for axe at %i pixels, %s, in %s, and fits", async (width, colorScheme, language) => {
  const isTouch = width === 390
  const { close, complaints, page } = await openTab(browser, {
    viewport: { width, height: 900 },
    colorScheme,
    isMobile: isTouch,
    hasTouch: isTouch
  })
  await page.goto(`${app.origin}/phone?lang=${language}`)
  await addAxe(page)
  await send(page)
  const code = page.locator("watchword-form summary").first()
  expect(await code.isVisible()).toBe(!isTouch)
  if (!isTouch) {
    await code.press("Enter")
    await page.locator("watchword-form svg").first().waitFor()
  }
  expect(await seriousIn(page)).toEqual([])
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
  if (process.env["SHOTS"] !== undefined)
    await page.screenshot({ path: `${process.env["SHOTS"]}/form-${width}-${colorScheme}.png`, fullPage: true })
  expect(complaints).toEqual([])
  await close()
})

it("has links and a button without a script", async () => {
  const { close, page } = await openTab(browser, { javaScriptEnabled: false })
  await page.goto(`${app.origin}/phone`)
  await page.locator("#wf-number").fill("0151 23456789")
  await page.getByRole("button", { name: "Send code" }).click()
  const uri = (await page.locator(".wf-way").first().getAttribute("href")) ?? ""
  const [, number = "", text = ""] = /^sms:(\+\d+)\?(?:&?body=)(.*)$/.exec(uri) ?? []
  await app.world.service.sandbox.writeText(app.world.account, to, { to: number, text: decodeURIComponent(text) })
  await page.getByRole("button", { name: "I have done this" }).click()
  await page.getByText("is confirmed.").waitFor()
  expect(app.approved).toEqual([`one ${to}`])
  await close()
})
