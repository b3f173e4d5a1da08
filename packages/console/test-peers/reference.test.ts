/**
 * The page at the root and the reference in a browser: on small screens and large, light and dark.
 */
import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type DevServer, start } from "../../dev/test/DevServer.ts"
import { folderForEach } from "../../../test/folder.ts"
import { addAxe, seriousIn } from "./axe.ts"
import { launch, openTab } from "./chromium.ts"

const folder = folderForEach()
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

let server: DevServer
beforeEach(async () => {
  server = await start({ folder: folder.path() })
})
afterEach(() => server.stop())

describe("the pages of a server", () => {
  it.each([
    [390, "light"],
    [390, "dark"],
    [1440, "light"],
    [1440, "dark"]
  ] as const)("have nothing serious for axe at %i pixels, %s, and fit the screen", async (width, colorScheme) => {
    const { close, complaints, page } = await openTab(browser, { viewport: { width, height: 900 }, colorScheme })
    for (const path of ["/", "/docs"]) {
      await page.goto(`${server.origin}${path}`)
      await page.getByRole("heading", { level: 1 }).waitFor()
      await addAxe(page)
      expect([path, await seriousIn(page)]).toEqual([path, []])
      expect([path, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([path, true])
    }
    expect(complaints).toEqual([])
    await close()
  })

  it("lead from the root to the reference, whose samples name the server, and whose requests it answers", async () => {
    const { close, complaints, page } = await openTab(browser, { viewport: { width: 1440, height: 900 } })
    await page.goto(server.origin)
    await page.getByRole("link", { name: "Reference" }).click()
    await page.getByRole("heading", { name: "Reference" }).waitFor()
    await page.getByRole("radio", { name: "Python" }).check({ force: true })
    const started = page.locator("article", { has: page.getByRole("heading", { name: "Start a verification" }) })
    expect(await started.locator(".sample:visible pre").innerText()).toContain(`"${server.origin}/v1/verifications"`)
    await started.getByText("Try it in the sandbox").click()
    await started.getByRole("button", { name: "Send" }).click()
    await started.getByText('"status": "pending"').waitFor()
    await page.getByRole("textbox", { name: "Sandbox key" }).fill("sk_live_1")
    await started.getByRole("button", { name: "Send" }).click()
    await started.getByText("it begins with sk_test_").waitFor()
    expect(complaints).toEqual([])
    await close()
  })
})
