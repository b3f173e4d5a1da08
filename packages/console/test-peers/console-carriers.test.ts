/**
 * The console in Chromium with real carriers: why a number got no code, an attack as it happens, and a carrier that is
 * drained on two servers.
 */
import { readFile } from "node:fs/promises"
import { until } from "../../../test/until.ts"
import { WatchwordError } from "watchword"
import { postgres } from "@watchword/store-postgres"
import { carriers } from "@watchword/sms/carriers"
import { smpp } from "@watchword/sms/smpp"
import * as Schema from "effect/Schema"
import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type Script, type Receipt, type Submit, smsc, type Smsc, receipt } from "@watchword/sandbox/smsc"
import { STATUS } from "@watchword/sandbox/smsc"
import { attacks } from "../../../test/attacks/attacks.ts"
import type { World } from "../../../test/attacks/service.ts"
import { folderForEach } from "../../../test/folder.ts"
import * as PostgresServer from "../../../test/PostgresServer.ts"
import { type ConsoleServer, start } from "./ConsoleServer.ts"
import { type Tab, launch, openTab } from "./chromium.ts"

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

const carrierThat = async (behaviour: Partial<Script>): Promise<Smsc> => {
  const carrier = await smsc({ script: behaviour })
  opened.push(() => carrier.stop())
  return carrier
}

const serverWith = async (more: Parameters<typeof start>[2]): Promise<ConsoleServer> => {
  const server = await start(folder.file("watchword.db"), "/console", more)
  opened.push(server.stop)
  return server
}

/** Signs in as an operator. */
const operatorOn = async (server: ConsoleServer, hash: string): Promise<Tab["page"]> => {
  const tab = await openTab(browser)
  opened.push(tab.close)
  const { page } = tab
  await page.goto(`${server.url}${hash}`)
  await page.getByLabel("Token").fill(await server.grant("operator"))
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("link", { name: "Watchword, now" }).waitFor()
  return page
}

const accountOn = async ({ service }: ConsoleServer, amount = 1_000): Promise<string> => {
  const { account_id: account } = await service.operator.account.create({ name: "Acme Shop", sms_sender: "Acme" })
  if (amount > 0) await service.operator.account.credit({ account_id: account, amount })
  return account
}

/** Waits until every process with carriers has said that a carrier is up. */
const isUp = (server: ConsoleServer, carrier: string, servers = 1) =>
  expect
    .poll(
      async () => (await server.service.operator.carrier.list()).carriers.find((each) => each.carrier === carrier)?.up,
      {
        timeout: 20_000
      }
    )
    .toBe(servers)

