/**
 * The console in Chromium.
 */
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { type ConsoleServer, type Role, start } from "./ConsoleServer.ts"
import { type Tab, launch, openTab } from "./chromium.ts"
import { numbers, seed } from "./seed.ts"

const folder = folderForEach()
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

let server: ConsoleServer
let tab: Tab
beforeEach(async () => {
  server = await start(folder.file("watchword.db"), "/x/y/console")
  tab = await openTab(browser)
})
afterEach(async () => {
  await tab.close()
  await server.stop()
})

const enter = async (page: Page, token: string) => {
  await page.getByLabel("Token").fill(token)
  await page.getByRole("button", { name: "Sign in" }).click()
}

/** Signs in with a token of a role, and opens a page. */
const signIn = async (role: Role, hash = "#/") => {
  const { page } = tab
  await page.goto(`${server.url}${hash}`)
  await enter(page, await server.grant(role))
  await page.getByRole("link", { name: "Watchword, now" }).waitFor()
  return page
}

const service = () => server.service

/** Opens an account, and returns its id and a function that sends its texts. */
const acme = async () => {
  const { account_id: account } = await service().operator.account.create({ name: "Acme Shop", sms_sender: "Acme" })
  let sent = 0
  const send = async (many = 1) => {
    for (let n = 0; n < many; n += 1) {
      sent += 1
      await service().sms.send({ account, sandbox: true }, { to: `+491512345${String(1000 + sent)}`, text: "Hello" })
    }
  }
  return { account, send }
}

/** A page's complaints, except about refused requests. */
const complaints = () => tab.complaints.filter((complaint) => !/status of 4\d\d|ERR_/.test(complaint))

const heading = (name: string) => tab.page.getByRole("heading", { level: 1, name })

describe("signing in", () => {
  it("takes a token under any prefix, says who it is, and forgets it", async () => {
    const { page } = tab
    await page.goto(server.url.slice(0, -1))
    expect(page.url()).toBe(server.url)
    await enter(page, "wwo_wrong")
    await page.getByRole("alert").getByText("The token is wrong or has expired.").waitFor()
    await enter(page, await server.grant("admin"))
    await heading("Now").waitFor()
    await page.getByText("anna").waitFor()
    await page.getByText("Admin", { exact: true }).waitFor()
    await page.reload()
    await heading("Now").waitFor()
    expect(await page.evaluate("localStorage.length + sessionStorage.length + document.cookie.length")).toBe(0)
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByLabel("Token").waitFor()
    await page.reload()
    await page.getByLabel("Token").waitFor()
    expect(complaints()).toEqual([])
  })

  it("says after how many tries to wait", async () => {
    const { page } = tab
    await page.goto(server.url)
    for (let n = 0; n < 5; n += 1) {
      await enter(page, `wwo_wrong${n}`)
      await page.getByRole("button", { name: "Sign in", disabled: false }).waitFor()
    }
    await enter(page, await server.grant("admin"))
    await page
      .getByRole("alert")
      .getByText(/Too many attempts. Wait \d+ seconds/)
      .waitFor()
  })

  it("says that a session has ended", async () => {
    const page = await signIn("support", "#/number/+4915123456789")
    const { operators } = await server.command("operator list", {})
    const granted: ReadonlyArray<{ readonly id: string }> = JSON.parse(JSON.stringify(operators))
    for (const { id } of granted) await server.command("operator revoke", { id })
    await expect.poll(() => page.evaluate(`fetch("operator/v1/me").then(({ status }) => status)`)).toBe(401)
    await page.getByRole("button", { name: "Refresh" }).click()
    await page.getByRole("alert").getByText("Your session has ended").waitFor()
  })
})

