/**
 * Debian's Chromium, without a window, and without requests of its own.
 */
import { type Browser, type BrowserContextOptions, type Page, chromium } from "playwright-core"

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

export const launch = (): Promise<Browser> => chromium.launch({ executablePath: "/usr/bin/chromium", args: ARGS })

/** A page in a context of its own, and the browser's complaints about it. */
export interface Tab {
  readonly page: Page
  readonly complaints: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

/** Opens a page that has no motion, so that a test does not wait for it. */
export const openTab = async (browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 1000 },
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
    ...options
  })
  const page = await context.newPage()
  const complaints: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text())
  })
  page.on("pageerror", (error) => complaints.push(error.message))
  return { page, complaints, close: () => context.close() }
}