describe("a number that got no code", () => {
  const numbers = {
    none: "+4915123450000",
    refused: "+4915123450001",
    undelivered: "+4915123450002",
    silent: "+4915123450003",
    sent: "+4915123450004",
    arrived: "+4915123450005",
    limited: "+4915123450006",
    guessed: "+4915123450007",
    test: "+4915123450008",
    canceled: "+4915123450009",
    denied: "+4915123450010",
    stranded: "+4915123450011",
    unpaid: "+4915123450012"
  } as const
  const {
    none,
    refused,
    undelivered,
    silent,
    sent,
    arrived,
    limited,
    guessed,
    test,
    canceled,
    denied,
    stranded,
    unpaid
  } = numbers
  const blocked = "+2348012345678"

  it("has each reason on its page, in the words of the documents", async () => {
    const said: Readonly<Record<string, (submit: Submit) => Receipt>> = {
      [undelivered]: (submit) => {
        const { after, fields } = receipt(submit, "UNDELIV")
        return { after, fields: { ...fields, text: String(fields.text).replace("err:000", "err:027") } }
      },
      [arrived]: (submit) => receipt(submit)
    }
    const carrier = await carrierThat({
      submit: ({ to }) => (`+${to}` === refused ? { status: STATUS.RINVDSTADR } : `+${to}` === silent ? "silence" : {}),
      receipt: (submit) => said[`+${submit.to}`]?.(submit) ?? null
    })
    const server = await serverWith({
      sms: carriers(
        { acme: smpp({ url: carrier.url("timeout=0.5") }), bell: smpp({ url: "smpp://watchword:secret@127.0.0.1:1" }) },
        {
          routes: [
            { to: "*", via: ["acme"] },
            { to: stranded.slice(1), via: ["bell"] }
          ]
        }
      ),
      prices: { sms: { "*": 0.05 } },
      beforeSend: {
        check: async ({ to }) => (to === denied ? { decision: "deny", reason: "sim_swapped" } : { decision: "allow" })
      }
    })
    const { operator, sms, verify } = server.service
    const account = await accountOn(server)
    const caller = { account }
    const workflow = [{ channel: "sms", timeout: 60 }] as const
    const ask = (to: string) => verify.start(caller, { to, workflow })
    const tried = (does: Promise<unknown>) => does.catch(() => null)
    await isUp(server, "acme")

    await operator.account.testNumber.add({
      account_id: account,
      number: test,
      code: "424242",
      until: new Date(Date.now() + 86_400_000).toISOString()
    })
    await server.command("guard block", { place: "+2348", for: "1h" })
    await server.command("guard set", {
      account_id: account,
      rules: { action: "deny", limits: [{ name: "number", by: ["to"], rates: ["5/1h"] }] }
    })
    for (const to of [refused, undelivered, silent, sent, arrived, test, denied, stranded, blocked])
      await tried(ask(to))
    for (let n = 0; n < 7; n += 1) await tried(sms.send(caller, { to: limited, text: "Hello" }))
    const guess = await ask(guessed)
    for (let n = 0; n < 5; n += 1) await tried(verify.check(caller, guess.id, { code: "0000" }))
    await verify.cancel(caller, (await ask(canceled)).id)
    await tried(verify.start({ account: await accountOn(server, 0) }, { to: unpaid, workflow }))

    const page = await operatorOn(server, "#/number")
    const reason = page.getByRole("region", { name: "Likely reason" })
    const documents = await readFile("docs/console.md", "utf8")
    for (const [number, what, says] of [
      [none, "nothing was asked for", "No request for this number was recorded"],
      [refused, "the carrier refused it", "Not sent by SMS"],
      [undelivered, "the network reported an error", "absent subscriber"],
      [silent, "the carrier did not answer", "did not answer: it is unknown whether the code was sent"],
      [sent, "no receipt came", "no receipt has arrived"],
      [arrived, "the phone has it", "The phone showed it"],
      [limited, "a limit of the guard", "Blocked by the limit number: 5 of 5 in 1h, until"],
      [blocked, "a block of the guard", "Blocked by the block of +2348, which an operator set: until"],
      [denied, "your check before a send", "sim_swapped"],
      [stranded, "no carrier serves the number", "No carrier takes messages to this number"],
      [guessed, "wrong codes", "Wrong codes were entered until no checks were left"],
      [test, "it is a test number", "A test number"],
      [canceled, "the app canceled it", "The client canceled the verification"],
      [unpaid, "the account has no balance", "Not enough balance"]
    ] as const) {
      await page.evaluate(`location.hash = "#/number/${number}"`)
      await page.getByRole("heading", { level: 1, name: number }).waitFor()
      await expect
        .poll(async () => (await reason.innerText()).toLowerCase(), { timeout: 5_000 })
        .toContain(says.toLowerCase())
      expect(documents).toContain(`| ${what} | ${says} |`)
    }
  })
})

