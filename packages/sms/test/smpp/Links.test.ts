import { X509Certificate } from "node:crypto"
import { describe, expect } from "@effect/vitest"
import { link, make } from "@watchword/sms/smpp"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import * as FastCheck from "fast-check"
import { once } from "node:events"
import * as net from "node:net"
import { selfSigned } from "../../../../test/certificate.ts"
import { eventually, logged, test, timed } from "../../../../test/live.ts"
import { linkIs, message, passing, settled, startBound, startCarrier, startGateway, told, until } from "./fixture.ts"
import type { Session, Smsc } from "@watchword/sandbox/smsc"
import * as CommandStatus from "../../src/internal/smpp/CommandStatus.ts"
import * as wire from "@watchword/sandbox/smsc"

const onlySession = (carrier: Smsc): Session => {
  const [session] = carrier.sessions
  if (session === undefined) throw new Error("no client is connected")
  return session
}

describe("the carrier of a gateway", () => {
  const LINK = "smpp://id:secret@127.0.0.1:1"
  test(
    "is the name that its links share, or else their host",
    Effect.fnUntraced(function* () {
      const carrierOf = (urls: string) => Effect.map(startGateway(urls), ({ carrier }) => carrier)
      expect(yield* carrierOf(LINK)).toBe("127.0.0.1")
      expect(yield* carrierOf(`${LINK}?carrier=acme,${LINK}?carrier=acme`)).toBe("acme")
      expect(yield* carrierOf(`${LINK}?carrier=acme,${LINK}?carrier=bell`)).toBeUndefined()
      expect(yield* carrierOf(`${LINK}?carrier=acme,${LINK}?carrier=bell&bind=receiver`)).toBe("acme")
    })
  )
})

describe("a bind", () => {
  test(
    "makes the link ready, and its name holds no account and no password",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(`${carrier.url()},${carrier.url()}`)
      yield* linkIs(gateway, 1, true)
      const address = `127.0.0.1:${carrier.port}`
      expect(yield* gateway.health).toEqual([
        { name: address, up: true, window: { used: 0, size: 100 }, rate: null, unrecognized: [] },
        { name: `${address}#2`, up: true, window: { used: 0, size: 100 }, rate: null, unrecognized: [] }
      ])
    })
  )

  timed(
    "that is refused is an alarm, sends nothing, and is tried again slowly",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ bind: () => 0x0e })
      const [outcome, log] = yield* logged(
        Effect.gen(function* () {
          const gateway = yield* startGateway(carrier.url())
          const outcome = yield* gateway.send(message())
          // Once refused there is nothing to wait for.
          expect(told(yield* gateway.send(message()))).toBe("Rejected SERVICE_UNAVAILABLE")
          yield* TestClock.adjust("4 seconds")
          yield* settled(carrier)
          expect(carrier.binds).toHaveLength(1)
          carrier.script.bind = () => 0
          yield* TestClock.adjust("6 seconds")
          yield* linkIs(gateway, 0, true)
          expect(told(yield* gateway.send(message()))).toBe("Accepted")
          return outcome
        })
      )
      expect(told(outcome)).toBe("Rejected SERVICE_UNAVAILABLE")
      expect(log).toContain("ESME_RINVPASWD")
      expect(log).toContain('"level":"ERROR"')
    })
  )

  timed(
    "that is not answered is given up and tried again",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ bind: () => "silence" })
      const gateway = yield* startGateway(carrier.url())
      yield* until(carrier, () => carrier.binds.length === 1)
      carrier.script.bind = () => 0
      yield* TestClock.adjust("5 seconds")
      yield* until(carrier, () => carrier.sessions.size === 0)
      yield* passing(() => carrier.binds.length > 1)
      yield* linkIs(gateway, 0, true)
      expect(carrier.binds).toHaveLength(2)
    })
  )

  test(
    "may be for receiving only, and nothing is sent by it",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(`${carrier.url("bind=receiver")},${carrier.url("bind=transmitter")}`)
      yield* linkIs(gateway, 1, true)
      expect(told(yield* gateway.send(message()))).toBe("Accepted")
      expect(carrier.submits[0]?.session.bound).toBe("bind_transmitter")
      expect(carrier.binds.map(({ command }) => command).toSorted()).toEqual(["bind_receiver", "bind_transmitter"])
    })
  )

  test(
    "may be encrypted",
    Effect.fnUntraced(function* () {
      const { key, cert } = selfSigned()
      const carrier = yield* startCarrier({}, { tls: { key, cert } })
      const trusted = { host: "127.0.0.1", port: carrier.port, systemId: "client", password: Redacted.make("secret") }
      const gateway = yield* make({ links: [link({ ...trusted, tls: { ca: cert } })] })
      yield* linkIs(gateway, 0, true)
      expect(told(yield* gateway.send(message("ciphered")))).toBe("Accepted")
      expect(carrier.submits[0]?.text).toBe("ciphered")
      const [{ certificateEnds } = { certificateEnds: undefined }] = yield* gateway.health
      expect(certificateEnds).toBe(Date.parse(new X509Certificate(cert).validTo))
    })
  )

  test(
    "is not sent to a carrier whose certificate no authority has signed",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({}, { tls: selfSigned() })
      const [, log] = yield* logged(
        Effect.gen(function* () {
          const gateway = yield* startGateway(carrier.url(), { deadline: "300 millis" })
          expect(told(yield* gateway.send(message()))).toBe("Rejected SERVICE_UNAVAILABLE")
        })
      )
      expect(carrier.binds).toEqual([])
      expect(log).toContain("self-signed certificate")
    })
  )

  const silent = () => {}
  const hangsUp = (socket: net.Socket) => void socket.end()
  const nacks = (socket: net.Socket) => void socket.write(wire.pdu(wire.command.generic_nack, 3, 0))
  const wrongly: ReadonlyArray<readonly [string, string, (socket: net.Socket) => void, RegExp]> = [
    ["in TLS to a carrier that does not answer", "ssmpp", silent, /no TLS answer; is it smpp:\/\/\?/],
    ["in TLS to a carrier that answers in clear", "ssmpp", nacks, /no TLS answer; is it smpp:\/\/\?/],
    ["in TLS to a carrier that hangs up", "ssmpp", hangsUp, /no TLS answer; is it smpp:\/\/\?/],
    ["in clear to a carrier that hangs up", "smpp", hangsUp, /before it answered the bind; .* is it ssmpp:\/\/\?/]
  ]
  for (const [how, scheme, answer, hint] of wrongly) {
    timed(
      `${how} hints at the other scheme within five seconds`,
      Effect.fnUntraced(function* () {
        let heard = 0
        const port = yield* listening((socket) =>
          socket.once("data", () => {
            heard++
            answer(socket)
          })
        )
        const [, log] = yield* logged(
          Effect.gen(function* () {
            yield* startGateway(`${scheme}://client:secret@127.0.0.1:${port}`)
            yield* eventually(Effect.sync(() => heard === 1))
            yield* TestClock.adjust("5 seconds")
            yield* passing(() => heard === 2)
          })
        )
        expect(log.split("\n")[0]).toMatch(hint)
      })
    )
  }
})

