/**
 * TCP and TLS, and requests within dialogs that do not go where the INVITE went.
 */
import { X509Certificate } from "node:crypto"
import { make, trunk as trunkOptions } from "@watchword/call/sip"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, vi } from "vitest"
import { selfSigned } from "../../../../test/certificate.ts"
import { eventually, logged, test, timed, turns } from "../../../../test/live.ts"
import { collectEnds, dial, order, startGateway, startTrunk, resultOf, until } from "./fixture.ts"
import { header } from "@watchword/sandbox/trunk"

describe("over TCP", () => {
  test(
    "calls ring, are cancelled and answered over one connection",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({}, { protocol: "tcp" })
      const gateway = yield* startGateway(trunk.url("keepalive=60"))
      const { ends, count } = yield* collectEnds(gateway)
      for (let index = 0; index < 3; index++) {
        const call = order()
        expect(resultOf(yield* dial(gateway, call))).toBe("Ringing")
        if (index === 0) trunk.calls[0]?.accept()
        else yield* gateway.hangup(call.delivery, "NO_ANSWER")
        yield* count(index + 1)
      }
      expect(ends.map(({ cause }) => cause.hangupCause)).toEqual(["NORMAL_CLEARING", "NO_ANSWER", "NO_ANSWER"])
      expect(trunk.connections).toBe(1)
      expect(header(trunk.calls[0]?.invite ?? fail(), "via")).toMatch(/^SIP\/2\.0\/TCP 127\.0\.0\.1:\d+;branch=/)
      expect(header(trunk.calls[0]?.invite ?? fail(), "contact")).toContain(";transport=tcp>")
    })
  )

  test(
    "a connection that was lost is opened anew, and a ringing call is ended over it",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({}, { protocol: "tcp" })
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      const call = order()
      yield* dial(gateway, call)
      for (const socket of trunk.sockets) socket.destroy()
      yield* turns
      const [first] = trunk.calls
      if (first === undefined) throw new Error("no call")
      // The trunk answers where the last request came from.
      first.cancelled = () => trunk.raw(`SIP/2.0 487 No${firstResponse(first.invite.text)}`)
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* count(1)
      expect(trunk.connections).toBe(2)
      expect(ends).toMatchObject([{ cause: { hangupCause: "NO_ANSWER", sipStatus: 487 } }])
    })
  )

  test(
    "a stream that is not SIP closes the connection, and the next call opens another",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({}, { protocol: "tcp" })
      const gateway = yield* startGateway(trunk.url())
      yield* dial(gateway)
      trunk.raw("HTTP/1.1 400 Bad Request\r\nContent-Length: nonsense\r\n\r\n")
      yield* eventually(Effect.sync(() => trunk.sockets.size === 0))
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
      expect(trunk.connections).toBe(2)
    })
  )
})

/** The rest of a response to an INVITE. */
const firstResponse = (invite: string): string => {
  const take = (name: string) => new RegExp(`\r\n(${name}: [^\r]*)`).exec(invite)?.[1] ?? ""
  const lines = ["Via", "From", "To", "Call-ID", "CSeq"].map(take)
  return `\r\n${lines.join("\r\n").replace(/(\r\nTo: [^\r]*)/, "$1;tag=x")}\r\nContent-Length: 0\r\n\r\n`
}

const fail = (): never => {
  throw new Error("missing")
}

describe("over TLS", () => {
  afterEach(() => vi.useRealTimers())

  test(
    "calls are placed with a trunk whose certificate is trusted",
    Effect.fnUntraced(function* () {
      const { key, cert } = selfSigned()
      const trunk = yield* startTrunk({}, { protocol: "tls", tls: { key, cert } })
      const { port } = trunk
      const options = trunkOptions({ host: "127.0.0.1", port, protocol: "tls", scheme: "sips", tls: { ca: cert } })
      const gateway = yield* make({ trunks: [options] })
      const { ends, count } = yield* collectEnds(gateway)
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
      expect(trunk.calls[0]?.invite.uri).toBe(`sips:+4915123456789@127.0.0.1:${port};user=phone`)
      trunk.calls[0]?.accept("callee", [`Contact: <sips:callee@127.0.0.1:${port}>`])
      yield* count(1)
      expect(ends).toMatchObject([{ cause: { hangupCause: "NORMAL_CLEARING" } }])
      expect(yield* gateway.health).toMatchObject([{ certificateEnds: Date.parse(new X509Certificate(cert).validTo) }])
    })
  )

  timed(
    "a connection that was made in time stays open",
    Effect.fnUntraced(function* () {
      const { key, cert } = selfSigned()
      const trunk = yield* startTrunk({}, { protocol: "tls", tls: { key, cert } })
      const { port } = trunk
      const options = trunkOptions({ host: "127.0.0.1", port, protocol: "tls", scheme: "sips", tls: { ca: cert } })
      const gateway = yield* make({ trunks: [options] })
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
      vi.advanceTimersByTime(60_000)
      vi.useRealTimers()
      yield* turns
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
      expect(trunk.connections).toBe(1)
    })
  )

  test(
    "nothing is sent to a trunk whose certificate is not trusted",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({}, { protocol: "tls", tls: selfSigned() })
      const [, log] = yield* logged(
        Effect.gen(function* () {
          const gateway = yield* startGateway(trunk.url())
          expect(resultOf(yield* dial(gateway))).toBe("SERVICE_UNAVAILABLE RECOVERY_ON_TIMER_EXPIRE")
        })
      )
      expect(trunk.received).toEqual([])
      expect(log).toContain("self-signed certificate")
    })
  )
})

