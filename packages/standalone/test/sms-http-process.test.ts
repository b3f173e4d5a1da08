/**
 * Texts through a provider with an HTTP API through the real server, which is killed between the request and the
 * answer; and a search for secrets in everything it leaves behind.
 */
import { readFile, readdir, writeFile } from "node:fs/promises"
import { AccountId } from "@watchword/schemas/Ids"
import { sqlite } from "@watchword/store-sqlite"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { until } from "../../../test/until.ts"
import { createWatchword } from "watchword"
import { answer, late } from "../../../test/provider.ts"
import { type SmsApi, twilioError } from "@watchword/sandbox/http"
import {
  ACCOUNT,
  ACME_SECRET,
  ACME_TOKEN,
  AUTH_TOKEN,
  acme,
  acmeDescription,
  twilio
} from "../../sms/test/http/dialects.ts"
import { holdReceipts, startProvider } from "../../sms/test/http/simulator.ts"
import { books as booksOf } from "./Books.ts"
import { type Running, start, startFailing } from "./Standalone.ts"
import { seeded } from "../../../test/random.ts"

const PRICE = 50_000
const BALANCE = 100_000_000
const to = "+4915123450000"

const folder = folderForEach()
let file: string
let provider: SmsApi
let environment: Readonly<Record<string, string>>
let account: AccountId
let key: string
let server: Running

beforeEach(async () => {
  file = folder.file("test.db")
  await writeFile(folder.file("prices.json"), '{"sms": {"*": "0.05"}}')
  provider = await startProvider(twilio)
  environment = {
    DATABASE_URL: `sqlite:${file}`,
    PRICES: folder.file("prices.json"),
    SMS_HTTP_PROVIDER: "twilio",
    SMS_HTTP_URL: provider.url(),
    TWILIO_ACCOUNT_SID: ACCOUNT,
    TWILIO_AUTH_TOKEN: AUTH_TOKEN,
    PUBLIC_URL: "http://127.0.0.1:1",
    LOG_LEVEL: "trace"
  }
  const { dispose, operator } = await createWatchword({ store: sqlite(file) })
  account = AccountId.make((await operator.account.create({ sms_sender: "Acme" })).account_id)
  await operator.account.credit({ account_id: account, amount: BALANCE / 1e6 })
  key = (await operator.key.create({ account_id: account })).key
  await dispose()
})

afterEach(async () => {
  await server.kill()
  await provider.stop()
})

/** Sends a text; the status of the answer, null if the server gave none. */
const send = async (text: string, headers: Readonly<Record<string, string>> = {}): Promise<number | null> => {
  try {
    const response = await fetch(`${server.baseUrl}/sms`, {
      method: "POST",
      headers: { "x-api-key": key, "x-account-id": account, "content-type": "application/json", ...headers },
      body: JSON.stringify({ to, text })
    })
    await response.text()
    return response.status
  } catch {
    return null
  }
}

const books = () => booksOf(sqlite(file), account)

/**
 * Posts the receipt of a text to the server that runs now, as the provider signs it for its configured address.
 */
const deliver = async (index: number, more: Readonly<Record<string, string>> = {}): Promise<number> => {
  const text = provider.texts[index]
  if (text === undefined) throw new Error("the provider has no such text")
  const receipt = provider.dialect.receipt(text, "delivered")
  const { search } = new URL(receipt.url)
  return provider.post({ ...receipt, ...more, url: `${server.baseUrl}/sms/events${search}` })
}

describe("a server that is killed while the provider is asked", () => {
  it("keeps the price until a receipt comes, charges once, and never sends the text again", async () => {
    holdReceipts(provider)
    provider.once(late("silence"))
    server = await start(environment)
    const sending = send("Your code is 123456", { "idempotency-key": "signup" })
    await until(() => provider.calls.length === 1)
    await server.kill()
    expect(await sending).toBeNull()
    expect((await books()).balance).toMatchObject({ held: PRICE, available: BALANCE - PRICE })

    server = await start(environment)
    // The client tries again under its key, and the record is still without an outcome.
    expect(await send("Your code is 123456", { "idempotency-key": "signup" })).not.toBe(200)
    expect(await deliver(0)).toBe(200)
    expect(await deliver(0)).toBe(200)
    expect(await send("Your code is 123456", { "idempotency-key": "signup" })).toBe(200)
    expect(provider.calls).toHaveLength(1)
    const { balance, entries, records } = await books()
    expect(balance).toMatchObject({ held: 0, available: BALANCE - PRICE })
    expect(records).toMatchObject([{ phase: "accepted", status: { name: "delivered" } }])
    expect([...entries.values()]).toEqual([["hold", "settle"]])
  })

  it("charges under random kills for each text that the provider took, once", { timeout: 120_000 }, async () => {
    holdReceipts(provider)
    const { below } = seeded()
    for (let round = 0; round < 5; round++) {
      server = await start({ ...environment, LOG_LEVEL: "none" })
      const stop = new AbortController()
      const client = async (name: number) => {
        for (let count = 0; !stop.signal.aborted; count++) await send(`round ${round} client ${name} text ${count}`)
      }
      const clients = Array.from({ length: 10 }, (_, index) => client(index))
      const enough = provider.calls.length + 5 + below(20)
      await until(() => provider.calls.length >= enough)
      await server.kill()
      stop.abort()
      await Promise.all(clients)
    }
    const texts = provider.texts.map(({ text }) => text)
    expect(texts.length).toBeGreaterThanOrEqual(25)
    expect(new Set(texts).size).toBe(texts.length)
    server = await start({ ...environment, LOG_LEVEL: "none" })
    for (const index of texts.keys()) expect(await deliver(index)).toBe(200)
    const { balance, records } = await books()
    expect(records.filter(({ status }) => status.name === "delivered")).toHaveLength(texts.length)
    expect(BALANCE - balance.available - balance.held).toBe(PRICE * texts.length)
  })
})