/** A server on a free port that ends with the test. */
const listening = Effect.fnUntraced(function* (accept: (socket: net.Socket) => void) {
  const sockets = new Set<net.Socket>()
  const server = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const server = net.createServer((socket) => {
        sockets.add(socket.on("error", () => {}))
        accept(socket)
      })
      await once(server.listen(0, "127.0.0.1"), "listening")
      return server
    }),
    (server) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
  )
  const address = server.address()
  return typeof address === "object" ? (address?.port ?? 0) : 0
})

describe("a link that was lost", () => {
  const losses: ReadonlyArray<readonly [string, (session: Session) => void]> = [
    ["by a reset", ({ socket }) => void socket.resetAndDestroy()],
    ["by an end", ({ socket }) => void socket.end()],
    ["by an end in the middle of a PDU", (session) => void session.socket.end(wire.pdu(0x15, 0, 1).subarray(0, 9))],
    ["to HTTP", (session) => session.raw("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["to a command_length of 3", (session) => session.raw(wire.octets(0, 0, 0, 3, 0, 0, 0, 0))],
    ["to a command_length of 4", (session) => session.raw(wire.octets(0, 0, 0, 4))],
    ["to a command_length of two gigabytes", (session) => session.raw(wire.octets(0x7f, 0xff, 0xff, 0xff))],
    ["by unbinding", (session) => void session.request(wire.command.unbind).then(() => session.socket.end())]
  ]
  for (const [how, lose] of losses) {
    timed(
      `${how} is bound again, cleanly`,
      Effect.fnUntraced(function* () {
        const carrier = yield* startCarrier({ submit: () => "silence" })
        const gateway = yield* startBound(carrier.url())
        const fiber = yield* Effect.forkChild(gateway.send(message("first")))
        yield* until(carrier, () => carrier.submits.length === 1)
        lose(onlySession(carrier))
        expect(told(yield* Fiber.join(fiber))).toBe("Unknown SERVICE_UNAVAILABLE")
        yield* linkIs(gateway, 0, false)
        carrier.script.submit = () => ({})
        yield* passing(() => carrier.connections === 2)
        yield* linkIs(gateway, 0, true)
        expect(told(yield* gateway.send(message("second")))).toBe("Accepted")
        expect(carrier.submits.map(({ text }) => text)).toEqual(["first", "second"])
      })
    )
  }

  timed(
    "is noticed by an enquire_link that stays unanswered when the carrier is gone without a word",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => "silence" })
      const gateway = yield* startBound(carrier.url("timeout=60"))
      const fiber = yield* Effect.forkChild(gateway.send(message()))
      yield* until(carrier, () => carrier.submits.length === 1)
      onlySession(carrier).freeze()
      yield* TestClock.adjust("15 seconds")
      expect((yield* gateway.health)[0]?.up).toBe(true)
      yield* TestClock.adjust("5 seconds")
      expect(told(yield* Fiber.join(fiber))).toBe("Unknown SERVICE_UNAVAILABLE")
      yield* linkIs(gateway, 0, false)
    })
  )

  timed(
    "stays up as long as the carrier answers, and does not forget to ask",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url("enquire=20"))
      const session = onlySession(carrier)
      const asked = () => session.received.filter(({ command }) => command === "enquire_link").length
      for (const times of [1, 2, 3]) {
        yield* TestClock.adjust("20 seconds")
        yield* until(carrier, () => asked() === times)
        yield* settled(carrier)
      }
      expect((yield* gateway.health)[0]?.up).toBe(true)
      expect(carrier.connections).toBe(1)
    })
  )
})