describe("a number", () => {
  it("shows its reason and its story, and is in no request's address", async () => {
    await seed(server)
    const page = await signIn("support")
    await page.keyboard.press("/")
    await page.keyboard.type("+49 1512 340480")
    await page.keyboard.press("Enter")
    await heading("+491512340480").waitFor()
    const reason = page.getByRole("region", { name: "Likely reason" })
    await reason.getByText(/gateway is unreachable/i).waitFor()
    await page.getByRole("heading", { name: "Verification", exact: true }).waitFor()
    expect(await page.locator("time").first().getAttribute("title")).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
    expect(server.requests.filter((line) => line.includes("340480"))).toEqual([])
    expect(page.url()).toBe(`${server.url}#/number/+491512340480`)
    expect(complaints()).toEqual([])
  })

  it("is asked for again where it is wrong, and says what to do where nothing is known", async () => {
    const page = await signIn("support", "#/number/12")
    await page.getByRole("alert").getByText("must begin with a plus sign").waitFor()
    await page.goto(`${server.url}#/number/+4915123456789`)
    await page.getByText("No records of this number in this period").waitFor()
  })

  it("has its prefix blocked by those who may, once the form is right", async () => {
    const page = await signIn("operator", "#/number/+2348012345678")
    await page.getByRole("button", { name: "Block the prefix" }).click()
    const dialog = page.getByRole("dialog", { name: "Block the prefix" })
    await dialog.getByLabel("Prefix or country").fill("nowhere")
    await dialog.getByRole("button", { name: "Block the prefix" }).click()
    await dialog.getByRole("alert").waitFor()
    await dialog.getByLabel("Prefix or country").fill("+2348")
    await dialog.getByRole("button", { name: "Block the prefix" }).click()
    await page.getByRole("status").getByText("to +2348 are refused until").waitFor()
    const { guards } = await service().operator.guard.list({ account_id: null })
    expect(guards).toMatchObject([{ blocks: [{ place: "+2348" }] }])
    expect(await page.getByRole("button", { name: "Erase" }).count()).toBe(0)
    expect(complaints()).toEqual([])
  })

  it("is excepted for a day by support", async () => {
    const page = await signIn("support", "#/number/+2348012345678")
    await page.getByRole("button", { name: "Exempt from guards" }).click()
    const dialog = page.getByRole("dialog", { name: "Exempt from guards" })
    await dialog.getByRole("button", { name: "Exempt from guards" }).click()
    await page.getByRole("status").getByText("pass blocks, country rules and pumping rules").waitFor()
    const { guards } = await service().operator.guard.list({ account_id: null })
    const exceptions = guards.flatMap((each) => each.allowed)
    expect(exceptions).toMatchObject([{ number: "+2348012345678", until: expect.any(String) }])
    const left = Date.parse(exceptions[0]?.until ?? "") - Date.now()
    expect(left / 3_600_000).toBeGreaterThan(23)
    expect(left / 3_600_000).toBeLessThanOrEqual(24)
    expect(complaints()).toEqual([])
  })

  it("tells that another operator was there first, and goes on when it is asked again", async () => {
    const page = await signIn("operator", "#/number/+2348012345678")
    await page.getByRole("button", { name: "Block the prefix" }).click()
    const dialog = page.getByRole("dialog", { name: "Block the prefix" })
    await server.command("guard block", { place: "+2348", for: "1h", account_id: null })
    await dialog.getByLabel("Prefix or country").fill("+2348")
    await dialog.getByRole("button", { name: "Block the prefix" }).click()
    await dialog
      .getByRole("alert")
      .getByText(/^host changed this at /)
      .waitFor()
    await dialog.getByRole("button", { name: "Block the prefix" }).click()
    await dialog.getByRole("alert").waitFor({ state: "detached" })
    await page.getByRole("status").getByText("to +2348 are refused until").waitFor()
  })

  it("has no button that its reader may not press, and the API refuses it too", async () => {
    const page = await signIn("support", "#/number/+2348012345678")
    await page.getByText("No records of this number").waitFor()
    expect(await page.getByRole("main").getByRole("button").allTextContents()).toEqual([
      "Exempt from guards",
      "Refresh"
    ])
    const status = await page.evaluate(
      `fetch("operator/v1/guard/block", { method: "POST", headers: { "content-type": "application/json" }, body: '{"place":"+2348","for":"1h"}' }).then(({ status }) => status)`
    )
    expect(status).toBe(403)
  })
})

