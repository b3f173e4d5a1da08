/**
 * The standalone server as a process between the two chat gateways: only its settings configure it, and keeps secrets
 * out of files, logs and answers.
 */
import { readFile, readdir, writeFile } from "node:fs/promises"
import { signCallback } from "@watchword/callback-signature"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { folderForAll } from "../../../test/folder.ts"
import { freePort } from "../../../test/freePort.ts"
import { notification } from "../../bizchat/test/whatsapp/notifications.ts"
import { type Running, command, start } from "./Standalone.ts"
import {
  type TelegramApi,
  type WhatsAppApi,
  telegramApi,
  whatsAppApi,
  whatsAppError as error
} from "@watchword/sandbox/http"

/** Secrets, which may be found only where they were sent. */
const secrets = {
  code: "86420975",
  bizchatToken: "EAAG-bizchat-token-1d8b",
  chatgwToken: "AAEE-chatgw-token-77c0",
  appSecret: "app-secret-5f0e",
  verifyToken: "verify-token-9a41"
}
const german = "+4915123456789"

const hasAccount = (to: string): boolean => !to.endsWith("0003")

const folder = folderForAll()
let environment: Readonly<Record<string, string>>
let telegram: TelegramApi
let platform: WhatsAppApi
let server: Running
let account: string
let liveKey: string
let sandboxKey: string
/** Everything that the server has answered. */
const answers: Array<string> = []

beforeAll(async () => {
  telegram = await telegramApi({ token: secrets.chatgwToken, script: { hasAccount } })
  platform = await whatsAppApi({ token: secrets.bizchatToken, script: { hasAccount } })
  await writeFile(
    folder.file("prices.json"),
    '{"chatgw": {"*": 0.02}, "chatgw_probe": {"*": 0.01}, "bizchat": {"*": 0.04}}'
  )
  environment = {
    DATABASE_URL: `sqlite:${folder.file("test.db")}`,
    PORT: String(await freePort()),
    PRICES: folder.file("prices.json"),
    LOG_LEVEL: "trace",
    CHATGW_URL: telegram.url(),
    CHATGW_TOKEN: secrets.chatgwToken,
    BIZCHAT_URL: platform.url(),
    BIZCHAT_TOKEN: secrets.bizchatToken,
    BIZCHAT_PHONE_NUMBER_ID: "106540352242922",
    BIZCHAT_TEMPLATE: "otp",
    BIZCHAT_LANGUAGE: "de",
    BIZCHAT_APP_SECRET: secrets.appSecret,
    BIZCHAT_VERIFY_TOKEN: secrets.verifyToken
  }
  server = await start(environment)
  account = String((await command(environment, "account", "create", "--balance", "1"))["account_id"])
  const newKey = async (...flags: ReadonlyArray<string>) =>
    String((await command(environment, "key", "create", "--account", account, ...flags))["key"])
  liveKey = await newKey()
  sandboxKey = await newKey("--sandbox")
})

afterAll(async () => {
  await server.stop()
  await telegram.stop()
  await platform.stop()
})

const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(path.startsWith("http") ? path : server.baseUrl + path, init)
  const text = await response.text()
  answers.push(`${response.status} ${JSON.stringify([...response.headers])} ${text}`)
  return { status: response.status, text }
}

