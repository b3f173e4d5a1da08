/** Which of Vonage's errors each error of the service is, and its document. */
import { entryOf, errors, isErrorCode } from "@watchword/schemas/Errors"
import { describe, expect, it } from "vitest"
import { failureResponse, problemOf, translations } from "../src/internal/Problems.ts"

const codes = Object.keys(errors).filter(isErrorCode)

describe("the table of errors", () => {
  it("has every code of the service, and every reason that a code has", () => {
    expect(Object.keys(translations)).toEqual(codes)
    for (const code of codes) {
      const reasons = Object.keys(entryOf(code).reasons ?? {})
      expect(Object.keys(translations[code].reasons).toSorted()).toEqual(reasons.toSorted())
    }
  })

  it("takes the reasons of a family alike", () => {
    expect(problemOf({ code: "TOO_MANY_REQUESTS", reason: "limit_number" })).toBe("throttled")
    expect(problemOf({ code: "CONFLICT", reason: "another" })).toBe("noRequest")
    expect(problemOf({ code: "UNHEARD_OF" })).toBe("internal")
  })
})

describe("a document", () => {
  const documentOf = (failure: Parameters<typeof failureResponse>[0]) => {
    const { body, headers, status } = failureResponse(failure, "instance", null)
    return { status, headers, body: typeof body === "string" ? JSON.parse(body) : null }
  }

  it("says how long to wait, which SDKs show no header of", () => {
    const reason = "resend_too_soon"
    expect(documentOf({ code: "TOO_MANY_REQUESTS", reason, message: "Too soon.", retryAfter: 7 })).toEqual({
      status: 429,
      headers: { "content-type": "application/problem+json", "cache-control": "no-store", "retry-after": "7" },
      body: {
        type: "https://developer.vonage.com/api-errors#throttled",
        title: "Rate Limit Hit",
        detail: "Too soon. Try again in 7 seconds.",
        instance: "instance"
      }
    })
  })

  it("has Vonage's words for a balance that is too small", () => {
    expect(documentOf({ code: "PAYMENT_REQUIRED", message: "The balance is smaller than the price." })).toMatchObject({
      status: 402,
      body: { type: "https://developer.vonage.com/api-errors#low-balance", title: "Low balance" }
    })
  })
})
