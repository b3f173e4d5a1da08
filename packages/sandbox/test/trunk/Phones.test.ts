import { trunk } from "@watchword/sandbox/trunk"
import type { Script } from "@watchword/sandbox/trunk"
import * as wire from "@watchword/sandbox/trunk"
import * as Effect from "effect/Effect"
import { type Socket, createSocket } from "node:dgram"
import { once } from "node:events"
import { afterEach, describe, expect, it } from "vitest"
import { test } from "../../../../test/live.ts"
import { until } from "../../../../test/until.ts"
import {
  callee,
  caller,
  collectEnds,
  dial,
  order,
  quick,
  startGateway,
  resultOf
} from "../../../call/test/sip/fixture.ts"

/** Phones, and a gateway of our own whose trunk they are. */
const phones = Effect.fnUntraced(function* (script: Partial<Script> = {}) {
  const phones = yield* Effect.acquireRelease(
    Effect.promise(() => trunk({ script })),
    (phones) => Effect.promise(() => phones.stop())
  )
  return { phones, gateway: yield* startGateway(phones.url(), { timers: quick }) }
})

describe("phones behind a trunk, called by our own client", () => {
  test(
    "ring, and hear that the caller gives up",
    Effect.fnUntraced(function* () {
      const given: Array<string> = []
      const { gateway, phones: rung } = yield* phones({ canceled: ({ to }) => void given.push(to) })
      const { count, ends } = yield* collectEnds(gateway)
      const call = order()
      expect(resultOf(yield* dial(gateway, call))).toBe("Ringing")
      expect(rung.calls.map(({ from, to }) => [from, to])).toEqual([[caller, callee]])
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* count(1)
      expect(ends).toMatchObject([{ cause: { hangupCause: "NO_ANSWER", sipStatus: 487 } }])
      expect(given).toEqual([callee])
    })
  )

  for (const [status, cause] of [
    [486, "USER_BUSY"],
    [603, "CALL_REJECTED"],
    [200, "NORMAL_CLEARING"]
  ] as const) {
    test(
      `end a call that rings with ${status}`,
      Effect.fnUntraced(function* () {
        const { gateway, phones: rung } = yield* phones()
        const { count, ends } = yield* collectEnds(gateway)
        expect(resultOf(yield* dial(gateway))).toBe("Ringing")
        const [call] = rung.calls
        if (status === 200) call?.accept()
        else call?.respond(status)
        yield* count(1)
        expect(ends).toMatchObject([{ cause: { hangupCause: cause } }])
      })
    )
  }
})

/** A caller that writes each message itself. */
class Caller {
  readonly socket: Socket = createSocket("udp4")
  readonly heard: Array<wire.Wire> = []
  private readonly port: number

  constructor(port: number) {
    this.port = port
    this.socket.on("message", (bytes) => this.heard.push(wire.read(bytes.toString("latin1"))))
  }

