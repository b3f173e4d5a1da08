/**
 * Trunks that ask who we are.
 */
import { Credentials } from "../../src/internal/sip/Digest.ts"
import { parse } from "../../src/internal/sip/Message.ts"
import { branchOf } from "../../src/internal/sip/Invite.ts"
import * as StoredDialog from "../../src/internal/sip/StoredDialog.ts"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import type { TrunkCall } from "@watchword/sandbox/trunk"
import { logged, test } from "../../../../test/live.ts"
import { collectEnds, dial, order, startGateway, startTrunk, resultOf, until } from "./fixture.ts"
import { branch, cseq, header, read } from "@watchword/sandbox/trunk"

/** A server's side of digest, by the book (RFC 7616 §3.4). */
const isRight = (request: { readonly method: string; readonly text: string }, algorithm: string): boolean => {
  const line = /\r\n(?:Proxy-)?Authorization: Digest ([^\r]*)/.exec(request.text)?.[1] ?? ""
  const value = (name: string) => new RegExp(`(?:^|[ ,])${name}="?([^",]*)`).exec(line)?.[1] ?? ""
  const hash = (text: string) => createHash(algorithm).update(text).digest("hex")
  const ha1 = hash(`client:${value("realm")}:secret`)
  const ha2 = hash(`${request.method}:${value("uri")}`)
  const middle = value("qop") === "" ? "" : `${value("nc")}:${value("cnonce")}:auth:`
  return value("response") === hash(`${ha1}:${value("nonce")}:${middle}${ha2}`)
}

const parameter = (text: string, name: string) => new RegExp(`${name}="?([^",\\s]*)`).exec(text)?.[1] ?? ""

const hasCredentials = ({ text }: { readonly text: string }) => /\r\n(?:Proxy-)?Authorization: /.test(text)

const asks = (status: 401 | 407, challenge: string, algorithm = "md5") => ({
  invite: (call: TrunkCall) => {
    const name = status === 401 ? "WWW-Authenticate" : "Proxy-Authenticate"
    if (isRight(call.invite, algorithm)) call.respond(180)
    else call.respond(status, { headers: [`${name}: Digest ${challenge}`] })
  }
})