describe("an account", () => {
  it("gets a key in three clicks, which is shown once and works", async () => {
    const account = await seed(server)
    const page = await signIn("operator", `#/accounts/${account}`)
    await page.getByRole("button", { name: "Create a key" }).click()
    const dialog = page.getByRole("dialog", { name: "Create a key" })
    await dialog.getByRole("button", { name: "Create a key" }).click()
    await dialog.getByText("Copy it now").waitFor()
    const key = await dialog.locator("output").textContent()
    await dialog.getByRole("button", { name: "Copy" }).click()
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key)
    await dialog.getByRole("button", { name: "Done" }).click()
    const statusFor = async (key: string | null) => {
      const headers = { "x-account-id": account, "x-api-key": key ?? "" }
      const path = "/verifications/vrf_01KAJ000000000000000000000"
      const body = { _tag: "Absent" } as const
      return (await service().handle({ method: "GET", path, headers, body, remoteAddress: null })).status
    }
    expect([await statusFor(key), await statusFor(`${key}0`)]).toEqual([404, 401])
    await page.reload()
    const last = page.getByRole("row", { name: key?.slice(-4) ?? "" })
    await last.waitFor()
    expect(await page.getByText(key ?? "", { exact: true }).count()).toBe(0)
    await last.getByRole("button", { name: /^Revoke/ }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
    await last.getByText("revoked").waitFor()
    expect(complaints()).toEqual([])
  })

  it("takes away fields that are emptied in a form, and leaves those that were empty", async () => {
    const account = await seed(server)
    const page = await signIn("operator", `#/accounts/${account}`)
    const set = async (brand: string) => {
      await page.getByRole("button", { name: "Set defaults" }).click()
      await page.getByRole("dialog").getByLabel("Brand").fill(brand)
      await page.getByRole("dialog").getByRole("button", { name: "Set defaults" }).click()
      await expect.poll(() => page.getByRole("dialog").count()).toBe(0)
    }
    await set("ACME")
    await page.getByRole("region", { name: "Verifications" }).getByText("ACME", { exact: true }).waitFor()
    expect(await service().operator.account.verify({ account_id: account })).toMatchObject({
      brand: "ACME",
      locale: null
    })
    await set("")
    await page.getByRole("region", { name: "Verifications" }).getByText("Acme Shop, its name").waitFor()
  })

  it("changes between recording and denying", async () => {
    const account = await seed(server)
    const page = await signIn("operator", `#/accounts/${account}`)
    await page.getByRole("button", { name: "Deny from now on" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Deny from now on" }).click()
    await page.getByRole("button", { name: "Only record from now on" }).waitFor()
    expect((await service().operator.guard.show({ account_id: account })).rules).toMatchObject({ action: "deny" })
  })
})

describe("an attack", () => {
  it("is stopped in three clicks, and its block is taken away again", async () => {
    const { account_id: account } = await service().operator.account.create({ name: "Acme Shop", sms_sender: "Acme" })
    await service().operator.account.credit({ account_id: account, amount: 25 })
    const page = await signIn("operator")
    await page.getByRole("link", { name: "Guards" }).click()
    await page.getByText("Nothing is blocked").waitFor()
    await page.getByRole("button", { name: "Block a prefix" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Prefix or country").fill("+2348")
    await dialog.getByRole("button", { name: "Block a prefix" }).click()
    const row = page.getByRole("row", { name: "+2348" })
    await row.getByText("in 12 hr.").waitFor()
    const caller = { account, sandbox: true }
    await expect(service().sms.send(caller, { to: numbers.blocked, text: "Hello" })).rejects.toThrow()
    await row.getByRole("button", { name: "Unblock +2348" }).click()
    await dialog.getByRole("button", { name: "Unblock" }).click()
    await page.getByText("Nothing is blocked").waitFor()
    await service().sms.send(caller, { to: numbers.blocked, text: "Hello" })
    expect(complaints()).toEqual([])
  })

  it("appears while the page is open", async () => {
    const page = await signIn("support", "#/guards")
    await page.getByText("Nothing is blocked").waitFor()
    await server.command("guard block", { place: "NG", for: "1h" })
    await page.getByRole("row", { name: "NG" }).waitFor()
    expect(await page.getByRole("row", { name: "NG" }).getByRole("button").count()).toBe(0)
  })
})

describe("a webhook", () => {
  it("is tested, and gets again what its endpoint missed", async () => {
    const { send } = await acme()
    let status = 500
    const taken: Array<string> = []
    const endpoint = createServer((request, response) => {
      taken.push(String(request.headers["webhook-id"]))
      response.writeHead(status).end()
    }).listen(0, "127.0.0.1")
    await once(endpoint, "listening")
    const address = endpoint.address()
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/hooks`
    await server.command("webhook add", { url, events: ["delivery.*"] })
    await send()
    await expect.poll(() => taken.length).toBeGreaterThan(0)
    const [missed] = taken
    const page = await signIn("operator", "#/connections")
    await page.getByText("500").first().waitFor()
    status = 204
    await page.locator("summary", { hasText: "Events" }).first().click()
    await page
      .getByRole("button", { name: /^Send again SMS sent/ })
      .first()
      .click()
    await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click()
    await expect.poll(() => taken.filter((id) => id === missed).length, { timeout: 15_000 }).toBeGreaterThan(1)
    await page.getByRole("radio", { name: "Taken" }).check()
    await page.getByText("204").first().waitFor()
    await page.getByRole("button", { name: `Test ${url}` }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Test" }).click()
    await page.getByRole("status").getByText("204").waitFor()
    endpoint.close()
    endpoint.closeAllConnections()
  })
})

describe("texts of others", () => {
  it("are shown as texts, wherever they come from", async () => {
    const evil = `<img src=x onerror="globalThis.hit=1"><b>`
    const { account_id: account } = await service().operator.account.create({ name: evil, sms_sender: "Acme" })
    const caller = { account, sandbox: true }
    await service().sms.send(caller, { to: numbers.delivered, text: evil })
    await server.command("webhook add", { url: "https://shop.example/?<script>hit=1</script>" })
    await server.command("template set", { name: "evil", locale: "en", account_id: account, text: `{{code}} ${evil}` })
    const page = await signIn("admin")
    for (const [hash, text] of [
      [`number/${numbers.delivered}`, evil],
      ["live", evil],
      ["accounts", evil],
      [`accounts/${account}`, `123456 ${evil}`],
      ["connections", "shop.example"]
    ] as const) {
      await page.goto(`${server.url}#/${hash}`)
      await page.getByText(text).filter({ visible: true }).first().waitFor()
    }
    await page.goto(`${server.url}#/number/${encodeURIComponent(evil)}`)
    await page.getByRole("heading", { level: 1, name: evil }).waitFor()
    expect(await page.evaluate("globalThis.hit ?? null")).toBe(null)
    expect(await page.locator("main img, main b img").count()).toBe(0)
  })
})

describe("the live list", () => {
  it("takes new records in on top, and does not move what its reader looks at", async () => {
    const { send } = await acme()
    await send(70)
    const page = await signIn("support", "#/live")
    const rows = page.locator("tbody tr")
    await rows.first().waitFor()
    await rows.first().getByText("Acme Shop").waitFor()
    const first = await rows.first().getAttribute("id")
    const isAt = (place: number) => page.locator(`tbody tr:nth-child(${place})[id="${first}"]`).waitFor()
    await send()
    await isAt(2)
    await page.evaluate("scrollTo(0, 600)")
    const seen = page.locator("tbody tr").nth(12)
    const place = await seen.boundingBox()
    const id = await seen.getAttribute("id")
    await send(3)
    await page.getByRole("button", { name: "3 new" }).waitFor()
    expect(await page.locator(`[id="${id}"]`).boundingBox()).toEqual(place)
    await page.getByRole("button", { name: "3 new" }).press("Enter")
    await isAt(5)
    await page.keyboard.press("p")
    await send(2)
    await page.getByRole("button", { name: "2 new" }).waitFor()
    await page.keyboard.press("p")
    await isAt(7)
    await page.getByRole("button", { name: "Show older" }).click()
    await expect.poll(() => rows.count()).toBe(76)
    await rows.nth(3).click()
    await page.getByRole("article").waitFor()
    await page.getByRole("link", { name: /^All records of/ }).click()
    await page.getByRole("region", { name: "Likely reason" }).waitFor()
    expect(complaints()).toEqual([])
  })

  it("saves what its filter finds", async () => {
    const { account, send } = await acme()
    await send(3)
    await service().call.flash({ account, sandbox: true }, { callee: "+4915123451001", caller: "+493023125123" })
    const page = await signIn("support", "#/live")
    await page.getByLabel("Channel").selectOption("sms")
    await page.locator("tbody tr:nth-child(3)").waitFor()
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as CSV" }).click()
    ])
    expect(download.suggestedFilename()).toMatch(/^watchword-.*\.csv$/)
    await download.saveAs(folder.file("saved.csv"))
    const [head, ...lines] = (await readFile(folder.file("saved.csv"), "utf8")).split("\r\n")
    expect(head).toMatch(/^created_at,id,/)
    expect(lines.map((line) => /,sandbox,sms,\+4915123451\d{3},/.test(line))).toEqual([true, true, true])
  })
})

describe("a server that goes away", () => {
  it("is said to be away, and the page goes on when it is back", async () => {
    const { send } = await acme()
    await send(2)
    const page = await signIn("support", "#/live")
    const rows = page.locator("tbody tr")
    await rows.nth(1).waitFor()
    await server.go()
    await page.getByRole("alert").getByText("The server is not responding").waitFor()
    expect(await rows.count()).toBe(2)
    await send()
    await server.come()
    await rows.nth(2).waitFor()
    expect(await page.getByRole("alert").count()).toBe(0)
  })

  it("has no stream of a tab that is hidden", async () => {
    const page = await signIn("support")
    await expect.poll(() => server.streams()).toBe(1)
    const hide = (isHidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, "hidden", { configurable: true, get: () => ${isHidden} });
         document.dispatchEvent(new Event("visibilitychange"))`
      )
    await hide(true)
    await expect.poll(() => server.streams()).toBe(0)
    await hide(false)
    await expect.poll(() => server.streams()).toBe(1)
  })
})