it("takes no receipt without a signature of its provider", async () => {
  holdReceipts(provider)
  server = await start(environment)
  expect(await send("Your code is 123456")).toBe(200)
  expect(provider.texts[0]?.callbackUrl).toMatch(
    /^http:\/\/127\.0\.0\.1:1\/v1\/sms\/events\?reference=\d+&delivery=[0-9A-Z]{26}$/
  )
  expect(await deliver(0, { body: "MessageSid=1&MessageStatus=delivered" })).toBe(401)
  expect((await books()).records).toMatchObject([{ status: { name: "sent" } }])
  expect(await deliver(0)).toBe(200)
  expect((await books()).records).toMatchObject([{ status: { name: "delivered" } }])
})

it("leaves no token and no text in its files, its logs and its errors", async () => {
  holdReceipts(provider)
  server = await start(environment)
  const text = "Your code is 73920481"
  provider.once("drop", answer(500, `${text} ${AUTH_TOKEN} ${to}`), twilioError(20003, 401), twilioError(21211))
  for (let times = 0; times < 5; times++) await send(text)
  await deliver(0)
  expect(await server.stop()).toBe(0)
  expect(server.printed()).toContain("does not let this service send")
  const names = (await readdir(folder.path())).filter((name) => name.startsWith("test.db"))
  const files = await Promise.all(names.map((name) => readFile(folder.file(name), "latin1")))
  for (const secret of ["73920481", AUTH_TOKEN]) {
    expect(server.printed()).not.toContain(secret)
    for (const content of files) expect(content.includes(secret)).toBe(false)
  }
  expect(server.printed()).not.toContain(to.slice(1))
})

it("speaks to a provider that a file describes", async () => {
  await provider.stop()
  provider = await startProvider(acme)
  holdReceipts(provider)
  const description = folder.file("acme.json")
  await writeFile(description, JSON.stringify({ ...acmeDescription, url: "https://sms.acme.example/messages" }))
  server = await start({
    DATABASE_URL: `sqlite:${file}`,
    SMS_HTTP_PROVIDER: "generic",
    SMS_HTTP_DESCRIPTION: description,
    SMS_HTTP_URL: provider.url(),
    SMS_HTTP_TOKEN: ACME_TOKEN,
    SMS_HTTP_SIGNATURE_SECRET: ACME_SECRET,
    SMS_HTTP_RATE: "20"
  })
  expect(await send("Your code is 123456")).toBe(200)
  expect(await deliver(0)).toBe(200)
  expect((await books()).records).toMatchObject([{ status: { name: "delivered" } }])
})

it.each([
  [{ SMS_HTTP_PROVIDER: "other" }, "SMS_HTTP_PROVIDER must be twilio, vonage or generic"],
  [{ SMS_HTTP_PROVIDER: "" }, "SMS_HTTP_PROVIDER must be set, because SMS_HTTP_URL is"],
  [{ SMPP_URL: "smpp://id:secret@carrier.example" }, "SMS_HTTP_PROVIDER must not be set together with SMPP_URL"],
  [{ TWILIO_AUTH_TOKEN: "" }, "TWILIO_AUTH_TOKEN must be set"],
  [{ TWILIO_ACCOUNT_SID: "AC1" }, "TWILIO_ACCOUNT_SID must be AC and 32 hexadecimal digits"],
  [{ TWILIO_API_KEY_SID: `SK${"a".repeat(32)}` }, "TWILIO_API_KEY_SECRET must be set, because TWILIO_API_KEY_SID is"],
  [{ SMS_HTTP_RATE: "0" }, "SMS_HTTP_RATE must be a number of messages a second"],
  [{ SMS_HTTP_PROVIDER: "vonage" }, "VONAGE_API_KEY must be set"],
  [
    { SMS_HTTP_PROVIDER: "generic", SMS_HTTP_DESCRIPTION: "/nowhere.json" },
    "SMS_HTTP_DESCRIPTION names the file /nowhere.json, which cannot be read"
  ]
])("does not start with %j, and says why", async (settings, sentence) => {
  const { code, printed } = await startFailing({ ...environment, ...settings })
  expect([code, printed.trim().split("\n").length]).toEqual([1, 1])
  expect(printed).toContain(sentence)
  expect(printed).not.toContain(AUTH_TOKEN)
})
