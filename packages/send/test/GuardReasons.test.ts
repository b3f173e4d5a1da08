import { SPEND, limitOf, refusalOf } from "../src/pipeline/GuardReasons.ts"
import { expect, it } from "vitest"

it("a refusal says whether sends were too many, or cost too much", () => {
  const wait = { retryAfter: 60 }
  expect(refusalOf(limitOf("number"), wait)).toMatchObject({
    _tag: "TOO_MANY_REQUESTS",
    message: "Too many sends; try again later.",
    reason: "limit_number",
    retryAfter: 60
  })
  expect(refusalOf(SPEND, wait).message).toBe("The account's sends in this period cost too much.")
  expect(refusalOf("country_not_allowed", wait)).toMatchObject({ _tag: "FORBIDDEN", reason: "country_not_allowed" })
})
