/**
 * Datagrams of addresses that no request was sent to.
 */
import * as dgram from "node:dgram"
import { once } from "node:events"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { Peers } from "../../src/internal/sip/Peers.ts"
import { eventually, test, timed, turns } from "../../../../test/live.ts"
import { collectEnds, dial, order, startGateway, startTrunk, resultOf, until } from "./fixture.ts"
import type { Trunk } from "@watchword/sandbox/trunk"
import { header } from "@watchword/sandbox/trunk"

/** A socket at an address of its own, with its received messages. */
const startStranger = Effect.acquireRelease(
  Effect.promise(async () => {
    const socket = dgram.createSocket("udp4").bind(0, "127.0.0.2")
    await once(socket, "listening")
    const received: Array<string> = []
    socket.on("message", (bytes) => received.push(bytes.toString("latin1")))
    return { socket, received }
  }),
  ({ socket }) => Effect.sync(() => socket.close())
)

const options = (fields = ""): string =>
  "OPTIONS sip:client@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.2:9;branch=z9hG4bKstranger;rport\r\n" +
  `${fields}From: <sip:x@example.com>;tag=1\r\nTo: <sip:client@127.0.0.1>\r\nCall-ID: stranger\r\nCSeq: 1 OPTIONS\r\n\r\n`

/** Where the gateway listens. */
const gatewayAt = (trunk: Trunk): number => trunk.peers[0]?.port ?? 0

/** Whether the trunk gets an answer: earlier messages have been handled by then. */
const trunkIsAnswered = Effect.fnUntraced(function* (trunk: Trunk) {
  trunk.raw(options().replace("Call-ID: stranger", "Call-ID: last"))
  yield* until(trunk, () => trunk.received.some((message) => header(message, "call-id") === "last"))
})

describe("a stranger", () => {
  test(
    "gets no answer, and the trunk does",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { received, socket } = yield* startStranger
      yield* dial(gateway)
      const send = (text: string) => socket.send(text, gatewayAt(trunk), "127.0.0.1")
      for (const text of [options(), options().replaceAll("OPTIONS", "INVITE"), `v:${"a,".repeat(30_000)}`]) send(text)
      yield* turns
      yield* trunkIsAnswered(trunk)
      yield* turns
      expect(received).toEqual([])
    })
  )

  test(
    "cannot end a call, although its words are right",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { socket } = yield* startStranger
      const { ends, count } = yield* collectEnds(gateway)
      yield* dial(gateway, order())
      const [call] = trunk.calls
      if (call === undefined) throw new Error("no call")
      const fields = ["Via", "From", "To", "Call-ID", "CSeq"].map((name) => `${name}: ${header(call.invite, name)}\r\n`)
      socket.send(`SIP/2.0 603 Decline\r\n${fields.join("")}\r\n`, gatewayAt(trunk), "127.0.0.1")
      yield* turns
      yield* trunkIsAnswered(trunk)
      call.respond(486)
      yield* count(1)
      expect(ends).toMatchObject([{ cause: { hangupCause: "USER_BUSY" } }])
    })
  )

  test(
    "is answered so many times a second where that is allowed",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url(), { strangers: 1 })
      const { received, socket } = yield* startStranger
      yield* dial(gateway)
      for (let index = 0; index < 20; index++) socket.send(options(), gatewayAt(trunk), "127.0.0.1")
      yield* eventually(Effect.sync(() => received.length > 0))
      yield* trunkIsAnswered(trunk)
      yield* turns
      expect(received.length).toBeLessThan(5)
    })
  )
})