describe("an attack", () => {
  it("is blocked before the eyes of its operator, who lets the prefix in again", async () => {
    const carrier = await carrierThat({})
    const server = await serverWith({ sms: smpp({ url: carrier.url("timeout=5") }) })
    const account = await accountOn(server)
    const attack = attacks.find(({ name }) => name === "the same from 1000 addresses")
    if (attack === undefined) throw new Error("there is no such attack")
    await server.command("guard set", { account_id: account, rules: attack.rules })
    const page = await operatorOn(server, "#/guards")
    await page.getByText("Nothing is blocked").waitFor()

    const world = worldOf(server, account)
    await attack.play(world)
    const row = page.getByRole("row", { name: "+23480" })
    await row.first().getByText("pumping").waitFor()
    expect(world.attacker.refused).toBeGreaterThan(world.attacker.sent)
    const place = (await row.first().getByRole("rowheader").innerText()).trim()
    const to = `${place}12345678`.slice(0, "+2348031200000".length)
    const send = () => server.service.sms.send({ account }, { to, text: "Hello" })
    await expect(send()).rejects.toMatchObject({ reason: "prefix_blocked" })
    await page.getByRole("button", { name: `Unblock ${place}` }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Unblock" }).click()
    await row.first().waitFor({ state: "detached" })
    await expect(send()).resolves.toMatchObject({ messageId: expect.any(String) })
  })
})

/** The world of an attack on an account, whose requests are calls in-process. */
const worldOf = ({ service: { sms } }: ConsoleServer, account: string): World => {
  const unasked = () => Promise.reject(new Error("this attack asks for no more"))
  return {
    attacker: { sent: 0, refused: 0 },
    users: { sent: 0, refused: 0 },
    send: async (side, _path, body) => {
      const { client_ip, text, to } = decodeText(body)
      try {
        const { messageId } = await sms.send({ account }, { to, text, client_ip })
        side.sent += 1
        return { messageId }
      } catch (error) {
        if (!(error instanceof WatchwordError) || (error.status !== 403 && error.status !== 429)) throw error
        side.refused += 1
        return null
      }
    },
    ask: async (_path, body) => {
      const { id } = decodeReport(body)
      await sms.report({ account }, { id, status: "delivered" })
      return 200
    },
    spent: unasked,
    close: unasked
  }
}

const decodeText = Schema.decodeUnknownSync(
  Schema.Struct({ to: Schema.String, text: Schema.String, client_ip: Schema.String })
)
const decodeReport = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.String }))

describe("a carrier that is drained on the page", () => {
  it("gets no more of two servers on one PostgreSQL, which lose nothing, and takes its part again", async () => {
    const database = await PostgresServer.start()
    opened.push(database.stop)
    const [acme, bell] = [await carrierThat({}), await carrierThat({})]
    const options = () => ({
      store: postgres(database.url),
      sms: carriers(
        { acme: smpp({ url: acme.url("timeout=5") }), bell: smpp({ url: bell.url("timeout=5") }) },
        { routes: [{ to: "*", via: ["acme", "bell"] }] }
      )
    })
    const first = await serverWith(options())
    const second = await serverWith(options())
    const account = await accountOn(first)
    await isUp(first, "acme", 2)
    let count = 0
    const ending = new AbortController()
    const load = async ({ service }: ConsoleServer): Promise<void> => {
      while (!ending.signal.aborted) {
        count += 1
        const to = `+49151${String(20_000_000 + count)}`
        await service.sms.send({ account }, { to, text: "Your code is 123456" })
      }
    }
    const loads = [load(first), load(first), load(second), load(second)]
    const page = await operatorOn(first, "#/connections")
    const row = page.getByRole("row", { name: "acme" })
    const press = async (label: string) => {
      await row.getByRole("button", { name: `${label} acme` }).click()
      await page.getByRole("dialog").getByRole("button", { name: label }).click()
      await page.getByRole("dialog").waitFor({ state: "detached" })
    }
    const moves = async (from: Smsc, to: Smsc) => {
      await expect
        .poll(
          async () => {
            const before = [from.submits.length, to.submits.length] as const
            await until(() => to.submits.length > before[1] + 10)
            return from.submits.length === before[0]
          },
          { timeout: 10_000 }
        )
        .toBe(true)
    }
    await expect.poll(() => acme.submits.length).toBeGreaterThan(20)
    await press("Drain")
    await moves(acme, bell)
    await row.getByText("drained").waitFor()
    await press("Resume")
    await moves(bell, acme)
    ending.abort()
    await Promise.all(loads)
    const taken = [...acme.submits, ...bell.submits].map(({ to }) => to)
    expect([taken.length, new Set(taken).size]).toEqual([count, count])
    const log = await first.command("operator log", {})
    expect(log["entries"]).toMatchObject([
      { command: "carrier resume", who: "anna", before: { drained: true } },
      { command: "carrier drain", who: "anna", before: null },
      { command: "operator grant", who: "host" },
      { command: "account credit", who: "program" },
      { command: "account create", who: "program" }
    ])
  })
})
