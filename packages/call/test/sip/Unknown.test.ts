import { Headers } from "../../src/internal/sip/Headers.ts"
import { unknownIn } from "../../src/internal/sip/Unknown.ts"
import { describe, expect, it } from "vitest"

/** The noted words of a response, by kind. */
const noted = (status: number, ...lines: ReadonlyArray<string>) =>
  unknownIn({
    _tag: "Response",
    status,
    phrase: "",
    headers: new Headers(lines),
    via: "",
    callId: "",
    branch: "",
    cseq: { number: 1, method: "INVITE" }
  }).map(({ kind, said }) => `${kind} ${said.word}`)

describe("of a response there is noted", () => {
  it("a status that has no meaning here", () => {
    expect([150, 498, 608, 183, 200, 222, 302, 486].map((status) => noted(status))).toEqual([
      ["sip_status 150"],
      ["sip_status 498"],
      ...Array.from({ length: 6 }, () => [])
    ])
  })

  it("a reason that is not read", () => {
    const reasons = [
      "Q.850;cause=200",
      "Q.850;cause=17",
      "ACME-2;cause=1",
      "-ACME;cause=1",
      "b@d;cause=1",
      "SIP;cause=486"
    ]
    expect(noted(486, ...reasons.map((reason) => `Reason: ${reason}`))).toEqual([
      "sip_reason Q.850/200",
      "sip_reason ACME-2",
      "sip_reason malformed",
      "sip_reason malformed"
    ])
  })

  it("a warning", () => {
    expect(noted(488, 'Warning: 399 host "no"', "Warning: none")).toEqual(["sip_warning 399", "sip_warning no code"])
  })
})