describe("a request of the trunk", () => {
  const proxies = (count: number) =>
    Array.from({ length: count }, (_, index) => `Via: SIP/2.0/UDP p${index}.example;branch=z9hG4bK${index}\r\n`).join(
      ""
    )
  const rows = [
    ["that came through eight proxies", proxies(7)],
    ["that came through nine", proxies(8)],
    ["that came through as many as Max-Forwards allows", proxies(70)],
    ["that names more in one field", `Via: ${"SIP/2.0/UDP p.example;branch=z9hG4bKx, ".repeat(8)}\r\n`],
    ["of some size", `Subject: ${"x".repeat(7000)}\r\n`],
    ["of more than 8 KiB", `Subject: ${"x".repeat(8200)}\r\n`],
    ["of 60 KiB", `Subject: ${"x".repeat(60_000)}\r\n`]
  ] as const
  for (const [what, fields] of rows) {
    test(
      `${what} is answered`,
      Effect.fnUntraced(function* () {
        const trunk = yield* startTrunk()
        const gateway = yield* startGateway(trunk.url())
        yield* dial(gateway)
        trunk.raw(options(fields))
        yield* until(trunk, () => trunk.methods.length > 1)
        expect(trunk.methods).toEqual(["INVITE", 200])
      })
    )
  }

  test(
    "that is an INVITE with an offer of 90 candidates is refused, and acknowledged in silence",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      yield* dial(gateway)
      const candidates = Array.from(
        { length: 90 },
        (_, index) =>
          `a=candidate:${index} 1 udp 2130706431 192.0.2.${index} 5000 typ host generation 0 ufrag abcdefgh network-cost 999\r\n`
      )
      const offer = `v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nt=0 0\r\n${candidates.join("")}`
      const invite = options(`Content-Type: application/sdp\r\nContent-Length: ${offer.length}\r\n`).replaceAll(
        "OPTIONS",
        "INVITE"
      )
      expect(invite.length + offer.length).toBeGreaterThan(8192)
      trunk.raw(`${invite}${offer}`)
      yield* until(trunk, () => trunk.methods.includes(603))
      expect(trunk.received.at(-1)?.headers.get("via")).toHaveLength(1)
    })
  )

  test(
    "whose answer would be longer than 16 KiB is dropped",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      yield* dial(gateway)
      trunk.raw(options(`Via: SIP/2.0/UDP ${"x".repeat(17_000)}.example;branch=z9hG4bKx\r\n`))
      yield* trunkIsAnswered(trunk)
      expect(trunk.methods.filter((method) => method === 200)).toHaveLength(1)
    })
  )
})

describe("a request of a stranger, where some are answered", () => {
  const dropped = [
    ["that came through nine proxies", "Via: SIP/2.0/UDP p.example;branch=z9hG4bKx\r\n".repeat(8)],
    ["that names more in one field", `Via: ${"SIP/2.0/UDP p.example;branch=z9hG4bKx, ".repeat(8)}\r\n`],
    ["of more than 8 KiB", `Subject: ${"x".repeat(8200)}\r\n`]
  ] as const
  for (const [what, fields] of dropped) {
    test(
      `${what} is dropped`,
      Effect.fnUntraced(function* () {
        const trunk = yield* startTrunk()
        const gateway = yield* startGateway(trunk.url(), { strangers: 1000 })
        const { received, socket } = yield* startStranger
        yield* dial(gateway)
        socket.send(options(fields), gatewayAt(trunk), "127.0.0.1")
        socket.send(options(), gatewayAt(trunk), "127.0.0.1")
        yield* eventually(Effect.sync(() => received.length > 0))
        yield* turns
        expect(received).toHaveLength(1)
        expect(received[0]?.length).toBeLessThan(1000)
      })
    )
  }
})

describe("the addresses of a trunk", () => {
  timed(
    "are those that its name has now",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const { received, socket } = yield* startStranger
      let addresses = ["127.0.0.1", "127.0.0.2"]
      const gateway = yield* startGateway(`sip:id:pw@trunk.test:${trunk.port};keepalive=0`, {
        resolver: { srv: () => Promise.reject(new Error()), addresses: async () => addresses }
      })
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
      const ask = () => socket.send(options(), gatewayAt(trunk), "127.0.0.1")
      ask()
      yield* eventually(Effect.sync(() => received.length === 1))
      addresses = ["127.0.0.1"]
      // The name is looked up each minute, and an answer may be retransmitted for half a minute.
      yield* TestClock.adjust("61 seconds")
      yield* turns
      yield* TestClock.adjust("33 seconds")
      ask()
      yield* turns
      yield* trunkIsAnswered(trunk)
      expect(received).toHaveLength(1)
    })
  )

  it("are known as long as they are used, and for a while after that", () => {
    let now = 0
    const peers = new Peers({ now: () => now, after: () => ({ cancel: () => {} }) }, 100)
    peers.add("192.0.2.1")
    peers.add("192.0.2.1")
    peers.add("2001:DB8:0::1")
    peers.release("192.0.2.1")
    now = 1000
    expect(["192.0.2.1", "2001:db8::1", "192.0.2.2"].map((address) => peers.has(address))).toEqual([true, true, false])
    peers.release("192.0.2.1")
    now = 1099
    expect(peers.has("192.0.2.1")).toBe(true)
    now = 1101
    expect(peers.has("192.0.2.1")).toBe(false)
  })
})
