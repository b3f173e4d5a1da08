/**
 * Messages off the wire: nothing may throw, block or be believed.
 */
import { Headers } from "../../src/internal/sip/Headers.ts"
import * as HeaderValue from "../../src/internal/sip/HeaderValue.ts"
import { type Message, parse, serialise } from "../../src/internal/sip/Message.ts"
import * as Reasons from "../../src/internal/sip/Reasons.ts"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

const read = (text: string): Message | undefined => parse(Buffer.from(text, "latin1"))

const lines = (...lines: ReadonlyArray<string>): string => `${lines.join("\r\n")}\r\n\r\n`

const common = [
  "Via: SIP/2.0/UDP a.example:5060;branch=z9hG4bKx",
  "From: <sip:a@a.example>;tag=1",
  "To: <sip:b@b.example>;tag=2",
  "Call-ID: id@a",
  "CSeq: 7 INVITE"
]

describe("a message", () => {
  it("is a response with what names its transaction", () => {
    const message = read(lines("SIP/2.0 180 Ringing", ...common))
    expect(message).toMatchObject({
      _tag: "Response",
      status: 180,
      branch: "z9hG4bKx",
      callId: "id@a",
      cseq: { number: 7, method: "INVITE" }
    })
  })

  it.each(["SIP/2.0 200", "SIP/2.0 200 ", "sip/2.0   200 OK"])("is a response that begins with %j", (line) => {
    expect(read(lines(line, ...common))).toMatchObject({ _tag: "Response", status: 200 })
  })

  it("is a request", () => {
    expect(read(lines("INVITE sip:b@b.example SIP/2.0", ...common))).toMatchObject({
      _tag: "Request",
      method: "INVITE",
      uri: "sip:b@b.example"
    })
  })

  it("may be folded, compact, spaced out and in any case (RFC 4475 §3.1.1.1)", () => {
    const message = read(
      "INVITE sip:vivekg@chair-dnrc.example.com SIP/2.0\r\n" +
        "v:  SIP  / 2.0  / UDP 192.0.2.2;branch=390skdjuw\r\n" +
        "s :\r\n" +
        "f: A Bell <sip:a@a.example> ;tag=1\r\n" +
        "TO :\r\n sip:vivekg@chair-dnrc.example.com ;   tag    = 1918181833n\r\n" +
        "i: x\r\n" +
        "cSEQ: 0009\r\n  INVITE\r\n" +
        "Via  : SIP  /   2.0\r\n /TCP     spindle.example.com   ;\r\n  branch  =   z9hG4bK9ikj8  ,\r\n" +
        " SIP  /    2.0   / UDP  192.168.255.111   ; branch=\r\n z9hG4bK30239\r\n" +
        'm:"Quoted string \\"\\"" <sip:jdrosen@example.com> ; newparam =\r\n newvalue ;\r\n  secondparam ; q = 0.33\r\n\r\n'
    )
    expect(message).toMatchObject({ method: "INVITE", branch: "390skdjuw", cseq: { number: 9, method: "INVITE" } })
    expect(message?.headers.list("via")).toHaveLength(3)
    expect(message?.headers.list("via").map((via) => HeaderValue.parameter(via, "branch"))).toEqual([
      "390skdjuw",
      "z9hG4bK9ikj8",
      "z9hG4bK30239"
    ])
    expect(HeaderValue.tag(message?.headers.first("to") ?? "")).toBe("1918181833n")
    expect(HeaderValue.uriOf(message?.headers.list("contact")[0] ?? "")).toBe("sip:jdrosen@example.com")
  })

  it("may have the compact forms of its names (RFC 3261 §7.3.3)", () => {
    const names = [
      ["c", "content-type"],
      ["e", "content-encoding"],
      ["f", "from"],
      ["i", "call-id"],
      ["k", "supported"],
      ["l", "content-length"],
      ["m", "contact"],
      ["s", "subject"],
      ["t", "to"],
      ["v", "via"]
    ] as const
    const headers = new Headers(names.map(([short]) => `${short.toUpperCase()}: of ${short}`))
    for (const [short, name] of names) expect(headers.first(name)).toBe(`of ${short}`)
  })

  it("has URIs with and without brackets", () => {
    const addresses = ["sip:a@a.example ;tag=1", " sip:a@a.example", '"b <sip:b>" < sip:a@a.example >;tag=1']
    for (const address of addresses) expect(HeaderValue.uriOf(address)).toBe("sip:a@a.example")
  })

  it("has its Record-Routes in order, in one field or in many", () => {
    const routes = ['"a, b" <sip:one;lr>', "<sip:two;lr>, <sip:three?Route=%3Csip:x%3E,y;lr>", "<sip:four;lr>"]
    const message = read(lines("SIP/2.0 200 OK", ...common, ...routes.map((route) => `Record-Route: ${route}`)))
    expect(message?.headers.list("record-route").map(HeaderValue.uriOf)).toEqual([
      "sip:one;lr",
      "sip:two;lr",
      "sip:three?Route=%3Csip:x%3E,y;lr",
      "sip:four;lr"
    ])
  })

  it("may end its lines with a line feed alone, and say nonsense between", () => {
    const text = lines("SIP/2.0 180 Ringing", "nonsense", ": none", ...common).replaceAll("\r\n", "\n")
    expect(read(text)).toMatchObject({ status: 180, branch: "z9hG4bKx" })
  })

  it("keeps octets that are no ASCII as they came", () => {
    const to = '"J\u00c3\u00bcrgen" <sip:j@b>;tag=3'
    const message = read(lines("SIP/2.0 180 Ringing", ...common.filter((line) => !line.startsWith("To")), `To: ${to}`))
    expect(message?.headers.first("to")).toBe(to)
  })

  it("has nothing in it that could end a line when it is sent back", () => {
    const message = read(lines("SIP/2.0 486 Busy", ...common, "Reason: a\rRoute: <sip:evil>\u0000\u000b"))
    expect(message?.headers.first("reason")).toBe("a Route: <sip:evil>")
  })

  it.each([
    ["nothing", ""],
    ["a keep-alive", "\r\n\r\n"],
    ["another version", lines("SIP/3.0 200 OK", ...common)],
    ["a status too low", lines("SIP/2.0 099 No", ...common)],
    ["a status too high", lines("SIP/2.0 700 No", ...common)],
    ["a status beyond all bounds (RFC 4475 §3.1.2.5)", lines("SIP/2.0 4294967301 overflow", ...common)],
    ["a status of two digits", lines("SIP/2.0 99", ...common)],
    ["a status of four", lines("SIP/2.0 2000 OK", ...common)],
    ["a status of letters", lines("SIP/2.0 2OO OK", ...common)],
    ["a status without a space before it", lines("SIP/2.0200 OK", ...common)],
    ["no status", "SIP/2.0 \r\n200 OK\r\n"],
    ["another protocol", lines("INVITE sip:b@b.example HTTP/1.1", ...common)],
    ["a URI with spaces in it", lines("INVITE  sip:b;lr  x SIP/2.0", ...common)],
    ["a method that its CSeq contradicts (RFC 4475 §3.1.2.17)", lines("BYE sip:b SIP/2.0", ...common)],
    ["no Via", lines("SIP/2.0 200 OK", ...common.slice(1))],
    ["no From", lines("SIP/2.0 200 OK", ...common.toSpliced(1, 1))],
    ["no To", lines("SIP/2.0 200 OK", ...common.toSpliced(2, 1))],
    ["no Call-ID", lines("SIP/2.0 200 OK", ...common.toSpliced(3, 1))],
    ["a CSeq too big", lines("SIP/2.0 200 OK", ...common.slice(0, 4), "CSeq: 36893488147419103232 INVITE")],
    ["a CSeq just too big", lines("SIP/2.0 200 OK", ...common.slice(0, 4), "CSeq: 4294967296 INVITE")],
    ["a CSeq of eleven digits", lines("SIP/2.0 200 OK", ...common.slice(0, 4), "CSeq: 00000000001 INVITE")],
    ["a CSeq without a space", lines("SIP/2.0 200 OK", ...common.slice(0, 4), "CSeq: 1INVITE")],
    ["a CSeq without a method", lines("SIP/2.0 200 OK", ...common.slice(0, 4), "CSeq: 1 ")],
    ["a CSeq of three words", lines("SIP/2.0 200 OK", ...common.slice(0, 4), "CSeq: 1 INVITE x")],
    ["no number in CSeq", lines("SIP/2.0 200 OK", ...common.slice(0, 4), "CSeq: INVITE")],
    ["a second Via (RFC 3261 §8.1.3.3)", lines("SIP/2.0 200 OK", ...common, "Via: SIP/2.0/UDP b.example")],
    ["two Vias in one field", lines("SIP/2.0 200 OK", `${common[0]}, SIP/2.0/UDP b.example`, ...common.slice(1))],
    ["a body that is cut off (RFC 3261 §18.3)", `${lines("SIP/2.0 200 OK", ...common, "Content-Length: 5")}body`],
    ["less than no body", lines("SIP/2.0 200 OK", ...common, "l: -1")],
    ["a body of some length", lines("SIP/2.0 200 OK", ...common, "Content-Length: x")],
    ["too many headers", lines("SIP/2.0 200 OK", ...common, ...Array<string>(300).fill("X: y"))],
    ["too many octets", lines("SIP/2.0 200 OK", ...common, `X: ${"y".repeat(66_000)}`)]
  ])("is none: %s", (_why, text) => {
    expect(read(text)).toBeUndefined()
  })

  it("never makes the parser throw or ponder, whatever comes", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.uint8Array({ maxLength: 2000 }), (octets) => {
        expect(() => parse(Buffer.from(octets))).not.toThrow()
      }),
      { numRuns: 500 }
    )
  })

  it("never makes the parser throw on messages that are partly malformed, and its values can be sent back", () => {
    const piece = FastCheck.constantFrom(
      ...'SIP/2.0 200 OK|\r\n|\n|\r|\r\n |Via:|v: SIP/2.0/UDP a;branch=|;|,|<|>|"|\\|tag=|CSeq: 1 INVITE|i: x|f: <sip:a>;tag=1|t: b|INVITE sip:a SIP/2.0|\u0000|%|=| |\t|::|[::1]:5060|Reason: Q.850;cause=|17'.split(
        "|"
      )
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.array(piece, { maxLength: 60 }), (pieces) => {
        const message = read(`SIP/2.0 200 OK\r\n${common.join("\r\n")}\r\n${pieces.join("")}`)
        if (message === undefined) return
        const { headers } = message
        for (const name of ["via", "to", "contact", "record-route", "reason"]) {
          for (const value of headers.list(name)) {
            expect(value).not.toMatch(/[\r\n\0]/)
            HeaderValue.uriOf(value)
            HeaderValue.tag(value)
            HeaderValue.sentBy(value)
            HeaderValue.parseUri(value)
          }
        }
        Reasons.q850(headers.list("reason"))
        HeaderValue.retryAfter(headers.first("retry-after"))
      }),
      { numRuns: 1000 }
    )
  })

  it.each([
    ["semicolons", `To: <sip:b>${";a=b".repeat(16_000)}`],
    ["commas", `Record-Route: ${"<sip:a>,".repeat(8000)}`],
    ["quotes", `To: ${'"\\'.repeat(30_000)}`],
    ["brackets", `Contact: ${"<".repeat(60_000)}`],
    ["spaces", `CSeq: 1${" ".repeat(60_000)}INVITE`],
    ["at signs", `Contact: sip:${"@".repeat(60_000)}`],
    ["spaces in a Via", `Via: SIP/2.0/UDP a${" ".repeat(60_000)}b`],
    ["folds", `X: a${"\r\n b".repeat(240)}`]
  ])(
    "of nothing but %s is read in no time",
    (of, line) => {
      // A quadratic reader would take seconds, and the test's time-out is the limit.
      for (let index = 0; index < 20; index++) {
        const message = read(lines("SIP/2.0 200 OK", line, ...common))
        // A message whose Via names no host is not valid.
        expect(message !== undefined).toBe(of !== "spaces in a Via")
        HeaderValue.sentBy(line.slice(line.indexOf(" ") + 1))
        for (const name of ["to", "contact", "record-route"]) {
          for (const value of message?.headers.list(name) ?? []) {
            HeaderValue.uriOf(value)
            HeaderValue.tag(value)
            HeaderValue.parseUri(value)
            HeaderValue.parseUri(HeaderValue.uriOf(value))
          }
        }
      }
    },
    5000
  )

  it.each([
    ["as long as it says", "Content-Length: 4", "body"],
    ["longer than it says (RFC 3261 §18.3)", "l: 3", "body"],
    ["of any length in a datagram", "X: y", "body"]
  ])("may have a body %s", (_what, line, body) => {
    const text = `${lines("SIP/2.0 200 OK", ...common, line)}${body}`
    expect(read(text)).toMatchObject({ status: 200 })
    expect(read(text.replaceAll("\r\n", "\n"))).toMatchObject({ status: 200 })
  })

  it("that is written can be read", () => {
    const text = serialise("SIP/2.0 200 OK", `${common.join("\r\n")}\r\n`, "body")
    expect(text).toContain("\r\nContent-Length: 4\r\n\r\nbody")
    expect(read(text)).toMatchObject({ status: 200, callId: "id@a" })
  })
})