describe("what a carrier asks", () => {
  test(
    "is answered: enquire_link, an unknown command, and unbind",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      yield* startBound(carrier.url())
      const session = onlySession(carrier)
      const ask = (id: number) => Effect.promise(() => session.request(id))
      expect(yield* ask(wire.command.enquire_link)).toMatchObject({ command: "enquire_link_resp", command_status: 0 })
      expect(yield* ask(wire.command.query_sm)).toMatchObject({ command: "generic_nack", command_status: 3 })
      expect(yield* ask(0x0bad)).toMatchObject({ command: "generic_nack", command_status: 3 })
      expect(yield* ask(wire.command.unbind)).toMatchObject({ command: "unbind_resp", command_status: 0 })
    })
  )

  test(
    "is not answered where there is no answer: notifications, and answers to no request",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url())
      const session = onlySession(carrier)
      const before = session.received.length
      session.raw(wire.pdu(wire.command.alert_notification, 0, 50))
      session.raw(wire.pdu(wire.command.outbind, 0, 51))
      session.raw(wire.pdu(wire.resp(wire.command.submit_sm), 0, 4711, wire.cString("1")))
      session.raw(wire.pdu(wire.resp(0x0bad), 0, 4712))
      session.raw(wire.pdu(wire.command.generic_nack, 3, 4713))
      yield* settled(carrier)
      expect(session.received.slice(before).map(({ command }) => command)).toEqual(["enquire_link_resp"])
      expect(told(yield* gateway.send(message()))).toBe("Accepted")
    })
  )

  test(
    "may be anything at all, as long as it has a length",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url())
      yield* gateway.events(() => Effect.void)
      const commands = Object.values(wire.command).filter((id) => id !== wire.command.unbind)
      const frame = FastCheck.tuple(
        FastCheck.oneof(
          FastCheck.constantFrom(...commands, ...commands.map(wire.resp)),
          FastCheck.integer({ min: 0x10_000, max: 0xffff_ffff })
        ),
        // Not those by which a carrier says that it has forgotten the bind.
        FastCheck.nat({ max: 0xffff }).filter((status) => !CommandStatus.isUnbound(status)),
        // Not the sequence numbers of answers.
        FastCheck.integer({ min: 1000, max: 0x7fff_ffff }),
        FastCheck.uint8Array({ maxLength: 200 })
      )
      for (const [id, status, sequence, body] of FastCheck.sample(frame, 3000)) {
        onlySession(carrier).raw(wire.pdu(id, status, sequence, Buffer.from(body)))
      }
      yield* settled(carrier)
      expect(told(yield* gateway.send(message()))).toBe("Accepted")
      expect(carrier.connections).toBe(1)
    })
  )

  timed(
    "when it unbinds and leaves the connection open, ends it all the same",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url())
      // Bound for longer than a message may wait.
      yield* TestClock.adjust("11 seconds")
      yield* settled(carrier)
      yield* Effect.promise(() => onlySession(carrier).request(wire.command.unbind))
      yield* linkIs(gateway, 0, false)
      // The message waits for the next session.
      const fiber = yield* Effect.forkChild(gateway.send(message()))
      yield* passing(() => carrier.sessions.size === 0)
      yield* passing(() => carrier.connections === 2)
      expect(told(yield* Fiber.join(fiber))).toBe("Accepted")
      expect(carrier.submits).toHaveLength(1)
    })
  )
})