describe("a dialog's requests", () => {
  test(
    "go by the routes that it was made through",
    Effect.fnUntraced(function* () {
      const proxy = yield* startTrunk()
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { count } = yield* collectEnds(gateway)
      yield* dial(gateway)
      const routes = [`<sip:127.0.0.1:${trunk.port};lr>, <sip:far.example;lr>`, `<sip:127.0.0.1:${proxy.port};lr>`]
      trunk.calls[0]?.accept("callee", [
        ...routes.map((route) => `Record-Route: ${route}`),
        "Contact: <sip:phone@203.0.113.7:5066>"
      ])
      yield* count(1)
      expect(proxy.methods).toEqual(["ACK", "BYE"])
      for (const request of proxy.received) {
        expect(request.uri).toBe("sip:phone@203.0.113.7:5066")
        expect(header(request, "route")).toBe(
          `<sip:127.0.0.1:${proxy.port};lr>, <sip:far.example;lr>, <sip:127.0.0.1:${trunk.port};lr>`
        )
      }
    })
  )

  test(
    "go to a strict router the way that it wants",
    Effect.fnUntraced(function* () {
      const proxy = yield* startTrunk()
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { count } = yield* collectEnds(gateway)
      yield* dial(gateway)
      trunk.calls[0]?.accept("callee", [
        "Record-Route: <sip:far.example;lr>",
        `Record-Route: <sip:127.0.0.1:${proxy.port}>`,
        "Contact: <sip:phone@203.0.113.7:5066>"
      ])
      yield* count(1)
      expect(proxy.methods).toEqual(["ACK", "BYE"])
      for (const request of proxy.received) {
        expect(request.uri).toBe(`sip:127.0.0.1:${proxy.port}`)
        expect(header(request, "route")).toBe("<sip:far.example;lr>, <sip:phone@203.0.113.7:5066>")
      }
    })
  )

  test(
    "go to the trunk when their host cannot be resolved",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url(), {
        resolver: { srv: () => Promise.reject(new Error()), addresses: () => Promise.reject(new Error()) }
      })
      const { count } = yield* collectEnds(gateway)
      yield* dial(gateway)
      trunk.calls[0]?.accept("callee", ["Contact: <sip:phone@inside.test>"])
      yield* count(1)
      expect(trunk.methods).toEqual(["INVITE", "ACK", "BYE"])
      expect(trunk.requests("BYE")[0]?.uri).toBe("sip:phone@inside.test")
    })
  )

  test(
    "go to the INVITE's address when there is no usable Contact",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { count } = yield* collectEnds(gateway)
      yield* dial(gateway)
      trunk.calls[0]?.accept("callee", ["Contact: *"])
      yield* count(1)
      expect(trunk.requests("BYE")[0]?.uri).toBe(trunk.calls[0]?.invite.uri)
    })
  )
})

describe("a proxy that everything goes through", () => {
  test(
    "is in the Route of INVITE, CANCEL and ACK",
    Effect.fnUntraced(function* () {
      const proxy = yield* startTrunk()
      const gateway = yield* startGateway(`sip:id:pw@trunk.test;keepalive=0;proxy=127.0.0.1:${proxy.port}`)
      const { count } = yield* collectEnds(gateway)
      const call = order()
      yield* dial(gateway, call)
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* count(1)
      yield* until(proxy, () => proxy.requests("ACK").length > 0)
      expect(proxy.methods).toEqual(["INVITE", "CANCEL", "ACK"])
      for (const request of proxy.received) {
        expect(request.uri).toBe("sip:+4915123456789@trunk.test;user=phone")
        expect(header(request, "route")).toBe(`<sip:127.0.0.1:${proxy.port};lr>`)
      }
    })
  )
})
