/**
 * The page of a number whose user acted first: the texts and calls, and their results in words.
 */
import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { type ConsoleServer, start } from "./ConsoleServer.ts"
import { addAxe, seriousIn } from "./axe.ts"
import { launch, openTab } from "./chromium.ts"

const folder = folderForEach()
let browser: Browser
beforeAll(async () => void (browser = await launch()))
afterAll(() => browser.close())

let server: ConsoleServer
beforeEach(async () => void (server = await start(folder.file("watchword.db"))))
afterEach(() => server.stop())

const to = "+4915123456789"

/** A verification that a call approves, and another whose user proves nothing. */
const seed = async (): Promise<void> => {
  const { service } = server
  const { account_id: account } = await service.operator.account.create({ name: "Acme Shop", sms_sender: "Acme" })
  const caller = { account, sandbox: true } as const
  const begin = async (by: "sms" | "call", purpose: string) => {
    const workflow = [{ channel: "receive", by: [by], timeout: 300, reply: false } as const]
    const terms = { to, workflow, purpose, least_assurance: "network" } as const
    const [shown] = (await service.verify.start(caller, terms)).present ?? []
    return { to: shown?.number ?? "", text: shown?.text ?? "" }
  }
  const { to: called } = await begin("call", "login")
  await service.sandbox.placeCall(caller, to, { to: called })
  const asked = await begin("sms", "payment")
  await service.sandbox.writeText(caller, to, { ...asked, assurance: "claimed" })
  await service.sandbox.writeText(caller, to, { ...asked, assurance: "claimed" })
  await service.sandbox.writeText(caller, "+4915123456780", asked)
}

it.each([
  [390, "light"],
  [390, "dark"],
  [1440, "light"],
  [1440, "dark"]
] as const)("is shown at %i pixels, %s", async (width, colorScheme) => {
  await seed()
  const { close, complaints, page } = await openTab(browser, { viewport: { width, height: 900 }, colorScheme })
  await page.goto(`${server.url}#/number/${to}`)
  await page.getByLabel("Token").fill(await server.grant("support"))
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByText("a call came from the number, which approved the verification (network)").first().waitFor()
  const weak = page.getByText(/a text came from the number, but less sure than the verification asks for/)
  await expect.poll(() => weak.count()).toBeGreaterThanOrEqual(2)
  await page
    .getByText(/a text came from another number/)
    .first()
    .waitFor()
  await addAxe(page)
  expect(await seriousIn(page)).toEqual([])
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
  if (process.env["SHOTS"] !== undefined)
    await page.screenshot({ path: `${process.env["SHOTS"]}/number-${width}-${colorScheme}.png`, fullPage: true })
  // The browser reports the answer to a request before the sign-in.
  expect(complaints.filter((complaint) => !/401/.test(complaint))).toEqual([])
  await close()
})
