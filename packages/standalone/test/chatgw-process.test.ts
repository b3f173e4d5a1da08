/**
 * Codes through the real server: the sandbox as a newcomer tries it, a server that is killed in the middle of
 * a send, and a search for secrets in everything it leaves behind.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { readFile, readdir, writeFile } from "node:fs/promises"
import { AccountId } from "@watchword/schemas/Ids"
import { Store } from "@watchword/store/Store"
import { sqlite } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { folderForAll } from "../../../test/folder.ts"
import { until } from "../../../test/until.ts"
import { type Fault, answer, late } from "../../../test/provider.ts"
import { type Running, command, start, startFailing } from "./Standalone.ts"
import { type TelegramApi, telegramApi, telegramError } from "@watchword/sandbox/http"

const TOKEN = "AAEAAAtokenOfTheGateway"

const folder = folderForAll()
let telegram: TelegramApi
let environment: Readonly<Record<string, string>>
let server: Running
let account: string
let keys: { readonly sandbox: string; readonly live: string }
/** Everything that was answered, headers and all, and printed by servers that are gone. */
const answers: Array<string> = []
const printed: Array<string> = []

beforeAll(async () => {
  telegram = await telegramApi({ token: TOKEN, script: { hasAccount: (to) => !to.endsWith("0003") } })
  await writeFile(folder.file("prices.json"), '{"chatgw": {"*": 0.05}, "chatgw_probe": {"*": 0.01}}')
  environment = {
    DATABASE_URL: `sqlite:${folder.file("test.db")}`,
    PRICES: folder.file("prices.json"),
    PUBLIC_URL: "https://otp.example.com",
    CHATGW_TOKEN: TOKEN,
    CHATGW_URL: telegram.url(),
    LOG_LEVEL: "trace"
  }
  // Before the server starts, so that it prints no demo key.
  account = String((await command(environment, "account", "create", "--balance", "1"))["account_id"])
  const make = async (...flags: ReadonlyArray<string>) =>
    String((await command(environment, "key", "create", "--account", account, ...flags))["key"])
  keys = { sandbox: await make("--sandbox"), live: await make() }
  server = await start(environment)
})

afterAll(async () => {
  await server.stop()
  await telegram.stop()
})

