/**
 * Ways through the console in Chromium from the page Now, with their clicks counted as the browser sees them.
 *
 * docs/console.md has the clicks of each way as a table.
 */
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { smsc } from "@watchword/sandbox/smsc"
import { smpp } from "@watchword/sms/smpp"
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { countTraffic } from "../../../test/countedTraffic.ts"
import { folderForEach } from "../../../test/folder.ts"
import { type ConsoleServer, start } from "./ConsoleServer.ts"
import { launch, openTab } from "./chromium.ts"

const folder = folderForEach()
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

/** Functions that close the resources of a test; the last one runs first. */
const opened: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

/** A service with a carrier and a live account. */
const shop = async () => {
  const carrier = await smsc()
  opened.push(() => carrier.stop())
  const server = await start(folder.file("watchword.db"), "/console", { sms: smpp({ url: carrier.url("timeout=5") }) })
  opened.push(server.stop)
  const { operator } = server.service
  const { account_id: account } = await operator.account.create({ name: "Acme Shop", sms_sender: "Acme" })
  await operator.account.credit({ account_id: account, amount: 100 })
  return { server, account, ...startsOf(server, account) }
}

const WORKFLOW = [{ channel: "sms", timeout: 60 }] as const

const startsOf = ({ service: { verify } }: ConsoleServer, account: string) => {
  const begin = (to: string, more: object = {}) => verify.start({ account }, { to, workflow: WORKFLOW, ...more })
  return {
    begin,
    /** Someone has a code sent, and gives up. */
    abandoned: async (to: string) => void (await verify.cancel({ account }, (await begin(to)).id)),
    /** A user who enters the code. */
    entered: async (to: string) => {
      const { id } = await begin(to, { code: "424242" })
      await verify.check({ account }, id, { code: "424242" })
    },
    guessed: async (to: string) => {
      const { id } = await begin(to)
      for (let n = 0; n < 5; n += 1) await verify.check({ account }, id, { code: "0000" })
    }
  }
}

/** The page Now of an operator, from which clicks count. */
const now = async (server: ConsoleServer): Promise<Page> => {
  const tab = await openTab(browser)
  opened.push(tab.close)
  const { page } = tab
  await page.addInitScript(
    "globalThis.clicks = 0; addEventListener('pointerdown', ({ isTrusted }) => isTrusted && (clicks += 1), true)"
  )
  await page.goto(server.url)
  await page.getByLabel("Token").fill(await server.grant("operator"))
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("heading", { level: 1, name: "Now" }).waitFor()
  await page.evaluate("clicks = 0")
  return page
}

/** Compares the clicks of a way with the documents. */
const took = async (page: Page, way: string, most: number): Promise<void> => {
  const clicks = Number(await page.evaluate("clicks"))
  expect(clicks).toBeGreaterThan(0)
  expect(clicks).toBeLessThanOrEqual(most)
  expect(await readFile("docs/console.md", "utf8")).toContain(`| ${way} | ${clicks} |`)
}

const padded = (index: number): string => String(index).padStart(4, "0")

/** Presses a problem's button, and confirms. */
const block = async (page: Page, name: string | RegExp): Promise<void> => {
  await page.getByRole("list", { name: "Problems" }).getByRole("button", { name }).first().click()
  await page.getByRole("dialog").getByRole("button", { name: "Block" }).click()
  await page.getByRole("status").getByText("are refused until").waitFor()
}

