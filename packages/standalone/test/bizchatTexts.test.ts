/**
 * Users who verify their number by writing in WhatsApp: HTTP, SQLite, and notifications that the platform has signed.
 */
import { type WhatsAppApi, type WhatsAppText, whatsAppApi, whatsAppText } from "@watchword/sandbox/http"
import { whatsapp } from "@watchword/bizchat/whatsapp"
import { type Serving, serve } from "@watchword/node"
import { sqlite } from "@watchword/store-sqlite"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Watchword, createWatchword } from "watchword"
import { folderForEach } from "../../../test/folder.ts"

const OURS = "106540352242922"
const german = "+4915123456789"

const folder = folderForEach()
let platform: WhatsAppApi
let service: Watchword
let serving: Serving
let account: string

beforeEach(async () => {
  platform = await whatsAppApi()
  service = await createWatchword({
    store: sqlite(folder.file("test.db")),
    secret: "a secret of an installation that only tests have",
    bizchat: whatsapp({
      token: "token",
      phoneNumberId: OURS,
      receives: "+4930901820123",
      appSecret: "secret",
      baseUrl: platform.url()
    }),
    prices: { bizchat: { "*": 0.03 } },
    // Users of a test answer sooner than a second send to their number is allowed.
    guards: "none",
    observability: Layer.succeed(References.MinimumLogLevel, "None")
  })
  serving = await serve(service, { basePath: "/v1", port: 0 })
  account = (await service.operator.account.create()).account_id
  await service.operator.account.credit({ account_id: account, amount: "1" })
})

afterEach(async () => {
  await serving.close()
  await service.dispose()
  await platform.stop()
})

const start = async (more: Partial<Parameters<Watchword["verify"]["start"]>[1]> = {}) => {
  const workflow = [{ channel: "receive", by: ["bizchat"], timeout: 300, reply: false }] as const
  const started = await service.verify.start(account, { to: german, workflow, ...more })
  const [shown] = started.present ?? []
  if (shown === undefined) throw new Error("nothing is shown")
  return { id: started.id, ...shown }
}

const tell = async (text: Partial<WhatsAppText>, secret = "secret"): Promise<number> => {
  const { body, headers } = whatsAppText({ from: german, at: OURS, text: "", ...text }, secret)
  const response = await fetch(`http://127.0.0.1:${serving.port}/v1/bizchat/events`, { method: "POST", headers, body })
  return response.status
}

const verification = (id: string) => service.verify.get(account, id)

const results = async (id: string) => (await verification(id)).received?.map(({ result }) => result) ?? []

describe("a user who writes in WhatsApp", () => {
  it("opens a chat with the text in it, sends it, and is approved", async () => {
    const { by, id, number, text, uri } = await start()
    expect({ by, number }).toEqual({ by: "bizchat", number: "+4930901820123" })
    const link = new URL(uri)
    expect(`${link.origin}${link.pathname}`).toBe("https://wa.me/4930901820123")
    expect(link.searchParams.get("text")).toBe(text)
    expect(await tell({ text: link.searchParams.get("text") ?? "" })).toBe(200)
    expect(await verification(id)).toMatchObject({ status: "approved", by: "bizchat", assurance: "account" })
  })

  it("is approved once where the platform repeats itself", async () => {
    const { id, text } = await start()
    for (let times = 0; times < 3; times++) expect(await tell({ text: text ?? "" })).toBe(200)
    expect(await results(id)).toEqual(["approved"])
  })

  it("is answered by a code, at the same number, unless the app does without", async () => {
    const workflow = [{ channel: "receive", by: ["bizchat"], timeout: 300 }] as const
    const { id, text } = await start({ workflow })
    for (let times = 0; times < 2; times++) expect(await tell({ text: text ?? "" })).toBe(200)
    expect(await results(id)).toEqual(["replied"])
    expect(platform.messages.map(({ to }) => to)).toEqual([german])
    const [sent] = platform.messages
    const [code = ""] = /\d{6}/.exec(JSON.stringify(sent?.body["text"])) ?? []
    const checked = await service.verify.check(account, id, { code })
    expect(checked).toMatchObject({ valid: true, status: "approved" })
  })

  it("has proved nothing with another number, by a forged signature or by a press of a button", async () => {
    const { id, text } = await start()
    const words = text ?? ""
    expect(await tell({ text: words }, "another secret")).toBe(401)
    const button = { type: "interactive", interactive: { button_reply: { id: "1", title: words } }, text: undefined }
    expect(await tell({ more: button })).toBe(200)
    expect(await results(id)).toEqual([])
    expect(await tell({ text: words, from: "+4915123456780" })).toBe(200)
    expect(await tell({ text: words })).toBe(200)
    expect(await results(id)).toEqual(["other_number"])
    expect(await verification(id)).toMatchObject({ status: "pending" })
  })

  it("with a name instead of a number goes on to the next step", async () => {
    const receive = { channel: "receive", by: ["bizchat"], timeout: 300 } as const
    const { id, text } = await start({ workflow: [receive, { channel: "bizchat", timeout: 60 }] })
    expect(await tell({ text: text ?? "", from: null })).toBe(200)
    expect(await results(id)).toEqual(["not_shared"])
    expect(await verification(id)).toMatchObject({ channel: "bizchat", status: "pending" })
    expect(platform.messages).toHaveLength(1)
  })

  it("is known by either number of a phone in Argentina, Brazil and Mexico", async () => {
    for (const [to, from] of [
      ["+5511987654321", "+551187654321"],
      ["+541123456789", "+5491123456789"]
    ] as const) {
      const { id, text } = await start({ to })
      expect(await tell({ text: text ?? "", from })).toBe(200)
      expect(await verification(id)).toMatchObject({ status: "approved" })
    }
  })
})

it("a service without a number for it has no such form", async () => {
  await service.dispose()
  service = await createWatchword({
    store: sqlite(folder.file("other.db")),
    bizchat: whatsapp({ token: "token", phoneNumberId: OURS, appSecret: "secret", baseUrl: platform.url() }),
    prices: { bizchat: { "*": 0.03 } },
    observability: Layer.succeed(References.MinimumLogLevel, "None")
  })
  account = (await service.operator.account.create()).account_id
  await expect(start()).rejects.toMatchObject({ issues: [{ path: "workflow" }] })
})
