/**
 * The page of refused requests in Chromium.
 */
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { until } from "../../../test/until.ts"
import { type ConsoleServer, start } from "./ConsoleServer.ts"
import { type Tab, launch, openTab } from "./chromium.ts"

const folder = folderForEach()
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

let server: ConsoleServer
let tab: Tab
beforeEach(async () => {
  server = await start(folder.file("watchword.db"))
  tab = await openTab(browser)
})
afterEach(async () => {
  await tab.close()
  await server.stop()
})

const post = (path: string, body: object, headers: Readonly<Record<string, string>>) =>
  server.service.handle({
    method: "POST",
    path,
    headers: { "content-type": "application/json", ...headers },
    body: { _tag: "Parsed", value: body },
    remoteAddress: "203.0.113.7"
  })

const open = async (): Promise<Page> => {
  const { page } = tab
  await page.goto(`${server.url}#/requests`)
  await page.getByLabel("Token").fill(await server.grant("support"))
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor()
  return page
}

it("lists requests as they are refused, by filters, and opens one to its details", async () => {
  const { account_id: account } = await server.service.operator.account.create({ name: "Acme Shop" })
  const { key, key_id: keyId } = await server.service.operator.key.create({ account_id: account, sandbox: true })
  const page = await open()
  await page.getByText("No matching requests").waitFor()
  await post("/verifications", { to: "+4915123456789", code: "1" }, { "x-api-key": key, "x-account-id": account })
  const refused = page.getByRole("button", { name: "POST /verifications" })
  await refused.waitFor()
  await page.getByRole("link", { name: "Acme Shop" }).waitFor()
  expect(await refused.getAttribute("aria-expanded")).toBe("false")
  await refused.focus()
  await page.keyboard.press("Enter")
  await page.getByText(keyId).waitFor()
  await page.getByText("+491********89").waitFor()
  await page.getByText("203.0.113.7").waitFor()
  expect(await refused.getAttribute("aria-expanded")).toBe("true")
  await refused.click()
  await until(
    () => page.getByText(keyId).count(),
    (count) => count === 0
  )

  for (let n = 0; n < 30; n++) await post("/sms", {}, { "x-api-key": "sk_test_wrong", "x-account-id": account })
  await page.getByRole("button", { name: "POST /sms" }).first().waitFor()
  await page.getByRole("combobox", { name: "Status" }).selectOption("401")
  await until(
    () => page.getByRole("button", { name: "POST /verifications" }).count(),
    (count) => count === 0
  )
  await page
    .getByText(/^\d+ requests$/)
    .first()
    .waitFor()
  await page.getByRole("combobox", { name: "Error" }).selectOption("CONFLICT")
  await page.getByText("No matching requests").waitFor()
  expect(page.url()).toContain("status=401&code=CONFLICT")
})