const call = async (path: string, body?: object, key = liveKey) => {
  const { status, text } = await ask(path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-api-key": key, "x-account-id": account, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status, body: JSON.parse(text) }
}

const tell = (statuses: ReadonlyArray<unknown>, secret = secrets.appSecret) => {
  const { body, signature } = notification(statuses, secret)
  return ask("/bizchat/events", {
    method: "POST",
    headers: { "content-type": "application/json", "x-hub-signature-256": signature },
    body: new Uint8Array(body)
  })
}

const otp = { to: german, text: `Your code is ${secrets.code}, valid for 10 minutes` }

describe("the server between both chat gateways", () => {
  it("names them where it says what is up", async () => {
    expect(JSON.parse((await ask(`${server.origin}/readyz`)).text)).toEqual({
      status: "ready",
      checks: { store: "up", "chatgw:telegram": "up", "bizchat:whatsapp": "up" }
    })
  })

  it("sends business chats by its template, and lets the platform subscribe and tell", async () => {
    const sent = await call("/bizchat/otp", otp)
    expect(sent).toMatchObject({ status: 200, body: { to: german } })
    expect(platform.calls.at(-1)).toMatchObject({
      path: "/v23.0/106540352242922/messages",
      headers: { authorization: `Bearer ${secrets.bizchatToken}` },
      body: { type: "template", template: { name: "otp", language: { code: "de" } } }
    })
    const hub = { "hub.mode": "subscribe", "hub.verify_token": secrets.verifyToken, "hub.challenge": "42" }
    expect(await ask(`/bizchat/events?${new URLSearchParams(hub)}`)).toEqual({ status: 200, text: "42" })
    expect((await tell([{ id: "wamid.1", status: "read" }])).status).toBe(200)
    expect((await tell([{ id: "wamid.1", status: "read" }], "another secret")).status).toBe(401)
    const record = await call(`/bizchat/${sent.body.uuid}/wdr`)
    expect(record.body).toMatchObject({ status: "READ", price: 0.04 })
  })

  it("sends codes, and takes the gateway's callbacks", async () => {
    const sent = await call("/chatgw", { to: german, code: secrets.code })
    expect(sent).toMatchObject({ status: 200, body: { status: "sent" } })
    const delivery_status = { status: "delivered", updated_at: 1_700_000_000 }
    const event = JSON.stringify({ request_id: sent.body.request_id, delivery_status })
    const signed = await signCallback(event, { accessToken: secrets.chatgwToken })
    const callbackUrl = telegram.requests.get(sent.body.request_id)?.callbackUrl ?? ""
    expect(callbackUrl).toBe(`${server.baseUrl}/chatgw/events`)
    const headers = { ...signed, "content-type": "application/json" }
    expect((await ask(callbackUrl, { method: "POST", body: event, headers })).status).toBe(200)
    expect((await call(`/chatgw/${sent.body.uuid}/tdr`)).body).toMatchObject({ status: "DELIVERED" })
  })

  it("says what is down", async () => {
    for (let times = 0; times < 5; times++) {
      platform.once("drop")
      // Failures about one recipient say nothing of the platform.
      expect((await call("/bizchat/otp", { ...otp, to: `+4915123456${700 + times}` })).status).toBe(480)
    }
    const { status, text } = await ask(`${server.origin}/readyz`)
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      { status: "degraded", checks: { "bizchat:whatsapp": "down" } }
    ])
  })
})

it("tells no secret: not in its files, not in what it prints at the level trace, not in its answers", async () => {
  await server.stop()
  server = await start(environment)
  platform.once(error(190, 401))
  expect((await call("/bizchat/otp", otp)).status).toBe(503)
  platform.once({ status: 400, body: `"${secrets.code}` })
  for (const key of [liveKey, sandboxKey]) {
    // The sandbox keeps the texts and codes of its sends, for its inbox.
    const own = { ...otp, ...(key === liveKey ? { code: secrets.code } : { text: "Hi", code: "515151" }) }
    for (const digits of ["0003", "0480", "6789"]) {
      const to = `+491512345${digits}`
      await call("/bizchat/otp", { to, text: own.text }, key)
      await call("/bizchat/otp", { ...own, to }, key)
      await call("/chatgw", { to, code: own.code }, key)
    }
    await call("/bizchat/otp", { to: "0151", text: 5, code: `${secrets.code} ${secrets.code}` }, key)
    await call("/bizchat/wdr", { rows_per_page: 100 }, key)
    await call("/chatgw/tdr", { rows_per_page: 100 }, key)
    await call("/bizchat/wdr", { filter: { text: otp.text } }, key)
    await call("/bizchat/otp", otp, `${key}x`)
  }
  await tell([{ id: "wamid.1", status: "failed", errors: [{ code: 368, title: secrets.code }] }])
  await tell([], "wrong")
  await ask(`/bizchat/events?${new URLSearchParams({ "hub.verify_token": `${secrets.verifyToken}x` })}`)

  const files = async () => {
    const names = (await readdir(folder.path())).filter((name) => name.startsWith("test.db"))
    return Promise.all(names.map(async (name) => ({ place: name, bytes: await readFile(folder.file(name)) })))
  }
  const running = await files()
  expect(running.map(({ place }) => place)).toContain("test.db-wal")
  expect(await server.stop()).toBe(0)
  expect(server.printed()).toContain("WhatsApp refuses a message: the access token has expired")
  const printed = server.printed().replace(/A demo account[\s\S]*?'\n\n/, "")
  const places = [
    ...running,
    ...(await files()),
    { place: "what it printed", bytes: Buffer.from(printed) },
    { place: "its answers", bytes: Buffer.from(answers.join("\n")) }
  ]
  expect(places.some(({ bytes }) => bytes.includes(german))).toBe(true)
  for (const [secret, value] of Object.entries({ ...secrets, liveKey, sandboxKey })) {
    for (const form of [value, Buffer.from(value).toString("base64"), Buffer.from(value).toString("hex")]) {
      const found = places.filter(({ bytes }) => bytes.includes(form)).map(({ place }) => `${secret} in ${place}`)
      expect(found).toEqual([])
    }
  }
})
