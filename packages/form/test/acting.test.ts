/**
 * Users who act first to prove their number: they write, call or sign in, and enter no code.
 */
import type { Approval, Options } from "@watchword/form/handler"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { qrCodeOf } from "../src/internal/handler/QrCodes.ts"
import { Browser, type Service, handlerOf, start } from "./service.ts"

const to = "+4915123456789"
const starting = { action: "start", to, country: "DE", language: "en" }

let world: Service
let approvals: Array<Pick<Approval, "session" | "to">>

beforeEach(async () => {
  world = await start()
  approvals = []
})
afterEach(() => world.service.dispose())

const handler = (reply: boolean, options: Partial<Options> = {}) =>
  handlerOf(world, {
    onApproved: ({ session, to }) => {
      approvals.push({ session, to })
      return { headers: { "x-app": "knows" } }
    },
    start: {
      workflow: [
        { channel: "receive", by: ["sms", "bizchat"], timeout: 300, reply },
        { channel: "sms", timeout: 60 }
      ]
    },
    ...options
  })

/** Has the user of the phone write the text of a way. */
const write = (way: { readonly number: { readonly number: string }; readonly text: string }, number = to) =>
  world.service.sandbox.writeText(world.account, number, { to: way.number.number, text: way.text })

describe("a user who acts first", () => {
  it("is shown the ways to, with links and QR codes, and no field for a code", async () => {
    const { answer } = await new Browser(handler(false)).ask(starting)
    expect(answer.sent).toMatchObject({ channel: "receive", other: "sms", has_code: false })
    const [text, chat] = answer.sent.ways
    expect(text).toMatchObject({ by: "sms", number: { number: "+447700900801" } })
    expect(text.uri).toMatch(/^sms:\+447700900801\?/)
    expect(chat.uri).toMatch(/^https:\/\/wa\.me\/447700900821\?text=/)
    expect(decodeURIComponent(chat.uri)).toContain(chat.text)
    expect(chat.qr.path).toMatch(/^(?:M\d+ \d+h\d+v1h-\d+z)+$/)
  })

  it("is approved without a code, of which the app hears once", async () => {
    const browser = new Browser(handler(false))
    const { answer } = await browser.ask(starting)
    const { id, ways } = answer.sent
    const look = { action: "state", id }
    expect((await browser.ask(look)).answer.stage).toBe("code")
    await write(ways[1])
    const found = await browser.ask(look)
    expect([found.answer.stage, found.headers.get("x-app")]).toEqual(["approved", "knows"])
    expect((await browser.ask({ action: "state" })).answer.stage).toBe("approved")
    expect(approvals).toEqual([{ session: "one", to }])
  })

  it("who waits is answered once the user has acted", async () => {
    const browser = new Browser(handler(false))
    const { answer } = await browser.ask(starting)
    const waiting = browser.ask({ action: "state", id: answer.sent.id, wait: true })
    await write(answer.sent.ways[0])
    expect((await waiting).answer.stage).toBe("approved")
    expect(approvals).toHaveLength(1)
  })

  it("gets a code for a text, and enters it", async () => {
    const browser = new Browser(handler(true))
    const { answer } = await browser.ask(starting)
    const { id, ways } = answer.sent
    await write(ways[0])
    const replied = await browser.ask({ action: "state", id })
    expect(replied.answer).toMatchObject({ stage: "code", sent: { channel: "receive", has_code: true, ways: [] } })
    const checked = await browser.ask({ action: "check", id, code: await world.codeFor(to) })
    expect(checked.answer.stage).toBe("approved")
    expect(approvals).toHaveLength(1)
  })

  it("uses a code instead, at once", async () => {
    const browser = new Browser(handler(false))
    const { answer } = await browser.ask(starting)
    const { id } = answer.sent
    const next = await browser.ask({ action: "other", id })
    expect(next.answer).toMatchObject({
      stage: "code",
      problem: null,
      sent: { channel: "sms", has_code: true, ways: [] }
    })
    const checked = await browser.ask({ action: "check", id, code: await world.codeFor(to) })
    expect(checked.answer.stage).toBe("approved")
  })

  it("has no say in another session", async () => {
    const mine = await new Browser(handler(false)).ask(starting)
    const other = new Browser(handler(false), "two")
    const seen = await other.ask({ action: "state", id: mine.answer.sent.id, wait: true })
    expect(seen.answer).toMatchObject({ stage: "ended", sent: null })
    await write(mine.answer.sent.ways[0])
    expect((await other.ask({ action: "state", id: mine.answer.sent.id })).answer.stage).toBe("ended")
    expect(approvals).toEqual([])
  })

  it("is sent a code where no form serves, whose next step is not offered twice", async () => {
    const workflow = [
      { channel: "receive", by: ["telegram_login"], timeout: 300 },
      { channel: "sms", timeout: 60 },
      { channel: "call", timeout: 60 }
    ] as const
    const { answer } = await new Browser(handler(false, { start: { workflow } })).ask(starting)
    expect(answer.sent).toMatchObject({ channel: "sms", other: "call", has_code: true, ways: [] })
  })

  it("without a script has links and a button, and the page that follows says that it is done", async () => {
    const browser = new Browser(handler(false, { script: false }))
    await browser.page()
    const { html } = await browser.post({ action: "start", to, country: "DE", language: "en" })
    const [, link = ""] = /href="(https:&#47;&#47;wa|https:\/\/wa[^"]*)"/.exec(html) ?? []
    expect(link).toContain("wa.me/447700900821")
    expect(html).not.toContain('name="code"')
    expect(html).toContain("I have done this")
    const [, id = ""] = /name="id" value="(vrf_[^"]+)"/.exec(html) ?? []
    const before = await browser.post({ action: "state", id })
    expect(before.html).toContain("I have done this")
    const { present = [] } = await world.service.verify.get(world.account, id)
    const [shown] = present
    await world.service.sandbox.writeText(world.account, to, { to: shown?.number ?? "", text: shown?.text ?? "" })
    const { html: after } = await browser.post({ action: "state", id })
    expect(after).toContain("is confirmed.")
    expect(approvals).toHaveLength(1)
  })
})

describe("a QR code", () => {
  it("is read from the service's drawing, and from no other", () => {
    const svg = '<svg viewBox="0 0 30 30"><path d="M0,0h10v10h-10zM10,0h10v10h-10zM20,10h10v10h-10z"/></svg>'
    expect(qrCodeOf(svg)).toEqual({ size: 3, path: "M0 0h2v1h-2zM2 1h1v1h-1z" })
    expect(qrCodeOf("<svg></svg>")).toBeNull()
  })
})