describe("a trunk that asks", () => {
  const rows = [
    [401, 'realm="trunk", nonce="n1"', "md5"],
    [407, 'realm="trunk", nonce="n1", algorithm=MD5, qop="auth,auth-int", opaque="o=1"', "md5"],
    [401, 'realm="trunk", nonce="n1", algorithm=SHA-256, qop="auth"', "sha256"]
  ] as const
  for (const [status, challenge, algorithm] of rows) {
    test(
      `with ${status} and ${challenge} is answered`,
      Effect.fnUntraced(function* () {
        const trunk = yield* startTrunk(asks(status, challenge, algorithm))
        const gateway = yield* startGateway(trunk.url())
        const { ends, count } = yield* collectEnds(gateway)
        const call = order()
        expect(resultOf(yield* dial(gateway, call))).toBe("Ringing")
        const [first, second] = trunk.calls.map(({ invite }) => invite)
        if (first === undefined || second === undefined) throw new Error("too few INVITEs")
        expect([cseq(first), cseq(second)]).toEqual([1, 2])
        expect(branch(second)).not.toBe(branch(first))
        expect(header(second, "call-id")).toBe(header(first, "call-id"))
        expect(header(second, "from")).toBe(header(first, "from"))
        expect(parameter(second.text, "uri")).toBe(second.uri)
        yield* gateway.hangup(call.delivery, "NO_ANSWER")
        yield* count(1)
        expect(ends).toMatchObject([{ cause: { hangupCause: "NO_ANSWER" } }])
        expect(cseq(trunk.requests("CANCEL")[0] ?? first)).toBe(2)
      })
    )
  }

  test(
    "has its nonce used again and counted, in INVITE and BYE",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk(asks(407, 'realm="trunk", nonce="n1", qop="auth"'))
      const gateway = yield* startGateway(trunk.url())
      const { count } = yield* collectEnds(gateway)
      yield* dial(gateway)
      yield* dial(gateway)
      trunk.calls[2]?.accept()
      yield* count(1)
      expect(trunk.calls).toHaveLength(3)
      const requests = [...trunk.requests("INVITE").filter(hasCredentials), ...trunk.requests("BYE")]
      expect(requests.map(({ text }) => parameter(text, "nc"))).toEqual(["00000001", "00000002", "00000003"])
      expect(requests.map((request) => isRight(request, "md5"))).toEqual([true, true, true])
      // An ACK of an answer repeats the credentials of its INVITE.
      const ack = trunk.requests("ACK").find(hasCredentials)
      expect(parameter(ack?.text ?? "", "response")).toBe(parameter(trunk.calls[2]?.invite.text ?? "", "response"))
    })
  )

  test(
    "anew because its nonce is stale is answered again",
    Effect.fnUntraced(function* () {
      let current = "n1"
      const trunk = yield* startTrunk({
        invite: (call) => {
          const { text } = call.invite
          if (parameter(text, "nonce") === current) return call.respond(180)
          const stale = hasCredentials(call.invite) ? ", stale=TRUE" : ""
          call.respond(401, { headers: [`WWW-Authenticate: Digest realm="trunk", nonce="${current}"${stale}`] })
          if (stale === "" && current === "n1") current = "n2"
        }
      })
      const gateway = yield* startGateway(trunk.url())
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
      expect(trunk.calls).toHaveLength(3)
    })
  )

  for (const status of [401, 407] as const) {
    test(
      `in vain with ${status}, for the password is wrong, is not asked again and again`,
      Effect.fnUntraced(function* () {
        let nonce = 0
        const name = status === 401 ? "WWW-Authenticate" : "Proxy-Authenticate"
        const trunk = yield* startTrunk({
          invite: (call) => call.respond(status, { headers: [`${name}: Digest realm="trunk", nonce="${nonce++}"`] })
        })
        const gateway = yield* startGateway(trunk.url("keepalive=0", "client:wrong-one@"))
        const [dialled, log] = yield* logged(dial(gateway))
        expect(dialled).toMatchObject({
          failure: { _tag: "SERVICE_UNAVAILABLE" },
          cause: { hangupCause: "CALL_REJECTED", sipStatus: status }
        })
        expect(trunk.calls).toHaveLength(2)
        expect(log).toContain("ERROR")
        expect(log).not.toContain("wrong-one")
      })
    )
  }

  test(
    "is refused when there is no account to answer with, or nothing in the question is understood",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk(asks(401, 'realm="trunk", nonce="n1"'))
      const anonymous = yield* startGateway(trunk.url("keepalive=0", ""))
      expect(resultOf(yield* dial(anonymous))).toBe("SERVICE_UNAVAILABLE CALL_REJECTED")
      expect(trunk.calls).toHaveLength(1)
      trunk.script.invite = asks(401, 'realm="trunk", nonce="n1", algorithm=ROT13').invite
      const gateway = yield* startGateway(trunk.url())
      expect(resultOf(yield* dial(gateway))).toBe("SERVICE_UNAVAILABLE CALL_REJECTED")
      expect(trunk.calls).toHaveLength(2)
    })
  )

  test(
    "twice, at the proxy and behind it, is answered twice",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({
        invite: (call) => {
          const { text } = call.invite
          if (!text.includes("\r\nProxy-Authorization: ")) {
            call.respond(407, { headers: ['Proxy-Authenticate: Digest realm="proxy", nonce="p"'] })
          } else if (!text.includes("\r\nAuthorization: ")) {
            call.respond(401, { headers: ['WWW-Authenticate: Digest realm="server", nonce="s"'] })
          } else call.respond(180)
        }
      })
      const gateway = yield* startGateway(trunk.url())
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
      expect(trunk.calls).toHaveLength(3)
    })
  )

  test(
    "for BYE too is answered, or the call could not be ended",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({
        bye: (bye) => (isRight(bye, "md5") ? 200 : [401, 'WWW-Authenticate: Digest realm="trunk", nonce="b"'])
      })
      const gateway = yield* startGateway(trunk.url())
      const { count } = yield* collectEnds(gateway)
      yield* dial(gateway)
      trunk.calls[0]?.accept()
      yield* count(1)
      expect(trunk.requests("BYE").map(cseq)).toEqual([2, 3])
    })
  )

  const endless = [
    ["whose nonce is stale each time", () => 'realm="trunk", nonce="n", stale=true'],
    ["for another realm each time", (round: number) => `realm="trunk${round}", nonce="n"`]
  ] as const
  for (const [what, parameters] of endless) {
    test(
      `${what} is answered a few times only`,
      Effect.fnUntraced(function* () {
        const trunk = yield* startTrunk()
        trunk.script.invite = (call) =>
          call.respond(407, { headers: [`Proxy-Authenticate: Digest ${parameters(trunk.calls.length)}`] })
        const gateway = yield* startGateway(trunk.url())
        expect(resultOf(yield* dial(gateway))).toBe("SERVICE_UNAVAILABLE CALL_REJECTED")
        expect(trunk.calls.length).toBeLessThanOrEqual(5)
      })
    )
  }

  test(
    "at OPTIONS is answered as well",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({
        options: (options) => (isRight(options, "md5") ? 200 : [401, 'WWW-Authenticate: Digest realm="t", nonce="o"'])
      })
      yield* startGateway(trunk.url("keepalive=60"))
      yield* until(trunk, () => trunk.requests("OPTIONS").length === 2)
      expect(trunk.requests("OPTIONS").map((options) => isRight(options, "md5"))).toEqual([false, true])
    })
  )

  test(
    "has the dialog stored again, with the INVITE that counts",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk(asks(401, 'realm="trunk", nonce="n1"'))
      const gateway = yield* startGateway(trunk.url())
      const dialogs: Array<string> = []
      yield* gateway.dial(order(), (dialog) => Effect.sync(() => dialogs.push(dialog)))
      const stored = dialogs.flatMap(StoredDialog.decode).map(({ callId, cseq }) => branchOf(callId, cseq))
      expect(stored).toEqual(trunk.calls.map(({ invite }) => branch(invite)))
      expect(stored).toHaveLength(2)
    })
  )
})

