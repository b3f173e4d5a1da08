import { assert, describe, it } from "@effect/vitest"
import type { TextMessage } from "@watchword/bizchat/BizchatGateway"
import * as WhatsApp from "@watchword/bizchat/whatsapp"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { answer } from "../../../../test/provider.ts"
import { logged } from "../../../../test/log.ts"
import { messageTo } from "../message.ts"
import { errorCodes } from "../../src/internal/whatsapp/ErrorCodes.ts"
import { type Row, rows } from "./Errors.ts"
import { whatsAppApi } from "@watchword/sandbox/http"

const nameOf = ({ body, status }: Row): string =>
  typeof body === "string" ? `status ${status} and a page` : `${status} ${body.message}`

const faultOf = ({ body, status }: Row) => {
  if (typeof body === "string") return answer(status, body, { "content-type": "text/html" })
  const { code, details, message } = body
  const data = details === undefined ? {} : { error_data: { messaging_product: "whatsapp", details } }
  return answer(status, JSON.stringify({ error: { message, type: "OAuthException", code, ...data, fbtrace_id: "A1" } }))
}

describe("an error of WhatsApp", () => {
  it.live.each(rows.map((row) => [nameOf(row), row] as const))("%s", ([_name, row]) => {
    const { lines, logger } = logged()
    return Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => whatsAppApi()),
        (server) => Effect.promise(() => server.stop())
      )
      const gateway = yield* WhatsApp.make({ token: "token", phoneNumberId: "1", baseUrl: server.url() })
      const send = (more: Partial<TextMessage> = {}) => gateway.send(messageTo("6789", more))
      server.once(faultOf(row))
      const outcome = yield* send()
      assert.strictEqual(outcome._tag, row.price === "held" ? "Unknown" : "Rejected")
      assert("failure" in outcome)
      assert.strictEqual(outcome.failure._tag, row.answered)
      const code = typeof row.body === "string" ? null : row.body.code
      assert.deepStrictEqual(outcome.details, row.price === "held" ? {} : { error_code: code })
      assert.strictEqual((yield* send())._tag, row.rests ? "Rejected" : "Accepted")
      assert.lengthOf(server.calls, row.rests ? 1 : 2)

      const line = lines.find(({ text }) => !text.includes("table of errors"))
      assert.strictEqual(line?.level ?? null, row.level)
      if (typeof row.body !== "string" && line !== undefined) {
        assert.strictEqual(line.annotations["code"], code)
        assert.strictEqual(line.annotations["said"], row.body.message)
        assert.strictEqual(line.annotations["details"], row.body.details)
      }
      const [{ unrecognized = [] } = { unrecognized: [] }] = yield* gateway.health
      assert.deepStrictEqual(
        unrecognized.map(({ kind, word }) => `${kind} ${word}`),
        row.isUnknown ? [`error_code ${code}`] : []
      )
    }).pipe(Effect.provide(logger))
  })

  it("has a row for each code that is known, and none twice with a status", () => {
    const codes = rows.flatMap(({ body }) => (typeof body === "string" ? [] : [body.code]))
    for (const { code } of errorCodes) assert.include(codes, code)
    assert.strictEqual(new Set(rows.map(nameOf)).size, rows.length)
  })

  it("is one of a table that has each code once", () => {
    assert.strictEqual(new Set(errorCodes.map(({ code }) => code)).size, errorCodes.length)
  })
})

describe("a line of the log about an error", () => {
  it.live("is printable and cut off, and has neither the code nor the text nor a phone number", () => {
    const { lines, logger } = logged()
    return Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => whatsAppApi()),
        (server) => Effect.promise(() => server.stop())
      )
      const gateway = yield* WhatsApp.make({ token: "token", phoneNumberId: "1", baseUrl: server.url() })
      const details = `AB-12 to +49 151 23456789 \u0007\u202e${"x".repeat(1000)}`
      server.once(
        answer(
          400,
          JSON.stringify({ error: { message: "(#131009) Your code is 864209", code: 131009, error_data: { details } } })
        )
      )
      yield* gateway.send(messageTo("6789", { code: Redacted.make("AB-12") }))
      assert.lengthOf(lines, 1)
      const written = JSON.stringify(lines)
      assert.notMatch(written, /AB-12|864209|23456789|\\u0007|\u202e/)
      assert.isBelow(String(lines[0]?.annotations["details"]).length, 201)
    }).pipe(Effect.provide(logger))
  })
})
