/**
 * The sign-up and the handset, two pages of one Chromium: what docs/dev.md tells to do.
 */
import { fileURLToPath } from "node:url"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest"
import { launch } from "../../../packages/console/test-peers/chromium.ts"
import { folderForEach } from "../../../test/folder.ts"
import { until } from "../../../test/until.ts"
import { type DevServer, start } from "../../../packages/dev/test/DevServer.ts"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
const folder = folderForEach()
const number = "+4915123456789"

let browser: Browser
beforeAll(async () => void (browser = await launch()))
afterAll(() => browser.close())

let server: DevServer
let context: BrowserContext
let app: Page
let handset: Page

beforeEach(async () => {
  server = await start({ folder: folder.path(), env: { PORT: "0" }, flags: ["--", process.execPath, main] })
  const [, address = ""] = (await until(() => /sign-up is at (\S+)/.exec(server.out()))) ?? []
  context = await browser.newContext({ reducedMotion: "reduce", permissions: ["clipboard-read", "clipboard-write"] })
  handset = await context.newPage()
  await handset.goto(`${server.origin}/handset/`)
  app = await context.newPage()
  await app.goto(address)
})
afterEach(async () => {
  await context.close()
  await server.stop()
})

const phone = () => handset.getByRole("region", { name: `Phone ${number}` })
const under = () => handset.getByRole("region", { name: `About ${number}` })

const add = async () => {
  await handset.getByLabel("Number").fill(number)
  await handset.getByRole("button", { name: "Add a phone" }).click()
  await phone().waitFor()
}

const set = async (label: string, value: string) => {
  const summary = under().getByText("How the phone answers")
  if (!(await under().getByLabel(label).isVisible())) await summary.click()
  await under().getByLabel(label).selectOption(value)
}

const signUp = async () => {
  await app.getByLabel("Phone number").fill("+49 1512 3456789")
  await app.getByRole("button", { name: "Send code" }).click()
  await app.locator("#code").waitFor()
}

/** The form checks a code once it is whole. */
const enter = (code: string) => app.locator("#code").fill(code)

const proved = () => app.getByRole("status").getByText(`${number} is yours.`).waitFor()

it("proves a number by the code that its phone copies", async () => {
  await signUp()
  await phone().getByRole("button", { name: /\d{6}/ }).first().click()
  await phone().getByRole("button", { name: /^Copy/ }).click()
  await enter(await handset.evaluate("navigator.clipboard.readText()"))
  await proved()
  await under().getByText("Approved").waitFor()
})

it("falls back in sight to a text where the number has no account on the chats", async () => {
  await add()
  await set("Chat gateway", "no")
  await set("Business chat", "none")
  const settings = () => server.ask(`/sandbox/phones/${encodeURIComponent(number)}`)
  await until(async () => {
    const { body } = await settings()
    return body["chatgw"] === false && body["bizchat"] === "none"
  })
  await signUp()
  await under().getByText("not delivered: no account").first().waitFor()
  await phone()
    .getByRole("button", { name: /Acme code/ })
    .click()
  await enter(/\d{6}/.exec((await phone().getByRole("log").textContent()) ?? "")?.[0] ?? "")
  await proved()
})

it("refuses what is not the code, and a number that is not valid, and goes on", async () => {
  await app.getByLabel("Phone number").fill("12")
  await app.getByRole("button", { name: "Send code" }).click()
  await app.getByRole("alert").filter({ hasText: "This number does not exist." }).waitFor()
  await signUp()
  await enter("000000")
  await app.getByRole("alert").filter({ hasText: "That is not the code." }).waitFor()
  await until(() => /\b(\d{6})\s+delivered/.test(server.out()))
  await enter(/\b(\d{6})\s+delivered/.exec(server.out())?.[1] ?? "")
  await proved()
})

it("ends with the server", async () => {
  const address = app.url()
  expect((await fetch(address)).status).toBe(200)
  await server.stop()
  await expect
    .poll(async () =>
      fetch(address).then(
        () => "answers",
        () => "ended"
      )
    )
    .toBe("ended")
})
