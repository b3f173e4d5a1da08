/**
 * How the pages of Telegram Login look: small and large screens, light and dark, left to right and right to left.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest"
import { addAxe, seriousIn } from "../../console/test-peers/axe.ts"
import { launch, openTab } from "../../console/test-peers/chromium.ts"
import * as Service from "../../../test/logins/service.ts"

let browser: Awaited<ReturnType<typeof launch>>
beforeAll(async () => void (browser = await launch()))
afterAll(() => browser.close())

let service: Awaited<ReturnType<typeof Service.open>>
beforeEach(async () => void (service = await Service.open(null)))
afterEach(() => service.stop())

it.each([
  [390, "light", "en"],
  [390, "dark", "ar"],
  [320, "dark", "el"],
  [1440, "light", "de"]
] as const)("a user signs in at the sandbox's page, at %i pixels, %s, in %s", async (width, colorScheme, locale) => {
  const viewport = { width, height: 700 }
  const { close, complaints, page } = await openTab(browser, { viewport, colorScheme, locale })
  const good = async (stage: string) => {
    await addAxe(page)
    expect([stage, await seriousIn(page)]).toEqual([stage, []])
    expect([stage, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([stage, true])
  }
  const { now, uri } = await service.start(undefined, true)
  await page.goto(uri)
  await good("the sandbox's page")
  await page.locator("#number").fill("x")
  await page.locator("button[value=share]").click()
  await page.locator("#mistake").waitFor()
  await good("a wrong number")
  await page.locator("#number").fill(Service.NUMBER)
  await page.locator("button[value=share]").click()
  await page.locator(".done").waitFor()
  await good("the end")
  expect(await page.locator("html").getAttribute("lang")).toBe(locale)
  expect(await now()).toMatchObject({ status: "approved" })
  await page.goto(`${service.url}/login/telegram/sandbox`)
  await good("a wrong link")
  // The browser reports answers of 400.
  expect(complaints.filter((complaint) => !/400/.test(complaint))).toEqual([])
  await close()
})
