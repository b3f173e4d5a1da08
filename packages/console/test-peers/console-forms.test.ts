/**
 * The console's forms and remedies in Chromium: the buttons of an operator, and the values that the server takes.
 */
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { addAxe, seriousIn } from "./axe.ts"
import { type ConsoleServer, start } from "./ConsoleServer.ts"
import { type Tab, launch, openTab } from "./chromium.ts"
import { numbers, seed } from "./seed.ts"

const folder = folderForEach()
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

let server: ConsoleServer
let account: string
let tab: Tab
let page: Page
beforeEach(async () => {
  server = await start(folder.file("watchword.db"))
  account = await seed(server)
  tab = await openTab(browser)
  page = tab.page
})
afterEach(async () => {
  await tab.close()
  await server.stop()
})

const open = async (role: "support" | "operator", hash: string) => {
  await page.goto(`${server.url}${hash}`)
  await page.getByLabel("Token").fill(await server.grant(role))
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("link", { name: "Watchword, now" }).waitFor()
}

const dialogOf = async (button: string, name = button) => {
  await page.getByRole("button", { name: button }).click()
  return page.getByRole("dialog", { name })
}

/** Waits until a control of this name has the focus. */
const focus = (name: string) => expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe(name)

const complaints = () => tab.complaints.filter((complaint) => !/status of 4\d\d/.test(complaint))

describe("a remedy", () => {
  it("names the rule, leads to the pages that it names, and has the button", async () => {
    await open("support", `#/number/${numbers.blocked}`)
    const reason = page.getByRole("region", { name: "Likely reason" })
    await reason.getByText("Blocked by the block of +2348, which an operator set").waitFor()
    expect(await reason.innerText()).not.toMatch(/prefix_blocked|guard (?:show|list|allow)/)
    expect(await reason.getByRole("link", { name: "the account" }).getAttribute("href")).toBe(`#/accounts/${account}`)
    await reason.getByRole("button", { name: "Exempt this number" }).click()
    const dialog = page.getByRole("dialog", { name: "Exempt from guards" })
    await dialog.getByRole("button", { name: "Exempt from guards" }).click()
    await page.getByRole("status").getByText("pass blocks, country rules and pumping rules").waitFor()
    await reason.getByRole("link", { name: "Guards" }).click()
    await page.getByRole("heading", { level: 1, name: "Guards" }).waitFor()
    expect(complaints()).toEqual([])
  })
})

describe("a number as its user wrote it", () => {
  it("is offered in the usual country with one click, and has no acts before", async () => {
    await open("support", "#/number")
    await page.keyboard.press("/")
    await page.getByLabel("Number to look up").fill("0151 00000003")
    await page.keyboard.press("Enter")
    const main = page.getByRole("main")
    await main.getByRole("link", { name: "Germany: +49 15100000003" }).waitFor()
    expect(await main.getByRole("button").count()).toBe(0)
    await main.getByRole("link", { name: "Germany: +49 15100000003" }).click()
    await page.getByRole("heading", { level: 1, name: "+4915100000003" }).waitFor()
    await main.getByRole("button", { name: "Exempt from guards" }).waitFor()
  })

  it("is refused if it is no number", async () => {
    await open("support", "#/number/hello")
    await page.getByText("This is no phone number").waitFor()
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0)
  })
})

describe("a key", () => {
  it("has the permissions that are ticked", async () => {
    await open("operator", `#/accounts/${account}`)
    const dialog = await dialogOf("Create a key")
    await dialog.getByLabel("sms:send").check()
    await dialog.getByLabel("verify:check").check()
    await dialog.getByRole("button", { name: "Create a key" }).click()
    await dialog.getByText("Copy it now").waitFor()
    const { keys } = await server.service.operator.key.list({ account_id: account })
    expect(keys.map(({ scopes }) => scopes)).toContainEqual(["sms:send", "verify:check"])
  })
})

