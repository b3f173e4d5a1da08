/**
 * Whatever a client may send: the service always answers, and always in its own form.
 */
import type { ErrorCode } from "@watchword/schemas/Errors"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { type Caller, expectEnvelope, expectForeign } from "./caller.ts"

const REFUSALS: ReadonlyArray<readonly [status: number, code: ErrorCode]> = [
  [400, "BAD_REQUEST"],
  [401, "UNAUTHORIZED"],
  [403, "FORBIDDEN"],
  [404, "NOT_FOUND"]
]

/** What a host answers that does not hand everything over. */
const FOREIGN = [204, 400, 404, 413, 414, 415]

export const anything = ({ target, host, ask }: Caller): void => {
  it("answers whatever comes with an envelope and never fails", async () => {
    const { undecodablePaths, everyPath, everyMethod, rawBodies } = host()
    const limited = !(undecodablePaths && everyPath && everyMethod && rawBodies)
    const header = fc.stringMatching(/^[\x20-\x7e]{0,40}$/)
    const anything = fc.record({
      method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"),
      path: fc.oneof(
        fc.constantFrom("/sms", "/sms/sdr", "/sms/webhook", "/sms/x/sdr"),
        fc.stringMatching(/^\/[!-~]{0,60}$/).filter((path) => !path.includes("#"))
      ),
      headers: fc.record(
        {
          "x-api-key": fc.oneof({ weight: 9, arbitrary: fc.constant("KEY") }, header),
          "x-account-id": fc.oneof({ weight: 9, arbitrary: fc.constant("ACCOUNT") }, header),
          "x-request-id": fc.oneof(fc.uuid(), header),
          "idempotency-key": header,
          "x-forwarded-for": header,
          "content-type": fc.oneof(fc.constant("application/json"), header),
          "content-encoding": header,
          cookie: header
        },
        { requiredKeys: ["x-api-key", "x-account-id"] }
      ),
      body: fc.option(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.uint8Array({ maxLength: 200 }),
          fc
            .record({ to: fc.jsonValue(), text: fc.jsonValue(), id: fc.jsonValue() })
            .map((value) => JSON.stringify(value))
        ),
        { nil: undefined }
      )
    })
    await fc.assert(
      fc.asyncProperty(anything, async ({ method, path, headers, body }) => {
        const known = Object.fromEntries(
          Object.entries(headers).map(([header, value]) => [
            header,
            value === "KEY" ? target().key : value === "ACCOUNT" ? target().account : String(value)
          ])
        )
        const answer = await ask({ method, path, headers: known, ...(body === undefined ? {} : { body }) })
        if (answer.status === 200) return
        if (limited && answer.headers["x-request-id"] === undefined) return expectForeign(answer, FOREIGN)
        const refusal = REFUSALS.find(([status]) => status === answer.status)
        expect(refusal, `${answer.status} ${answer.text}`).toBeDefined()
        if (refusal !== undefined) expectEnvelope(answer, ...refusal)
      }),
      { numRuns: 150 }
    )
  })
}
