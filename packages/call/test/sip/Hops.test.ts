/**
 * Requests within calls: they do not leave the trunk because a callee says so.
 */
import { type TrunkInput, make, trunk as trunkOptions } from "@watchword/call/sip"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { selfSigned } from "../../../../test/certificate.ts"
import { test } from "../../../../test/live.ts"
import { isReachableFrom, scopeOf } from "../../src/internal/sip/AddressScope.ts"
import { collectEnds, dial, startGateway, startTrunk, until } from "./fixture.ts"
import { header } from "@watchword/sandbox/trunk"

/** Two servers; the second is at an address that the callee names. */
const startBoth = Effect.all([startTrunk(), startTrunk({}, { host: "127.0.0.2" })])

describe("a Contact elsewhere", () => {
  test(
    "is in the URI of ACK and BYE, which go to the trunk",
    Effect.fnUntraced(function* () {
      const [trunk, other] = yield* startBoth
      const gateway = yield* startGateway(trunk.url())
      const { count } = yield* collectEnds(gateway)
      yield* dial(gateway)
      const contact = `sip:x@127.0.0.2:${other.port}`
      trunk.calls[0]?.accept("callee", [`Contact: <${contact}>`])
      yield* count(1)
      expect([trunk.methods, other.methods]).toEqual([["INVITE", "ACK", "BYE"], []])
      expect(trunk.requests("BYE")[0]?.uri).toBe(contact)
    })
  )

  test(
    "gets ACK and BYE where that is asked for, and no credentials that it did not ask for",
    Effect.fnUntraced(function* () {
      const [trunk, other] = yield* startBoth
      trunk.script.invite = (call) => {
        const isAllowed = header(call.invite, "authorization") !== ""
        if (isAllowed) call.respond(180)
        else call.respond(401, { headers: ['WWW-Authenticate: Digest realm="trunk", nonce="n1"'] })
      }
      const gateway = yield* startGateway(trunk.url("keepalive=0;follow=contact"))
      const { count } = yield* collectEnds(gateway)
      yield* dial(gateway)
      trunk.calls[1]?.accept("callee", [`Contact: <sip:x@127.0.0.2:${other.port}>`])
      yield* count(1)
      expect(other.methods).toEqual(["ACK", "BYE"])
      expect(other.received.map((request) => header(request, "authorization"))).toEqual(["", ""])
    })
  )

  const elsewhere = ["10.0.0.5:6379", "169.254.169.254:80", "[fe80::1]:22", "0.0.0.0:22", "224.0.0.1:5060"]
  for (const place of elsewhere) {
    test(
      `at ${place} is never followed from a trunk that is not there`,
      Effect.fnUntraced(function* () {
        const trunk = yield* startTrunk()
        const gateway = yield* startGateway(trunk.url("keepalive=0;follow=contact"))
        const { ends, count } = yield* collectEnds(gateway)
        yield* dial(gateway)
        trunk.calls[0]?.accept("callee", [`Contact: <sip:x@${place}>`])
        yield* count(1)
        expect(trunk.methods).toEqual(["INVITE", "ACK", "BYE"])
        expect(ends).toMatchObject([{ cause: { hangupCause: "NORMAL_CLEARING" } }])
      })
    )
  }

  const protocols = ["tcp", "udp", "tls"] as const
  for (const protocol of protocols) {
    test(
      `over ${protocol} is not followed from a trunk over TLS`,
      Effect.fnUntraced(function* () {
        const { key, cert } = selfSigned()
        const trunk = yield* startTrunk({}, { protocol: "tls", tls: { key, cert } })
        const other = yield* startTrunk({}, { protocol: protocol === "tls" ? "tcp" : protocol, host: "127.0.0.2" })
        const input: TrunkInput = {
          host: "127.0.0.1",
          port: trunk.port,
          protocol: "tls",
          scheme: "sips",
          follow: "trunk"
        }
        for (const follow of protocol === "tls" ? (["trunk"] as const) : (["trunk", "contact"] as const)) {
          const { length } = trunk.calls
          const gateway = yield* make({
            trunks: [trunkOptions({ ...input, follow, tls: { ca: cert }, keepAlive: null })]
          })
          const { count } = yield* collectEnds(gateway)
          yield* dial(gateway)
          const contact = `Contact: <sip:x@127.0.0.2:${other.port};transport=${protocol}>`
          trunk.calls[length]?.accept("callee", [contact])
          yield* count(1)
          yield* until(trunk, () => trunk.requests("BYE").length === length + 1)
        }
        expect([other.connections, other.methods]).toEqual([0, []])
      })
    )
  }
})

describe("an INVITE that many phones answer", () => {
  test(
    "hangs up on eight of them",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { count } = yield* collectEnds(gateway)
      yield* dial(gateway)
      for (let index = 0; index < 20; index++) trunk.calls[0]?.accept(`phone${index}`)
      yield* count(1)
      const tags = (method: string) => new Set(trunk.requests(method).map((request) => header(request, "to")))
      expect([tags("ACK").size, tags("BYE").size]).toEqual([8, 8])
    })
  )
})

describe("the scope of an address", () => {
  it.each([
    ["127.0.0.1", "loopback"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "loopback"],
    ["169.254.169.254", "link-local"],
    ["fe80::1", "link-local"],
    ["10.1.2.3", "private"],
    ["172.31.0.1", "private"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "private"],
    ["fd00::1", "private"],
    ["0.0.0.0", "reserved"],
    ["::", "reserved"],
    ["239.0.0.1", "reserved"],
    ["255.255.255.255", "reserved"],
    ["ff02::1", "reserved"],
    ["172.32.0.1", "public"],
    ["192.0.2.1", "public"],
    ["2001:db8::1", "public"]
  ])("%s is %s", (address, scope) => {
    expect(scopeOf(address)).toBe(scope)
  })

  it("that is not public is reached from the same scope only", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.oneof(fc.ipV4(), fc.ipV6()), (trunk, address) => {
        const scope = scopeOf(address)
        const isAllowed = scope === "public" || (scope === scopeOf(trunk) && scope !== "reserved")
        expect(isReachableFrom(trunk, address)).toBe(isAllowed)
      })
    )
  })
})
