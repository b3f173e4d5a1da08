/**
 * Requests that come to the gateway, which wants none.
 */
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { parse } from "../../src/internal/sip/Message.ts"
import { RefusedInvites } from "../../src/internal/sip/RefusedInvites.ts"
import { test } from "../../../../test/live.ts"
import { collectEnds, dial, order, startGateway, startTrunk, resultOf, until } from "./fixture.ts"
import type { Trunk } from "@watchword/sandbox/trunk"
import { type Wire, header, tag } from "@watchword/sandbox/trunk"

const request = (method: string, fields: Record<string, string> = {}, body = ""): string => {
  const all: Record<string, string> = {
    Via: "SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bKstray;rport",
    From: "<sip:caller@example.com>;tag=theirs",
    To: "<sip:client@127.0.0.1>",
    "Call-ID": "stray",
    CSeq: `1 ${method}`,
    ...fields,
    "Content-Length": String(body.length)
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${method} sip:client@127.0.0.1 SIP/2.0`, ...lines, "", body].join("\r\n")
}

const ask = Effect.fnUntraced(function* (trunk: Trunk, text: string) {
  const { length } = trunk.received
  trunk.raw(text)
  yield* until(trunk, () => trunk.received.slice(length).some(({ status }) => status > 0))
  const answer = trunk.received.slice(length).find(({ status }) => status > 0)
  if (answer === undefined) throw new Error("no answer")
  return answer
})

const within = ({ invite }: { readonly invite: Wire }, method: string): string =>
  request(method, {
    From: `${header(invite, "to")};tag=callee`,
    To: header(invite, "from"),
    "Call-ID": header(invite, "call-id")
  })

describe("a request out of nowhere", () => {
  const rows = [
    ["OPTIONS", 200],
    ["INVITE", 603],
    ["BYE", 481],
    ["CANCEL", 481],
    ["REGISTER", 405],
    ["MESSAGE", 405],
    ["SUBSCRIBE", 405]
  ] as const
  for (const [method, status] of rows) {
    test(
      `that is ${method} gets ${status}`,
      Effect.fnUntraced(function* () {
        const trunk = yield* startTrunk()
        const gateway = yield* startGateway(trunk.url())
        yield* dial(gateway)
        const answer = yield* ask(trunk, request(method))
        expect(answer.status).toBe(status)
        expect(header(answer, "via")).toBe(
          `SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bKstray;received=127.0.0.1;rport=${trunk.port}`
        )
        expect(header(answer, "cseq")).toBe(`1 ${method}`)
        expect(header(answer, "call-id")).toBe("stray")
        expect(header(answer, "allow") !== "").toBe(status === 200 || status === 405)
        // Sent again, it gets the same tag.
        const again = yield* ask(trunk, request(method))
        expect(tag(header(answer, "to"))).toMatch(/^[0-9a-f]{12}$/)
        expect(again.text).toBe(answer.text)
      })
    )
  }

  test(
    "that cancels an INVITE that was refused gets 200, and changes nothing",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      yield* dial(gateway)
      const refused = yield* ask(trunk, request("INVITE"))
      const cancelled = yield* ask(trunk, request("CANCEL"))
      expect([refused.status, cancelled.status]).toEqual([603, 200])
      expect(header(cancelled, "cseq")).toBe("1 CANCEL")
      // Both answers are of one transaction (RFC 3261 §9.2).
      expect(tag(header(cancelled, "to"))).toBe(tag(header(refused, "to")))
      expect((yield* ask(trunk, request("INVITE"))).text).toBe(refused.text)
      const others = [
        request("CANCEL", { Via: "SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bKother;rport" }),
        request("CANCEL", { Via: "SIP/2.0/UDP 127.0.0.1:8;branch=z9hG4bKstray;rport" }),
        request("CANCEL", { "Call-ID": "other" }),
        request("CANCEL", { CSeq: "2 CANCEL" })
      ]
      for (const other of others) expect((yield* ask(trunk, other)).status).toBe(481)
    })
  )

  it("is of an INVITE that was refused within half a minute, of the latest ten thousand", () => {
    let now = 0
    const refused = new RefusedInvites({ now: () => now }, 100)
    const invite = (index: number) => {
      const message = parse(Buffer.from(request("INVITE", { CSeq: `${index} INVITE` }), "latin1"))
      if (message?._tag !== "Request") throw new Error("no request")
      return message
    }
    for (let index = 1; index <= 10_001; index++) refused.add(invite(index))
    expect([1, 2, 10_001].map((index) => refused.has(invite(index)))).toEqual([false, true, true])
    now = 99
    expect(refused.has(invite(2))).toBe(true)
    now = 100
    expect(refused.has(invite(2))).toBe(false)
  })

  test(
    "goes through proxies, and so does the answer",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      yield* dial(gateway)
      const via = `SIP/2.0/UDP 127.0.0.1:${trunk.port};branch=z9hG4bKone, SIP/2.0/TCP far.example;branch=z9hG4bKtwo`
      const answer = yield* ask(trunk, request("OPTIONS", { Via: via }))
      expect(answer.headers.get("via")).toEqual([
        `SIP/2.0/UDP 127.0.0.1:${trunk.port};branch=z9hG4bKone;received=127.0.0.1`,
        "SIP/2.0/TCP far.example;branch=z9hG4bKtwo"
      ])
    })
  )

  test(
    "gets no answer when it is an ACK, or nothing at all, and the gateway lives on",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      yield* dial(gateway)
      for (const nonsense of [request("ACK"), "", "\r\n\r\n", "\0", "SIP/2.0 200 OK\r\n\r\n", "x".repeat(60_000)]) {
        trunk.raw(Buffer.from(nonsense, "latin1"))
      }
      trunk.raw(request("OPTIONS").replace("Call-ID: stray\r\n", ""))
      expect((yield* ask(trunk, request("OPTIONS"))).status).toBe(200)
      expect(trunk.methods).toEqual(["INVITE", 200])
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
    })
  )
})

describe("a response without a transaction", () => {
  test(
    "changes nothing",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      const call = order()
      yield* dial(gateway, call)
      const [first] = trunk.calls
      if (first === undefined) throw new Error("no call")
      const text = (status: number) =>
        ["Via", "From", "To", "Call-ID", "CSeq"].reduce(
          (text, name) => `${text}${name}: ${header(first.invite, name)}\r\n`,
          `SIP/2.0 ${status} X\r\n`
        )
      // Another sender, address or port; another branch; another method; the right one is last.
      trunk.raw(`${text(200).replace("UDP 127.0.0.1:", "UDP 10.1.1.1:")}\r\n`)
      trunk.raw(`${text(200).replace(/(UDP 127.0.0.1):\d+/, "$1:5")}\r\n`)
      trunk.raw(`${text(200).replace(/(UDP 127.0.0.1):\d+/, "$1")}\r\n`)
      trunk.raw(`${text(200).replace("z9hG4bK", "z9hG4bKx")}\r\n`)
      trunk.raw(`${text(200).replace(" INVITE", " CANCEL")}\r\n`)
      trunk.raw(`${text(200).replace(" INVITE", " BYE")}\r\n`)
      first.respond(486)
      yield* count(1)
      expect(ends).toMatchObject([{ cause: { hangupCause: "USER_BUSY" }, answeredAt: null }])
    })
  )
})

describe("a request within a call", () => {
  const rows = [
    ["BYE", 200],
    ["OPTIONS", 200],
    ["INVITE", 488],
    ["UPDATE", 405],
    ["INFO", 405]
  ] as const
  for (const [method, status] of rows) {
    test(
      `that is ${method} gets ${status}`,
      Effect.fnUntraced(function* () {
        const trunk = yield* startTrunk()
        const gateway = yield* startGateway(trunk.url())
        yield* dial(gateway)
        const [call] = trunk.calls
        if (call === undefined) throw new Error("no call")
        expect((yield* ask(trunk, within(call, method))).status).toBe(status)
      })
    )
  }

  test(
    "that is over gets 481",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { count } = yield* collectEnds(gateway)
      yield* dial(gateway)
      const [call] = trunk.calls
      if (call === undefined) throw new Error("no call")
      call.respond(486)
      yield* count(1)
      expect((yield* ask(trunk, within(call, "BYE"))).status).toBe(481)
    })
  )

  test(
    "that is BYE may cross ours",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      trunk.script.bye = (_bye, peer) => {
        const [call] = trunk.calls
        if (call !== undefined) peer.send(within(call, "BYE"))
        return 481
      }
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      yield* dial(gateway)
      trunk.calls[0]?.accept()
      yield* count(1)
      yield* until(trunk, () => trunk.methods.includes(200))
      expect(ends).toMatchObject([{ cause: { hangupCause: "NORMAL_CLEARING" } }])
    })
  )
})
