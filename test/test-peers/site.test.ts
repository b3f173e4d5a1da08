/**
 * The built site in Chromium: axe, no movement while a page loads, the search, and that no request leaves the origin.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, statSync } from "node:fs"
import { type Server, createServer } from "node:http"
import { extname, join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { addAxe, seriousIn } from "../../packages/console/test-peers/axe.ts"
import { launch, openTab } from "../../packages/console/test-peers/chromium.ts"

const root = join(import.meta.dirname, "../..")
const site = join(root, "site/.vitepress/dist")
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".png": "image/png"
}

let browser: Awaited<ReturnType<typeof launch>>
let server: Server
let origin: string

beforeAll(async () => {
  const { output, status } = spawnSync(process.execPath, ["scripts/docs.ts", "build"], { cwd: root, encoding: "utf8" })
  expect([status, status === 0 ? "" : output.join("")]).toEqual([0, ""])
  server = createServer(({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://site")
    const path = join(site, pathname.endsWith("/") ? `${pathname}index.html` : pathname)
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true
    response.writeHead(isFile ? 200 : 404, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" })
    response.end(isFile ? readFileSync(path) : "")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  browser = await launch()
}, 600_000)
afterAll(async () => {
  await browser.close()
  server.close()
})

/** Counts how far content moved, from the first octet on. */
const watchShifts = `
  window.shifts = 0
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shifts += value })
    .observe({ type: "layout-shift", buffered: true })`

const PAGES = ["/", "/documents.html", "/verify.html", "/console.html", "/data-model.html", "/reference/watchword.html"]

it.each([
  [390, "light"],
  [390, "dark"],
  [1440, "light"],
  [1440, "dark"]
] as const)(
  "has nothing serious for axe at %i pixels, %s, and does not move",
  async (width, colorScheme) => {
    for (const path of PAGES) {
      const { close, complaints, page } = await openTab(browser, { viewport: { width, height: 900 }, colorScheme })
      const foreign: Array<string> = []
      page.on("request", (request) => {
        if (!request.url().startsWith(`${origin}/`)) foreign.push(request.url())
      })
      await page.addInitScript(watchShifts)
      await page.goto(`${origin}${path}`, { waitUntil: "networkidle" })
      await addAxe(page)
      expect([path, await seriousIn(page)]).toEqual([path, []])
      expect([path, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([path, true])
      expect([path, await page.evaluate("window.shifts < 0.01")]).toEqual([path, true])
      expect([path, foreign, complaints]).toEqual([path, [], []])
      await close()
    }
  },
  300_000
)

it("finds a page by its words, before names of the reference", async () => {
  const { close, page } = await openTab(browser)
  await page.goto(`${origin}/`, { waitUntil: "networkidle" })
  await page.getByRole("button", { name: "Search" }).click()
  await page.getByRole("searchbox").fill("resend")
  await page.locator(".result").first().waitFor()
  await page.keyboard.press("Enter")
  await page.waitForURL((url) => url.pathname !== "/")
  expect(new URL(page.url()).pathname).not.toMatch(/^\/reference\//)
  await close()
}, 120_000)

it("has a page's text without JavaScript", async () => {
  const { close, page } = await openTab(browser, { javaScriptEnabled: false })
  await page.goto(`${origin}/verify.html`)
  await page.getByRole("heading", { level: 1, name: "Verify a number" }).waitFor()
  await page.getByText("max_checks").first().waitFor()
  await close()
}, 60_000)
