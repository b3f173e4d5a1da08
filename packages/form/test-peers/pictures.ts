/**
 * Writes the pictures of docs/form.md: the form at its stages, in Chromium.
 */
import { join } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { openTab } from "../../console/test-peers/chromium.ts"
import { startApp } from "./App.ts"

const pathOf = (name: string): string => join(import.meta.dirname, `../../../docs/pictures/form-${name}.png`)

/** The stages, one after the other; each has its number, because a number is sent a code once in a while. */
export const pictures = async (browser: Browser): Promise<void> => {
  const workflow = [
    { channel: "sms", timeout: 60 },
    { channel: "call", timeout: 60 }
  ]
  const app = await startApp({ start: { workflow } })
  const open = async (query: string, options: BrowserContextOptions) => {
    const tab = await openTab(browser, { viewport: { width: 390, height: 430 }, deviceScaleFactor: 1.5, ...options })
    await tab.page.goto(`${app.origin}/phone${query}`)
    return tab
  }
  const picture = async (page: Page, name: string) => {
    await page.waitForLoadState("networkidle")
    await page.screenshot({ path: pathOf(name), animations: "disabled" })
  }
  const send = async (page: Page, number: string) => {
    await page.locator("#number").fill(number)
    await page.keyboard.press("Enter")
  }

  const light = await open("", { colorScheme: "light" })
  await light.page.locator("#number").pressSequentially("15123456")
  await picture(light.page, "number")
  await send(light.page, "4915123456789")
  await light.page.locator(".reading").first().waitFor()
  await picture(light.page, "readings")
  await send(light.page, "0151 23456789")
  await light.page.locator("#code").pressSequentially("482")
  await picture(light.page, "code")
  await light.page.locator("#code").fill("000000")
  await light.page.locator(".bad").first().waitFor()
  await picture(light.page, "wrong")
  await light.page.locator("#code").fill(await app.world.codeFor("+4915123456789"))
  await light.page.locator(".done").waitFor()
  await picture(light.page, "approved")
  await light.close()

  const dark = await open("?lang=ar", { colorScheme: "dark" })
  await send(dark.page, "0151 23456780")
  await dark.page.locator("#code").pressSequentially("482")
  await picture(dark.page, "rtl")
  await dark.close()

  const plain = await open("", { colorScheme: "light", javaScriptEnabled: false })
  await plain.page.locator("#wf-number").fill("0151 23456781")
  await plain.page.locator("button[value=start]").click()
  await plain.page.locator("#wf-code").waitFor()
  await picture(plain.page, "plain")
  await plain.close()
  await app.stop()
}
