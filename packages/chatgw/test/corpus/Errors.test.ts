import { assert, describe, it } from "@effect/vitest"
import * as Telegram from "@watchword/chatgw/telegram"
import * as Effect from "effect/Effect"
import { logged } from "../../../../test/log.ts"
import { messageTo } from "../message.ts"
import { type Row, rows } from "./Errors.ts"
import { telegramApi, telegramError } from "@watchword/sandbox/http"

const nameOf = ({ error, status }: Row): string => `${error} with ${status}`

describe("an error of the Telegram Gateway", () => {
  it.live.each(rows.map((row) => [nameOf(row), row] as const))("%s", ([_name, row]) => {
    const { lines, logger } = logged()
    return Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => telegramApi()),
        (server) => Effect.promise(() => server.stop())
      )
      const make = Telegram.make({ token: "token", baseUrl: server.url() })
      const gateway = yield* make
      server.once(telegramError(row.error, row.status))
      const outcome = yield* gateway.send(messageTo("6789"))
      assert.strictEqual(outcome._tag, row.price === "held" ? "Unknown" : "Rejected")
      assert("failure" in outcome)
      assert.strictEqual(outcome.failure._tag, row.answered)
      assert.strictEqual(lines.find(({ level }) => level === "Error")?.level ?? null, row.level)
      assert.notInclude(JSON.stringify(lines), "123456")
      const [{ unrecognized = [] } = { unrecognized: [] }] = yield* gateway.health
      assert.lengthOf(unrecognized, row.isUnknown ? 1 : 0)
      assert.strictEqual((yield* gateway.send(messageTo("6789")))._tag, row.rests ? "Rejected" : "Accepted")
      assert.lengthOf(server.calls, row.rests ? 1 : 2)

      const other = yield* make
      server.once(telegramError(row.error, row.status))
      assert.strictEqual((yield* other.checkSendAbility(messageTo("6789").to))._tag, row.probe)
    }).pipe(Effect.provide(logger))
  })

  it("stands once with each status", () => {
    assert.strictEqual(new Set(rows.map(nameOf)).size, rows.length)
  })
})