describe("an attack is stopped", () => {
  it("that pumps one prefix", async () => {
    const { abandoned, begin, entered, server } = await shop()
    for (let n = 0; n < 6; n += 1) await entered(`+2347061${n}3${padded(n)}1`)
    for (let n = 0; n < 25; n += 1) await abandoned(`+234803123${padded(n)}`)
    const page = await now(server)
    await page.getByText("0 of 25 codes to +234803").waitFor()
    await block(page, /^Block \+234803/)
    await took(page, "stop an attack on one prefix", 2)
    await expect(begin("+2348031239999")).rejects.toMatchObject({ reason: "prefix_blocked" })
    await entered("+2347069990001")
  })

  it("that pumps a country", async () => {
    const { abandoned, begin, server } = await shop()
    for (let n = 0; n < 25; n += 1) await abandoned(`+2348${n % 2}${padded(n * 397)}${padded(n * 31)}`)
    const page = await now(server)
    await page.getByText("0 of 25 codes to Nigeria were entered in the last hour").waitFor()
    await block(page, "Block Nigeria")
    await took(page, "stop an attack on a country", 2)
    await expect(begin("+2347069990001")).rejects.toMatchObject({ reason: "prefix_blocked" })
  })

  it("that floods one number", async () => {
    const { begin, server } = await shop()
    const victim = "+4915123456789"
    for (let n = 0; n < 12; n += 1) await begin(victim, { purpose: `p${n}` }).catch(() => null)
    const page = await now(server)
    await page.getByText("Codes for +491********89 were asked for 12 times in the last hour").waitFor()
    await block(page, "Block +491********89")
    await took(page, "stop the flooding of one number", 2)
    await expect(begin(victim, { purpose: "last" })).rejects.toMatchObject({ reason: "prefix_blocked" })
  })

  it("that guesses at the codes of one number", async () => {
    const { account, begin, guessed, server } = await shop()
    const victim = "+4915123456789"
    await server.command("guard set", {
      account_id: account,
      rules: { action: "deny", limits: [{ name: "number", by: ["to"], rates: ["50/1h"] }] }
    })
    for (let n = 0; n < 4; n += 1) await guessed(victim)
    const page = await now(server)
    await page.getByText("Wrong codes used up all checks of 4 verifications of +491********89").waitFor()
    await block(page, "Block +491********89")
    await took(page, "stop guesses at the codes of one number", 2)
    await expect(begin(victim)).rejects.toMatchObject({ reason: "prefix_blocked" })
  })
})

describe("an operator", () => {
  it("sends a webhook's event again", async () => {
    const { begin, server } = await shop()
    const taken: Array<string> = []
    const endpoint = createServer((request, response) => {
      taken.push(String(request.headers["webhook-id"]))
      response.writeHead(204).end()
    }).listen(0, "127.0.0.1")
    await once(endpoint, "listening")
    opened.push(async () => {
      endpoint.close()
      endpoint.closeAllConnections()
    })
    const address = endpoint.address()
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/hooks`
    await server.command("webhook add", { url, events: ["verification.*"] })
    await begin("+4915123456789")
    await expect.poll(() => taken.length).toBe(2)
    const page = await now(server)
    await page.getByRole("link", { name: "Connections" }).click()
    await page.locator("summary", { hasText: "Events" }).click()
    await page
      .getByRole("button", { name: /^Send again Verification/ })
      .first()
      .click()
    await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click()
    await took(page, "send a webhook's event again", 4)
    await expect.poll(() => taken.length, { timeout: 15_000 }).toBe(3)
    expect(new Set(taken).size).toBe(2)
  })

  it("makes a key", async () => {
    const { account, server } = await shop()
    const page = await now(server)
    await page.getByRole("link", { name: "Accounts" }).click()
    await page.getByRole("link", { name: "Acme Shop" }).click()
    await page.getByRole("button", { name: "Create a key" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Create a key" }).click()
    await page.getByRole("dialog").getByText("Copy it now").waitFor()
    await took(page, "make a key", 4)
    expect((await server.service.operator.key.list({ account_id: account })).keys).toHaveLength(1)
  })

  it("reads last month's margin of each carrier", async () => {
    const file = folder.file("counted.db")
    await countTraffic(file, Date.now())
    const server = await start(file)
    opened.push(server.stop)
    const page = await now(server)
    await page.getByRole("link", { name: "Traffic", exact: true }).click()
    await page.getByRole("radio", { name: "Last month" }).check()
    const carriers = page.getByRole("region", { name: "Worst first" })
    for (const carrier of ["acme", "bell", "trunk"]) {
      await carriers.getByRole("row").filter({ hasText: carrier }).getByText("€").first().waitFor()
    }
    await page.getByRole("slider", { name: "Margin by day" }).waitFor()
    await took(page, "read last month's margin of each carrier", 2)
    expect(await carriers.getByLabel("By").inputValue()).toBe("carrier")
    const year = new Date().getUTCFullYear()
    const month = new Date().getUTCMonth()
    const { rows } = await server.service.operator.traffic({
      since: new Date(Date.UTC(year, month - 1)).toISOString(),
      until: new Date(Date.UTC(year, month)).toISOString(),
      by: ["carrier"]
    })
    expect(rows.map(({ carrier }) => carrier).toSorted()).toEqual(["acme", "bell", "trunk"])
    for (const { carrier = "", margin } of rows) {
      const shown = await carriers
        .getByRole("row")
        .filter({ hasText: carrier })
        .locator("[data-label=Margin]")
        .innerText()
      expect([carrier, Number(shown.replaceAll(/[€,]/g, ""))]).toEqual([carrier, expect.closeTo(margin, 2)])
    }
    await carriers.getByLabel("By").selectOption("country,channel,carrier")
    await carriers.getByRole("columnheader", { name: "Country" }).waitFor()
  })
})
