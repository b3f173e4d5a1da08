/**
 * Statuses that come from SIP.
 */
import { expect, it } from "vitest"
import { STATUS_HEADER } from "../Host.ts"
import { type Caller, expectEnvelope } from "./caller.ts"

export const calls = ({ host, post }: Caller): void => {
  it.each([
    ["0480", 480, "TEMPORARY_UNAVAILABLE"],
    ["0486", 486, "BUSY_HERE"]
  ] as const)("a call to …%s is answered %i", async (digits, status, code) => {
    expectEnvelope(await post("/call/flash", call(digits)), status, code)
  })

  it("lists of calls may be asked for without a body", async () => {
    const { status, text } = await post("/call/flash/cdr", undefined)
    expect([status, Array.isArray(JSON.parse(text).list)]).toEqual([200, true])
  })

  it("a call that is declined is answered 603 wherever that can be sent", async () => {
    const answer = await post("/call/flash", call("0603"))
    const sent = host().statusBeyond599
    expectEnvelope(answer, sent ? 603 : 486, "DECLINE")
    expect(answer.headers[STATUS_HEADER]).toBe(sent ? undefined : "603")
  })
}

const call = (digits: string): string => JSON.stringify({ callee: `+491512345${digits}`, caller: "+4930901820123" })
