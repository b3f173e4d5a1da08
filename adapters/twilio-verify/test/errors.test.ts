/** The table of errors against the errors of the service. */
import { type ErrorCode, errors } from "@watchword/schemas/Errors"
import { describe, expect, it } from "vitest"
import { statuses } from "../src/internal/Answers.ts"
import { refusalOf, table } from "../src/internal/Errors.ts"

const codes = Object.keys(table).filter((code): code is ErrorCode => Object.hasOwn(errors, code))

const reasonsOf = (code: ErrorCode): ReadonlyArray<string> => {
  const entry = errors[code]
  return "reasons" in entry ? Object.keys(entry.reasons) : []
}

describe("the table of errors", () => {
  it("has every code of the service", () => {
    expect([...codes].sort()).toEqual(Object.keys(errors).sort())
  })

  it.each(codes)("has every reason of %s, and no other", (code) => {
    const own = Object.keys(table[code].reasons ?? {}).filter((reason) => reason !== "limit_number")
    expect([...own].sort()).toEqual([...reasonsOf(code)].sort())
  })

  it.each(codes.flatMap((code) => ["", ...reasonsOf(code)].map((reason) => [code, reason] as const)))(
    "answers %s %s with a code that has a status",
    (code, reason) => {
      const refusal = refusalOf({ code, reason, message: "no.", retryAfter: undefined, issues: [] })
      expect(Object.keys(statuses)).toContain(String(refusal.code))
      expect(refusal.message).not.toBe("")
    }
  )

  it("counts limits of guards, whatever their names, as programmable limits", () => {
    const refusal = (reason: string) =>
      refusalOf({ code: "TOO_MANY_REQUESTS", reason, message: "no.", retryAfter: 7, issues: [] }).code
    expect(refusal("limit_session")).toBe(20429)
    expect(refusal("limit_number")).toBe(60203)
  })

  it("names the parameter of a wrong value, and a channel that there is not", () => {
    const of = (path: string) =>
      refusalOf({
        code: "BAD_REQUEST",
        message: "wrong",
        retryAfter: undefined,
        issues: [{ path, message: "must be right" }]
      })
    expect(of("to")).toMatchObject({ code: 60200, message: "Invalid parameter: To must be right." })
    expect(of("metadata.plan")).toMatchObject({ code: 60200, message: "Invalid parameter: Tags must be right." })
    expect(of("workflow[0].channel")).toMatchObject({ code: 60223 })
  })
})