const caller =
  (mode: "sandbox" | "live") =>
  async (path: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(server.baseUrl + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { "x-api-key": keys[mode], "x-account-id": account, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    answers.push(JSON.stringify([...response.headers]), text)
    return { status: response.status, body: JSON.parse(text) }
  }

const sandbox = caller("sandbox")
const live = caller("live")
const to = "+4915123456789"

/** The kinds of the account's ledger entries, in their order, read by another connection. */
const entries = (): Promise<ReadonlyArray<string>> =>
  Store.use((store) => store.entries({ account: AccountId.make(account), after: null, limit: 1000 })).pipe(
    Effect.map((entries) => entries.map((entry) => entry.kind)),
    Effect.provide(Layer.provide(sqlite(folder.file("test.db")), ChannelRegistry.layerBuiltIn)),
    Effect.runPromise
  )

const restart = async (end: "stop" | "kill"): Promise<void> => {
  await server[end]()
  printed.push(server.printed())
  server = await start(environment)
}

describe("in the sandbox", () => {
  const check = async (request_id: string, code?: string) =>
    (await sandbox("/chatgw/check-verification-status", { request_id, code })).body.verification_status?.status

  it("a code is delivered and checked, and three wrong ones are too many", async () => {
    const first = await sandbox("/chatgw", { to, code: "123456" })
    expect(first).toMatchObject({ status: 200, body: { to, status: "sent", request_cost: 0, remaining_balance: 1 } })
    const tdr = () => sandbox(`/chatgw/${first.body.uuid}/tdr`)
    await until(tdr, ({ body }) => body.status === "DELIVERED")
    expect(await check(first.body.request_id)).toBeUndefined()
    expect(await check(first.body.request_id, "123456")).toBe("code_valid")
    expect((await tdr()).body).toMatchObject({ status: "READ", verification_status: "code_valid" })

    const { body } = await sandbox("/chatgw", { to, code: "123456" })
    const states = []
    for (const code of ["000000", "111111", "222222"]) states.push(await check(body.request_id, code))
    expect(states).toEqual(["code_invalid", "code_invalid", "code_max_attempts_exceeded"])
    expect(await check(body.request_id, "123456")).toBe("code_max_attempts_exceeded")
  })

  it("a code that was not read is taken back, once", async () => {
    const { request_id, uuid } = (await sandbox("/chatgw", { to, code: "123456" })).body
    const revoked = await sandbox("/chatgw/revoke-verification", { request_id })
    expect(revoked).toEqual({ status: 200, body: { request_id, is_refunded: true, remaining_balance: 1 } })
    const again = await sandbox("/chatgw/revoke-verification", { request_id })
    expect([again.status, again.body.error]).toEqual([409, "CONFLICT"])
    expect((await sandbox(`/chatgw/${uuid}/tdr`)).body).toMatchObject({ status: "REVOKED", is_refunded: true })
  })

  it("a probe tells who has an account, and who has not is refunded", async () => {
    const probe = (number: string) => sandbox("/chatgw/check-send-ability", { to: number })
    expect((await probe(to)).body).toMatchObject({ phone_number: to, is_refunded: false })
    const unreachable = "+4915123450003"
    expect((await probe(unreachable)).body).toMatchObject({
      phone_number: unreachable,
      is_refunded: true,
      remaining_balance: 1
    })
    expect((await sandbox("/chatgw", { to: unreachable, code: "123456" })).status).toBe(404)
  })

  it("what was due when the server was killed comes after the next start", async () => {
    const messages = [
      ["/chatgw", { to, code: "123456" }, "tdr", "DELIVERED"],
      ["/bizchat/otp", { to, text: "Your code is 123456" }, "wdr", "DELIVERED"],
      ["/sms", { to, text: "Your code is 123456", from: "Acme" }, "sdr", "delivered"]
    ] as const
    const sent = await Promise.all(
      messages.map(async ([path, body, record, status]) => {
        const { messageId, uuid } = (await sandbox(path, body)).body
        return { path: `/${path.split("/")[1]}/${messageId ?? uuid}/${record}`, status }
      })
    )
    await restart("kill")
    for (const { path, status } of sent) await expect.poll(() => sandbox(path)).toMatchObject({ body: { status } })
  })

  it("a code is still known after the server was killed", async () => {
    const { request_id, uuid } = (await sandbox("/chatgw", { to, code: "123456" })).body
    expect(await check(request_id, "000000")).toBe("code_invalid")
    await restart("kill")
    expect(await check(request_id, "111111")).toBe("code_invalid")
    await restart("stop")
    expect(await check(request_id, "222222")).toBe("code_max_attempts_exceeded")
    expect((await sandbox(`/chatgw/${uuid}/tdr`)).body).toMatchObject({
      status: "READ",
      verification_status: "code_max_attempts_exceeded"
    })
  })

  it("costs nothing and reaches no phone", async () => {
    await sandbox("/chatgw/check-send-ability", { to })
    await sandbox("/chatgw", { to, code: "123456" })
    expect(await entries()).toEqual(["credit"])
    expect(telegram.calls).toEqual([])
    expect((await live("/chatgw/tdr", {})).body.total).toBe(0)
  })
})

it("the gateway is told where to call back to", async () => {
  await live("/chatgw", { to, code: "123456" })
  expect(telegram.calls.at(-1)?.body["callback_url"]).toBe("https://otp.example.com/v1/chatgw/events")
})

describe("a server that is killed while the gateway is asked", () => {
  const events = () => ({ to: `${server.baseUrl}/chatgw/events` })
  const newest = async () => (await live("/chatgw/tdr", { rows_per_page: 1 })).body.list[0]

  /** Asks for a code, and waits until the gateway has it; its answer never comes. */
  const underWay = async (): Promise<{ readonly request: string; readonly payload: string | undefined }> => {
    const { size } = telegram.requests
    telegram.once(late("silence"))
    void live("/chatgw", { to, code: "123456" }).catch(() => undefined)
    const request = await until(
      async () => [...telegram.requests.values()][size],
      (found) => found?.code != null
    )
    return { request: request?.id ?? "", payload: request?.payload }
  }

  /** The entries after the existing ones. */
  const entriesAfter = async () => {
    const { length } = await entries()
    return async () => (await entries()).slice(length)
  }

  it("keeps the price until the gateway speaks of the code", async () => {
    const added = await entriesAfter()
    const { request } = await underWay()
    const asked = telegram.calls.length
    await restart("kill")
    expect(await newest()).toMatchObject({ status: "SENT", request_id: null })
    expect(await added()).toEqual(["hold"])
    expect(await telegram.report(request, { delivery: "delivered" }, events())).toBe(200)
    expect(await newest()).toMatchObject({ status: "DELIVERED", request_id: request })
    expect(await added()).toEqual(["hold", "settle"])
    expect(telegram.calls).toHaveLength(asked)
  })

  it("has settled what the gateway spoke of before", async () => {
    const added = await entriesAfter()
    const { request } = await underWay()
    expect(await telegram.report(request, { delivery: "read", verification: "code_valid" }, events())).toBe(200)
    await restart("kill")
    expect(await newest()).toMatchObject({ status: "READ", verification_status: "code_valid", request_id: request })
    expect(await telegram.report(request, {}, events())).toBe(200)
    expect(await added()).toEqual(["hold", "settle"])
  })

  it("keeps what the gateway said of a request that was not known yet", async () => {
    const added = await entriesAfter()
    const { payload, request } = await underWay()
    const unsigned = { ...events(), payload: undefined }
    expect(await telegram.report(request, { delivery: "expired", isRefunded: true }, unsigned)).toBe(200)
    expect((await newest()).status).toBe("SENT")
    await restart("kill")
    expect((await newest()).status).toBe("SENT")
    expect(await telegram.report(request, {}, { ...events(), payload })).toBe(200)
    expect(await newest()).toMatchObject({ status: "EXPIRED", is_refunded: true, request_id: request })
    expect(await added()).toEqual(["hold", "settle", "refund"])
  })
})

it("leaves no code, no token and no key in its files, its logs and its answers", async () => {
  const codes = { right: "73920481", wrong: "48107236", refused: "90372518", lost: "61852093", malformed: "5527x083" }
  // The sandbox keeps the codes of its sends, for its inbox.
  const sandboxCodes = { ...codes, right: "20481739", refused: "51890372" }
  const eventsUrl = `${server.baseUrl}/chatgw/events`
  for (const [call, own] of [
    [sandbox, sandboxCodes],
    [live, codes]
  ] as const) {
    const headers = { "x-request-id": crypto.randomUUID(), "idempotency-key": `signup-${crypto.randomUUID()}` }
    await call("/chatgw/check-send-ability", { to })
    const sent = await call("/chatgw", { to, code: own.right }, headers)
    expect(sent.status).toBe(200)
    expect((await call("/chatgw", { to, code: own.right }, headers)).status).toBe(200)
    const { request_id, uuid } = sent.body
    const check = (code: string) => call("/chatgw/check-verification-status", { request_id, code })
    expect((await check(own.wrong)).body.verification_status.status).toBe("code_invalid")
    expect((await check(own.right)).body.verification_status.status).toBe("code_valid")
    expect((await check(own.malformed)).status).toBe(400)
    expect((await call("/chatgw", { to, code: own.malformed })).status).toBe(400)
    expect((await call("/chatgw/webhook", { id: uuid, status: "Success" })).status).toBe(200)
    const other = (await call("/chatgw", { to, code: own.right })).body
    await call("/chatgw/revoke-verification", { request_id: other.request_id })
    expect((await call("/chatgw", { to: "+4915123450003", code: own.refused })).status).toBe(404)
    await call("/chatgw/tdr", {})
    await call(`/chatgw/${uuid}/tdr`)
    expect((await call("/chatgw/tdr", {}, { "x-api-key": `${keys.live}x` })).status).toBe(401)
  }
  const faults: ReadonlyArray<Fault> = [
    "drop",
    answer(500, `${codes.lost} ${TOKEN}`),
    telegramError(`CODE_INVALID ${codes.lost} ${TOKEN}`),
    telegramError("ACCESS_TOKEN_INVALID")
  ]
  for (const fault of faults) {
    telegram.once(late(fault))
    expect((await live("/chatgw", { to, code: codes.lost })).status).toBeGreaterThan(400)
  }
  const [request = ""] = [...telegram.requests.keys()]
  expect(await telegram.report(request, { delivery: "read" }, { to: eventsUrl })).toBe(200)
  expect(await telegram.report(request, {}, { to: eventsUrl, token: "forged" })).toBe(401)

  const secrets = [...Object.values(codes), TOKEN, keys.live, keys.sandbox]
  // While it runs there is a write-ahead log, afterwards all is in one file.
  const files = async () => {
    const names = await readdir(folder.path())
    return Promise.all(
      names
        .filter((name) => name.startsWith("test.db"))
        .map(async (name) => [name, await readFile(folder.file(name))] as const)
    )
  }
  const running = await files()
  expect(running.map(([name]) => name)).toContain("test.db-wal")
  await server.stop()
  const said = [...printed, server.printed()].join("\n")
  expect(said).toContain("Telegram Gateway refuses")
  for (const secret of secrets) {
    for (const [name, bytes] of [...running, ...(await files())]) {
      expect([name, secret, bytes.includes(secret)]).toEqual([name, secret, false])
    }
    expect(said).not.toContain(secret)
    expect(answers.join("\n")).not.toContain(secret)
  }
  expect(said).not.toContain(to.slice(1))
  // The search does find text that is there.
  expect((await files()).some(([, bytes]) => bytes.includes(to))).toBe(true)
})

it.each([
  [{ CHATGW_TOKEN: "" }, "CHATGW_TOKEN"],
  [{ CHATGW_URL: "gateway.example.com" }, "CHATGW_URL"]
])("does not start with %j, and says why", async (settings, name) => {
  const { code, printed } = await startFailing({ ...environment, ...settings })
  expect([code, printed.trim().split("\n").length]).toEqual([1, 1])
  expect(printed).toContain(name)
  expect(printed).not.toContain(TOKEN)
})