describe("several links", () => {
  test(
    "are used in their order, and the next when one is down",
    Effect.fnUntraced(function* () {
      const first = yield* startCarrier()
      const second = yield* startCarrier()
      const gateway = yield* startBound(`${first.url()},${second.url()}`)
      yield* linkIs(gateway, 1, true)
      yield* gateway.send(message("one"))
      yield* Effect.promise(() => first.stop())
      yield* linkIs(gateway, 0, false)
      yield* gateway.send(message("two"))
      expect([first, second].map(({ submits }) => submits.map(({ text }) => text))).toEqual([["one"], ["two"]])
    })
  )

  test(
    "take over what the first cannot take now",
    Effect.fnUntraced(function* () {
      const first = yield* startCarrier({ submit: () => "silence" })
      const second = yield* startCarrier()
      const gateway = yield* startBound(`${first.url("window=1")},${second.url()}`)
      yield* linkIs(gateway, 1, true)
      yield* Effect.forkChild(gateway.send(message("one")))
      yield* until(first, () => first.submits.length === 1)
      expect(told(yield* gateway.send(message("two")))).toBe("Accepted")
      expect(second.submits.map(({ text }) => text)).toEqual(["two"])
    })
  )

  test(
    "take over what was not written when a link was lost, and nothing that was",
    Effect.fnUntraced(function* () {
      const first = yield* startCarrier({ submit: () => "silence" })
      const second = yield* startCarrier({ bind: () => "silence" })
      const gateway = yield* startBound(`${first.url("window=1")},${second.url()}`)
      const written = yield* Effect.forkChild(gateway.send(message("written")))
      yield* until(first, () => first.submits.length === 1)
      const waiting = yield* Effect.forkChild(gateway.send(message("waiting")))
      yield* Effect.promise(() => first.stop())
      expect(told(yield* Fiber.join(written))).toBe("Unknown SERVICE_UNAVAILABLE")
      for (const session of second.sessions) {
        session.raw(wire.pdu(wire.resp(wire.command.bind_transceiver), 0, 1, wire.cString("carrier")))
      }
      expect(told(yield* Fiber.join(waiting))).toBe("Accepted")
      expect(second.submits.map(({ text }) => text)).toEqual(["waiting"])
    })
  )

  test(
    "take over what one throttles",
    Effect.fnUntraced(function* () {
      const first = yield* startCarrier({ submit: () => ({ status: 0x58 }) })
      const second = yield* startCarrier()
      const gateway = yield* startBound(`${first.url()},${second.url()}`)
      yield* linkIs(gateway, 1, true)
      expect(told(yield* gateway.send(message()))).toBe("Accepted")
      expect([first.submits.length, second.submits.length]).toEqual([1, 1])
    })
  )

  test(
    "that are all refused reject what waits at once",
    Effect.fnUntraced(function* () {
      const first = yield* startCarrier({ bind: () => 0x0d })
      const second = yield* startCarrier({ bind: () => 0x0f })
      const gateway = yield* startGateway(`${first.url()},${second.url()}`)
      expect(told(yield* gateway.send(message()))).toBe("Rejected SERVICE_UNAVAILABLE")
    })
  )
})

describe("the log", () => {
  test(
    "tells what happens without numbers, texts and passwords",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => ({ status: 0x58 }) })
      const [, log] = yield* logged(
        Effect.gen(function* () {
          const gateway = yield* startBound(carrier.url(), { deadline: "100 millis" })
          yield* gateway.send(message("Your code is 987654"))
          const session = onlySession(carrier)
          yield* Effect.promise(() => session.deliver({ text: "stat:DELIVRD text:987654", source: "Subscriber" }))
          session.raw("GET / HTTP/1.1\r\n")
          yield* linkIs(gateway, 0, false)
          yield* until(carrier, () => carrier.sessions.size === 0)
        })
      )
      expect(log).toContain("is bound")
      expect(log).toContain("throttles")
      expect(log).toContain("names no message")
      expect(log).toContain("is down")
      for (const secret of ["4915123456789", "987654", "secret", "Subscriber"]) expect(log).not.toContain(secret)
    })
  )
})