describe("a workflow", () => {
  it("has steps that buttons add, move and remove", async () => {
    await open("operator", `#/accounts/${account}`)
    const dialog = await dialogOf("Change cheap", "Change the steps")
    await dialog.getByRole("group", { name: "Step 3" }).waitFor()
    await dialog.getByRole("button", { name: "Move step 3 up" }).press("Enter")
    await focus("Move step 2 up")
    await page.keyboard.press("Enter")
    await focus("Move step 1 down")
    await dialog.getByRole("button", { name: "Move step 2 down" }).press("Enter")
    await focus("Move step 3 up")
    await page.keyboard.press("Enter")
    await dialog.getByRole("button", { name: "Remove step 2" }).click()
    await dialog.getByRole("button", { name: "Add a step" }).click()
    const last = dialog.getByRole("group", { name: "Step 3" })
    await last.getByLabel("Seconds until the next step").fill("45")
    await last.getByLabel("by another carrier").check()
    await addAxe(page)
    expect(await seriousIn(page)).toEqual([])
    await dialog.getByRole("button", { name: "Change the steps" }).click()
    await page.getByRole("status").getByText("call:60,sms:60,sms/other:45").waitFor()
    // The other carrier stays where another step is changed.
    await dialogOf("Change cheap", "Change the steps")
    await dialog.getByRole("group", { name: "Step 2" }).getByLabel("Channel").selectOption("bizchat")
    await dialog.getByRole("button", { name: "Change the steps" }).click()
    await page.getByRole("status").getByText("call:60,bizchat:60,sms/other:45").waitFor()
    expect(complaints()).toEqual([])
  })

  it("has steps at which the user acts first", async () => {
    await open("operator", `#/accounts/${account}`)
    const dialog = await dialogOf("Add a workflow")
    await dialog.getByLabel("Name").fill("first")
    const step = dialog.getByRole("group", { name: "Step 1" })
    await step.getByLabel("Channel").selectOption("receive")
    await step.getByLabel("a call").check()
    await step.getByLabel("a text").uncheck()
    expect(await step.getByLabel("a call").isDisabled()).toBe(true)
    await step.getByLabel("Telegram sign-in").check()
    await step.getByLabel("texts are answered").uncheck()
    await addAxe(page)
    expect(await seriousIn(page)).toEqual([])
    await dialog.getByRole("button", { name: "Add a workflow" }).click()
    await page.getByRole("status").getByText("receive/telegram_login+call/no-reply:60").waitFor()
    await page.getByText("User acts first (Telegram sign-in, a call) 60 s").waitFor()
    // They are shown as they were set.
    const change = await dialogOf("Change first", "Change the steps")
    expect(await change.getByLabel("a call").isChecked()).toBe(true)
    expect(await change.getByLabel("texts are answered").isChecked()).toBe(false)
    await change.getByLabel("WhatsApp").check()
    await change.getByRole("button", { name: "Change the steps" }).click()
    await page.getByRole("status").getByText("receive/telegram_login+call+bizchat/no-reply:60").waitFor()
    expect(complaints()).toEqual([])
  })

  it("is edited as JSON too, and says what is wrong", async () => {
    await open("operator", `#/accounts/${account}`)
    const dialog = await dialogOf("Add a workflow")
    await dialog.getByLabel("Name").fill("short")
    await dialog.getByText("Edit as JSON").click()
    const json = dialog.getByLabel("Steps as JSON")
    await json.fill("[{")
    await dialog.getByText("The form cannot show this JSON.").waitFor()
    await dialog.getByRole("button", { name: "Add a workflow" }).click()
    await dialog.getByRole("alert").getByText("steps must be").waitFor()
    await json.fill('[{"channel":"call","timeout":20}]')
    await dialog.getByRole("group", { name: "Step 1" }).waitFor()
    await dialog.getByRole("button", { name: "Add a workflow" }).click()
    await page.getByRole("status").getByText("take these steps: call:20").waitFor()
  })
})

describe("the rules of a guard", () => {
  it("are set by a form, which keeps the parts that it does not show", async () => {
    await server.command("guard set", {
      account_id: account,
      rules: {
        action: "record",
        numbers: { deny_types: ["premium_rate"] },
        limits: [{ name: "per_number", by: ["to"], rates: ["5/1h"], for: "sends" }]
      }
    })
    await open("operator", `#/accounts/${account}`)
    const dialog = await dialogOf("Change the rules")
    await dialog.getByText("These rules also set numbers").waitFor()
    await dialog.getByRole("radio", { name: "Deny", exact: true }).check({ force: true })
    await dialog.getByRole("combobox", { name: /^Countries/ }).selectOption("only these")
    await dialog.getByLabel("Countries, such as DE, AT").fill("de, at")
    const first = dialog.getByRole("group", { name: "Limit 1" })
    await first.getByLabel("How many sends").fill("3")
    await first.getByLabel("IP address").check()
    await dialog.getByRole("button", { name: "Add a limit" }).click()
    const second = dialog.getByRole("group", { name: "Limit 2" })
    await second.getByLabel("Name").fill("spending")
    await second.getByLabel("also limits the cost of the sends").check()
    await second.getByRole("button", { name: "Remove rate 1" }).click()
    await dialog.getByRole("button", { name: "Move limit 2 up" }).click()
    await dialog.getByText("no live request in the last hour").waitFor()
    await addAxe(page)
    expect(await seriousIn(page)).toEqual([])
    await dialog.getByRole("button", { name: "Change the rules" }).click()
    await page.getByRole("status").getByText("Running servers apply these rules").waitFor()
    expect((await server.service.operator.guard.show({ account_id: account })).rules).toEqual({
      action: "deny",
      countries: { allow: ["DE", "AT"] },
      numbers: { deny_types: ["premium_rate"] },
      limits: [
        { name: "spending", by: ["to"], money: "50/1d" },
        { name: "per_number", by: ["to", "client_ip"], rates: ["3/1h"], for: "sends" }
      ]
    })
    expect(complaints()).toEqual([])
  })
})

describe("the keyboard", () => {
  it("has its keys behind ?, moves through rows, and opens one", async () => {
    await open("support", "#/live")
    await page.locator("tbody tr").first().waitFor()
    await page.keyboard.press("?")
    const dialog = page.getByRole("dialog", { name: "Keys" })
    await dialog.getByText("Find a number").waitFor()
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowUp")
    const focused = await page.evaluate("document.activeElement.textContent")
    expect(focused).toBe(await page.locator("tbody tr .whole").first().textContent())
    await page.keyboard.press("Enter")
    await page.getByRole("article").waitFor()
    await page.getByRole("link", { name: String(focused).replace("What happened to", "All records of") }).waitFor()
  })

  it("closes a dialog with the page that it is over", async () => {
    await open("operator", "#/guards")
    await (await dialogOf("Block a prefix")).waitFor()
    await page.evaluate(`location.hash = "#/accounts"`)
    await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor()
    await page.getByRole("dialog").waitFor({ state: "detached" })
  })
})
