/**
 * The client in a page of Chromium.
 */
import type { RequestListener } from "node:http"
import { expect, it } from "vitest"
import { visit } from "../../../test/browser.ts"

it("runs in Chromium, with sandbox keys alone", async () => {
  const keys: Array<unknown> = []
  const followed: Array<unknown> = []
  const service: RequestListener = (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    switch (request.url) {
      case "/v1/sms":
        keys.push(request.headers["idempotency-key"])
        return keys.length === 1
          ? answer(503, { error: "SERVICE_UNAVAILABLE", message: "The service is stopping." })
          : answer(200, { messageId: "m" })
      case "/v1/call/flash":
        return answer(486, { error: "DECLINE", message: "The recipient declined the call." })
      case "/v1/sms/elsewhere/sdr":
        return response.writeHead(307, { location: "/followed" }).end()
      case "/followed":
        followed.push(request.headers["x-api-key"])
        return answer(200, {})
      default: // No answer, until the page gives up.
        return response
    }
  }
  expect(JSON.parse(await visit(new URL("page.ts", import.meta.url), service))).toEqual({
    browser: expect.stringMatching(/Chrome\/\d+/),
    live: expect.stringMatching(/^TypeError: apiKey must not be a live key in a browser/),
    sent: { messageId: "m" },
    declined: ["DECLINE", 603],
    redirected: ["UNEXPECTED_ANSWER", 0],
    late: ["TIMED_OUT", null],
    elsewhere: ["CONNECTION_FAILED", null]
  })
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]])
  expect(followed).toEqual([])
})