describe("a URI", () => {
  it.each([
    ["sip:a@b.example", { scheme: "sip", host: "b.example", port: null, transport: null, loose: false }],
    [
      "SIPS:b.example:5061;Transport=TCP;lr",
      { scheme: "sips", host: "b.example", port: 5061, transport: "tcp", loose: true }
    ],
    [
      "sip:a:b;c@[2001:db8::1]:5070;lr=on?x=y",
      { scheme: "sip", host: "2001:db8::1", port: 5070, transport: null, loose: true }
    ]
  ])("%s is read", (text, uri) => {
    expect(HeaderValue.parseUri(text)).toEqual(uri)
  })

  it.each(["", "tel:+49", "sip:", "sip:a@", "sip:a b@c", "sip:a@b:0", "sip:a@b:65536", "sip:a@b>", 'sip:a@b;x="\r\n"'])(
    "%j is none",
    (text) => {
      expect(HeaderValue.parseUri(text)).toBeUndefined()
    }
  )
})

describe("a header value", () => {
  it.each([
    ['Q.850;cause=17;text="User busy"', 17],
    ["q.850 ; cause=127", 127],
    ["SIP;cause=486", null],
    ["Q.850", null],
    ["Q.850;cause=x", null]
  ])("Reason %s means %s", (text, cause) => {
    expect(Reasons.q850([text])).toBe(cause)
  })

  it.each([
    ["120", 120],
    ["18000;duration=3600", 18_000],
    ["120 (I'm in a meeting)", 120],
    ["soon", null],
    [undefined, null]
  ])("Retry-After %s means %s", (text, seconds) => {
    expect(HeaderValue.retryAfter(text)).toBe(seconds)
  })
})
