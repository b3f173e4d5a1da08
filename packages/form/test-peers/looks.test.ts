/**
 * The looks of the form: small and large screens, light and dark, left to right and right to left, with a script and
 * without.
 */
import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest"
import { addAxe, seriousIn } from "../../console/test-peers/axe.ts"
import { launch, openTab } from "../../console/test-peers/chromium.ts"
import { type App, startApp } from "./App.ts"

let browser: Browser
beforeAll(async () => void (browser = await launch()))
afterAll(() => browser.close())

let app: App
beforeEach(async () => void (app = await startApp()))
afterEach(() => app.stop())

const sizes = [
  [390, "light", "en"],
  [390, "dark", "ar"],
  [1440, "light", "he"],
  [1440, "dark", "de"]
] as const

it.each(sizes)(
  "has nothing serious for axe at %i pixels, %s, in %s, and fits",
  async (width, colorScheme, language) => {
    const { close, complaints, page } = await openTab(browser, { viewport: { width, height: 800 }, colorScheme })
    const good = async (stage: string) => {
      expect([stage, await seriousIn(page)]).toEqual([stage, []])
      expect([stage, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([stage, true])
    }
    const shown = (selector: string) => page.locator(`watchword-form ${selector}`).first().waitFor()
    await page.goto(`${app.origin}/phone?lang=${language}`)
    await shown("#number")
    await addAxe(page)
    await good("a number")
    for (const [number, stage] of [
      ["12", "an invalid number"],
      ["4915123456789", "two readings"]
    ] as const) {
      await page.locator("#number").fill(number)
      await page.keyboard.press("Enter")
      await shown(stage === "two readings" ? ".reading" : ".bad")
      await good(stage)
    }
    await page.locator("#number").fill("0151 23456789")
    await page.keyboard.press("Enter")
    await shown("#code")
    await good("a code")
    await page.keyboard.type("123")
    await good("a part of a code")
    await page.keyboard.press("Enter")
    await shown(".bad")
    await good("a code that is not whole")
    app.sessions.areOver = true
    await page.locator("#code").fill("123456")
    await shown(".error")
    await page.locator("#code").waitFor({ state: "detached" })
    await good("an end")
    app.sessions.areOver = false
    await page.reload()
    await page.locator("#code").fill(await app.world.codeFor("+4915123456789"))
    await addAxe(page)
    await shown(".done")
    await good("an approval")
    // The browser reports an answer of 401.
    expect(complaints.filter((complaint) => !/401/.test(complaint))).toEqual([])
    await close()
  }
)

it.each(sizes)("is the same without its script at %i pixels, %s, in %s", async (width, colorScheme, language) => {
  const { close, page } = await openTab(browser, { viewport: { width, height: 800 }, colorScheme })
  await page.route(/form\.js/, (route) => route.abort())
  const good = async (stage: string) => {
    await addAxe(page)
    expect([stage, await seriousIn(page)]).toEqual([stage, []])
    expect([stage, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([stage, true])
  }
  await page.goto(`${app.origin}/phone?lang=${language}`)
  await good("a number")
  await page.locator("#wf-number").fill("4915123456789")
  await page.keyboard.press("Enter")
  await page.getByRole("radio").first().waitFor()
  await good("two readings")
  await page.getByRole("radio").last().check()
  await page.keyboard.press("Enter")
  await page.locator("#wf-code").waitFor()
  await good("a code")
  await page.locator("#wf-code").fill("12")
  await page.keyboard.press("Enter")
  await page.getByRole("alert").waitFor()
  await good("a code that is not whole")
  await page.locator("#wf-code").fill(await app.world.codeFor("+4915123456789"))
  await page.keyboard.press("Enter")
  await page.locator(".wf-done").waitFor()
  await good("an approval")
  await close()
})

it("shows which box is next in colours that the system forces", async () => {
  const { close, page } = await openTab(browser, { forcedColors: "active" })
  await page.goto(`${app.origin}/phone`)
  await page.locator("#number").fill("0151 23456789")
  await page.keyboard.press("Enter")
  await page.locator("#code").waitFor()
  await page.keyboard.type("12")
  const widths = await page.evaluate(
    "[...document.querySelector('watchword-form').shadowRoot.querySelectorAll('.box')].map((box) => getComputedStyle(box).borderTopWidth)"
  )
  expect(widths).toEqual(["1px", "1px", "3px", "1px", "1px", "1px"])
  await close()
})