const hop = { protocol: "udp", address: "192.0.2.1", port: 5060, tls: {} } as const

describe("credentials", () => {
  const challenge = (line: string) => {
    const text =
      "SIP/2.0 401 Unauthorized\r\nVia: SIP/2.0/UDP a;branch=z9hG4bKx\r\nFrom: <sip:a>;tag=1\r\nTo: <sip:b>\r\n" +
      `Call-ID: x\r\nCSeq: 1 INVITE\r\nWWW-Authenticate: ${line}\r\n\r\n`
    const response = parse(Buffer.from(text, "latin1"))
    if (response?._tag !== "Response") throw new Error("no response")
    return response
  }

  // RFC 2617 §3.5 and RFC 7616 §3.9.1, but for the client's nonce, which is ours.
  it.each([
    ["MD5", "md5"],
    ["SHA-256", "sha256"],
    ["SHA-512-256", "sha512-256"]
  ])("are computed with %s as RFC 7616 says", (algorithm, name) => {
    const credentials = new Credentials("Mufasa", Redacted.make("Circle of Life"))
    const response = challenge(
      `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`
    )
    expect(credentials.challenged(response, hop, new Map())).toBe(true)
    const line = credentials.lines("GET", "/dir/index.html", hop)
    const hash = (text: string) => createHash(name).update(text).digest("hex")
    const cnonce = parameter(line, "cnonce")
    const expected = hash(
      `${hash("Mufasa:http-auth@example.org:Circle of Life")}:7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v:00000001:${cnonce}:auth:${hash("GET:/dir/index.html")}`
    )
    expect(parameter(line, "response")).toBe(expected)
    expect(line).toContain(`algorithm=${algorithm}`)
    expect(line).toContain('opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"')
  })

  it("of a session mix both nonces into the key", () => {
    const credentials = new Credentials("bob", Redacted.make("zanzibar"))
    credentials.challenged(challenge('Digest realm="b", nonce="n", algorithm=MD5-sess, qop="auth"'), hop, new Map())
    const line = credentials.lines("INVITE", "sip:b", hop)
    const hash = (text: string) => createHash("md5").update(text).digest("hex")
    const cnonce = parameter(line, "cnonce")
    const key = hash(`${hash("bob:b:zanzibar")}:n:${cnonce}`)
    expect(parameter(line, "response")).toBe(hash(`${key}:n:00000001:${cnonce}:auth:${hash("INVITE:sip:b")}`))
  })

  it("choose the first challenge of a realm that they understand", () => {
    const credentials = new Credentials("bob", Redacted.make("zanzibar"))
    const response = challenge(
      'Digest realm="b", nonce="1", algorithm=ROT13\r\nWWW-Authenticate: Digest realm="b", nonce="2", algorithm=SHA-256\r\n' +
        'WWW-Authenticate: Digest realm="b", nonce="3", algorithm=MD5'
    )
    expect(credentials.challenged(response, hop, new Map())).toBe(true)
    expect(credentials.lines("INVITE", "sip:b", hop).match(/nonce="\d"/g)).toEqual(['nonce="2"'])
  })

  it("quote what must be quoted", () => {
    const credentials = new Credentials('b"o\\b', Redacted.make("x"))
    credentials.challenged(challenge(String.raw`Digest realm="a \"b\" \\", nonce="n"`), hop, new Map())
    const line = credentials.lines("INVITE", "sip:b", hop)
    expect(line).toContain(String.raw`username="b\"o\\b", realm="a \"b\" \\"`)
    expect(read(`X\r\n${line}\r\n`).headers.size).toBe(1)
  })

  it("are given to no other server than the one that asked", () => {
    const credentials = new Credentials("bob", Redacted.make("zanzibar"))
    credentials.challenged(challenge('Digest realm="b", nonce="n"'), hop, new Map())
    for (const other of [
      { ...hop, address: "192.0.2.9" },
      { ...hop, port: 5070 },
      { ...hop, protocol: "tcp" } as const
    ]) {
      expect(credentials.lines("BYE", "sip:b", other)).toBe("")
    }
    expect(credentials.lines("BYE", "sip:b", hop)).toContain('realm="b"')
  })
})
