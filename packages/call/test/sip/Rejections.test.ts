/**
 * What is left of an INVITE whose rejection has been acknowledged: over real sockets, by a clock that stands still.
 */
import { type Invite, ackText, newBranch } from "@watchword/call/sip/Invite"
import { type Response, parse } from "@watchword/call/sip/Message"
import { Rejections } from "@watchword/call/sip/Rejections"
import * as Transport from "@watchword/call/sip/Transport"
import { way } from "@watchword/call/sip/Way"
import { Timers } from "@watchword/call/Timers"
import * as Effect from "effect/Effect"
import { type Socket, createSocket } from "node:dgram"
import { once } from "node:events"
import { describe, expect } from "vitest"
import { test } from "./fixture.ts"

const peer = Effect.acquireRelease(
  Effect.promise(async () => {
    const socket = createSocket("udp4").bind(0, "127.0.0.1")
    await once(socket, "listening")
    return socket
  }),
  (socket) => Effect.sync(() => socket.close())
)

const inviteTo = (socket: Socket, { route = "", from = "sip:+4930901820123@127.0.0.1" } = {}): Invite => {
  const { address, port } = socket.address()
  const uri = `sip:+4915123456789@${address}:${port};user=phone`
  return {
    way: way("trunk", { protocol: "udp", address, port, tls: {} }, "192.0.2.1:5060", route),
    uri,
    from: `<${from}>;tag=1a2b3c`,
    to: `<${uri}>`,
    branch: newBranch(),
    callId: "0123456789abcdef",
    cseq: 2
  }
}

interface Words {
  readonly status?: number
  readonly branch?: string
  readonly callId?: string
}

/** What the peer says to an INVITE, or to one that is like it. */
const said = (
  invite: Invite,
  { branch = invite.branch, callId = invite.callId, status = 487 }: Words = {}
): Response => {
  const { cseq, from, to, way } = invite
  const message = parse(
    Buffer.from(
      `SIP/2.0 ${status} Whatever\r\nv: SIP/2.0/UDP ${way.sentBy};branch=${branch};rport=5060\r\n` +
        `f: ${from}\r\nt: ${to};tag=callee\r\ni: ${callId}\r\nCSeq: ${cseq} INVITE\r\nl: 0\r\n\r\n`,
      "latin1"
    )
  )
  if (message?._tag !== "Response") throw new Error("no response")
  return message
}

const next = (socket: Socket) => Effect.promise(async () => String((await once(socket, "message"))[0]))

const start = Effect.gen(function* () {
  const transport = yield* Transport.open({ host: "127.0.0.1", port: 0 }, () => {})
  const timers = new Timers(
    () => 0,
    () => {}
  )
  return { socket: yield* peer, rejections: new Rejections(timers, 32_000), transport }
})

describe("a rejection that is said again", () => {
  for (const words of [{}, { route: "<sip:edge.example;lr>" }, { from: "sip:us%20@acme.example" }]) {
    test(
      `is acknowledged in the words of the first time, with ${JSON.stringify(words)}`,
      Effect.fnUntraced(function* () {
        const { rejections, socket, transport } = yield* start
        const invites = Array.from({ length: 200 }, () => inviteTo(socket, words))
        for (const invite of invites) rejections.keep(transport, invite)
        const [, invite] = invites
        if (invite === undefined) throw new Error("no invite")
        rejections.receive(said(invite))
        expect(yield* next(socket)).toBe(ackText(invite, `${invite.to};tag=callee`))
      })
    )
  }

  test(
    "is dropped when it is none, or of an INVITE that nobody knows",
    Effect.fnUntraced(function* () {
      const { rejections, socket, transport } = yield* start
      const invite = inviteTo(socket)
      const unknown = inviteTo(socket)
      const known = { ...inviteTo(socket), callId: "the-last" }
      rejections.receive(said(unknown))
      rejections.keep(transport, invite)
      rejections.keep(transport, known)
      for (const words of [
        { status: 180 },
        { status: 200 },
        { callId: "another" },
        { branch: unknown.branch },
        { branch: "" },
        { callId: `${invite.callId}\r\n more` }
      ]) {
        rejections.receive(said(invite, words))
      }
      rejections.receive(said(known))
      expect(yield* next(socket)).toContain("Call-ID: the-last\r\n")
    })
  )
})