  say(method: string, fields: Fields = {}): void {
    const { body = "", branch = "z9hG4bK1", cseq = "1", from, more = [], to, uri = URI } = fields
    const lines = [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/UDP caller.example;branch=${branch};rport`,
      `From: ${from ?? "<sip:+493023125123@caller.example>;tag=1"}`,
      `To: ${to ?? `<${URI}>`}`,
      "Call-ID: x",
      `CSeq: ${cseq} ${method}`,
      `Contact: <sip:caller@127.0.0.1:${this.socket.address().port}>`,
      ...more,
      `Content-Length: ${body.length}`,
      "",
      body
    ]
    this.socket.send(lines.join("\r\n"), this.port, "127.0.0.1")
  }

  /** The next message of a method, or with a status, that comes or has come. */
  hears(wanted: string | number): Promise<wire.Wire> {
    return until(
      () => this.heard.find(({ method, status }) => method === wanted || status === wanted) ?? null,
      (message) => message !== null
    ).then((message) => message ?? wire.read(""))
  }
}

interface Fields {
  readonly body?: string
  readonly branch?: string
  readonly cseq?: string
  readonly from?: string
  readonly more?: ReadonlyArray<string>
  readonly to?: string
  readonly uri?: string
}

const URI = "sip:+4915123456789@127.0.0.1"

const OFFER = [
  "v=0",
  "o=caller 1 1 IN IP4 127.0.0.1",
  "s=-",
  "c=IN IP4 127.0.0.1",
  "t=0 0",
  "m=video 6002 RTP/AVP 31",
  "m=audio 6000 RTP/AVP 96 0",
  "a=rtpmap:96 opus/48000/2",
  ""
].join("\r\n")

describe("phones behind a trunk, called by any SIP client", () => {
  const closing: Array<() => unknown> = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  const called = async (script: Partial<Script> = {}) => {
    const phones = await trunk({ script })
    const caller = new Caller(phones.port)
    caller.socket.bind(0, "127.0.0.1")
    await once(caller.socket, "listening")
    closing.push(
      () => phones.stop(),
      () => caller.socket.close()
    )
    return { phones, caller }
  }

  it("answer what they do not know, and live on where they get garbage", async () => {
    const { caller, phones } = await called()
    caller.socket.send(Buffer.from([0, 1, 2, 255]), phones.port, "127.0.0.1")
    caller.socket.send("INVITE sip:a@b SIP/2.0\r\n\r\n", phones.port, "127.0.0.1")
    caller.say("BYE")
    await caller.hears(481)
    caller.say("SUBSCRIBE")
    expect(wire.header(await caller.hears(405), "allow")).toContain("INVITE")
  })

  it("answer an offer with one format of its audio, and hang up after the talk", async () => {
    const { caller, phones } = await called()
    caller.say("INVITE", { body: OFFER, more: ["Content-Type: application/sdp"] })
    await caller.hears(180)
    phones.calls[0]?.accept()
    const answer = await caller.hears(200)
    expect(wire.header(answer, "content-type")).toBe("application/sdp")
    expect(answer.body.split("\r\n").filter((line) => /^[ma]=/.test(line))).toEqual([
      "m=video 0 RTP/AVP 31",
      "m=audio 9 RTP/AVP 96",
      "a=rtpmap:96 opus/48000/2",
      "a=inactive"
    ])
    const to = wire.header(answer, "to")
    caller.say("ACK", { branch: "z9hG4bK2", to })
    phones.calls[0]?.hangUp()
    const bye = await caller.hears("BYE")
    expect(bye.uri).toBe(`sip:caller@127.0.0.1:${caller.socket.address().port}`)
    expect([wire.header(bye, "from"), wire.header(bye, "to")]).toEqual([to, "<sip:+493023125123@caller.example>;tag=1"])
    caller.socket.send(wire.response(bye, 200), phones.port, "127.0.0.1")
  })

  it("repeat their BYE until it is answered", async () => {
    const { caller, phones } = await called()
    caller.say("INVITE")
    await caller.hears(180)
    phones.calls[0]?.accept()
    const { body } = await caller.hears(200)
    // An INVITE without an offer is answered with one.
    expect(body).toContain("m=audio 9 RTP/AVP 0")
    phones.calls[0]?.hangUp()
    await until(() => caller.heard.filter(({ method }) => method === "BYE").length >= 2)
  })

  it("let the caller hang up", async () => {
    const { caller, phones } = await called()
    caller.say("INVITE")
    await caller.hears(180)
    phones.calls[0]?.accept()
    const to = wire.header(await caller.hears(200), "to")
    caller.say("ACK", { branch: "z9hG4bK2", to })
    caller.say("BYE", { branch: "z9hG4bK3", cseq: "2", to })
    const answered = (cseq: string) => caller.heard.find((message) => wire.header(message, "cseq") === cseq)
    expect((await until(() => answered("2 BYE")))?.status).toBe(200)
    expect(phones.calls[0]?.isOver).toBe(true)
    phones.calls[0]?.hangUp()
    caller.say("OPTIONS", { branch: "z9hG4bK4" })
    await until(() => answered("1 OPTIONS"))
    expect(caller.heard.filter(({ method }) => method === "BYE")).toEqual([])
  })

  it.each([
    ["OPTIONS", 200, {}],
    ["CANCEL", 200, {}],
    ["BYE", 481, { branch: "z9hG4bK9" }]
  ] as const)("tag their answer to %s, and say where it came from", async (method, status, fields) => {
    const { caller } = await called()
    caller.say("INVITE", { branch: "z9hG4bK1" })
    await caller.hears(180)
    caller.say(method, fields)
    const answer = await caller.hears(status)
    expect(wire.tag(wire.header(answer, "to"))).not.toBe("")
    const { port } = caller.socket.address()
    expect(wire.header(answer, "via")).toBe(
      `SIP/2.0/UDP caller.example;branch=${"branch" in fields ? fields.branch : "z9hG4bK1"};rport=${port};received=127.0.0.1`
    )
  })

  it("answer CANCEL with the tag of the call", async () => {
    const { caller } = await called()
    caller.say("INVITE")
    const ringing = await caller.hears(180)
    caller.say("CANCEL")
    expect(wire.header(await caller.hears(200), "to")).toBe(wire.header(ringing, "to"))
    expect(wire.header(await caller.hears(487), "to")).toBe(wire.header(ringing, "to"))
  })

  it("copy Record-Route into what begins a dialog, and follow it in their BYE", async () => {
    const { caller, phones } = await called()
    const routes = ["<sip:p2.example;lr>", "<sip:p1.example;lr>"]
    caller.say("INVITE", { more: routes.map((route) => `Record-Route: ${route}`) })
    expect((await caller.hears(180)).headers.get("record-route")).toEqual(routes)
    phones.calls[0]?.accept()
    expect((await caller.hears(200)).headers.get("record-route")).toEqual(routes)
    phones.calls[0]?.hangUp()
    expect((await caller.hears("BYE")).headers.get("route")).toEqual(routes)
  })

  it("read compact and folded headers", async () => {
    const { caller, phones } = await called()
    caller.socket.send(
      `INVITE ${URI} SIP/2.0\r\nv: SIP/2.0/UDP caller.example\r\n ;branch=z9hG4bK7;rport\r\nf:<sip:+493023125123@h>;tag=1\r\n` +
        `t : <${URI}>\r\ni: 4711\r\nCSeq: 1 INVITE\r\nl: 0\r\n\r\n`,
      phones.port,
      "127.0.0.1"
    )
    expect(wire.header(await caller.hears(180), "call-id")).toBe("4711")
    expect(phones.calls[0]?.from).toBe("+493023125123")
  })
})

describe("the number of an address", () => {
  it.each([
    ["<sip:+4915123456789@h>", "+4915123456789"],
    ["sip:+4915123456789@h;user=phone", "+4915123456789"],
    ["<sips:4915123456789@h:5061;transport=tcp>;tag=1", "+4915123456789"],
    ['"sip:x@y" <sip:+15550100001@h>', "+15550100001"],
    ['"a \\" <b>" <sip:+15550100001@h>;tag=2', "+15550100001"],
    ["Acme <tel:+1-555-010-0001>;tag=2", "+15550100001"],
    ["<tel:+15550100001>", "+15550100001"],
    ["tel:+49(151)2345.6789", "+4915123456789"],
    ["<sip:+4915123456789;phone-context=example.com@h>", "+4915123456789"],
    ["<sip:+49-151-23456789@h;user=phone>", "+4915123456789"],
    ["<sip:%2B4915123456789@h>", "+4915123456789"],
    ["<sip:+4915123456789:secret@h>", "+4915123456789"],
    ["sipp <sip:sipp@127.0.0.1:5061>;tag=1", "sipp"],
    ["<sip:alice@h>", "alice"],
    ["<sip:anonymous.invalid>", ""],
    ["", ""]
  ])("of %s is %s", (address, number) => {
    expect(wire.numberOf(address)).toBe(number)
  })
})
