import { assert, describe, it } from "@effect/vitest"
import { signCallback } from "@watchword/callback-signature"
import type { RequestStatus } from "@watchword/chatgw/ChatgwGateway"
import * as Telegram from "@watchword/chatgw/telegram"
import * as Effect from "effect/Effect"
import { rows } from "./Statuses.ts"

describe("a request of the Telegram Gateway", () => {
  it.live.each(rows.map((row) => [row.name, row] as const))("%s", ([_name, row]) =>
    Effect.gen(function* () {
      const gateway = yield* Telegram.make({ token: "token" })
      const events: Array<RequestStatus> = []
      yield* gateway.events((event) => Effect.sync(() => void events.push(event)))
      const body = JSON.stringify(row.body)
      const signed = yield* Effect.promise(() => signCallback(body, { accessToken: "token" }))
      const headers = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]))
      assert(gateway.webhook !== null)
      const rawBody = new TextEncoder().encode(body)
      const { status } = yield* gateway.webhook.handle({ method: "POST", query: {}, headers, rawBody })
      assert.strictEqual(status, row.isEvent ? 200 : 400)
      assert.deepStrictEqual(
        events.map(({ delivery, isRefunded, verification }) => [
          delivery?.status ?? null,
          verification?.status ?? null,
          isRefunded
        ]),
        row.isEvent ? [[row.delivery, row.verification, row.isRefunded]] : []
      )
      const [{ unrecognized = [] } = { unrecognized: [] }] = yield* gateway.health
      assert.deepStrictEqual(
        unrecognized.map(({ kind, word }) => `${kind} ${word}`),
        row.unrecognized
      )
    })
  )
})
