import { assert, describe, it } from "@effect/vitest"
import * as Bizchat from "@watchword/bizchat/Bizchat"
import { BizchatGateway } from "@watchword/bizchat/BizchatGateway"
import * as WhatsApp from "@watchword/bizchat/whatsapp"
import { noKeys } from "@watchword/send/Claims"
import { standingNotices } from "@watchword/send/pipeline"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Fault, answer } from "../../../../test/provider.ts"
import { acme, entriesOf, layerOf, message, page } from "../fixture.ts"
import { logged } from "../../../../test/log.ts"
import { receive, signed } from "../whatsapp/notifications.ts"
import { type Change, type Row, rows } from "./Statuses.ts"
import { whatsAppApi } from "@watchword/sandbox/http"

const WAMID = "wamid.HBgN"

const answerOf = (status: string | null): Fault =>
  status === "lost"
    ? "drop"
    : answer(
        200,
        JSON.stringify({
          messaging_product: "whatsapp",
          messages: [{ id: WAMID, ...(status === null ? {} : { message_status: status }) }]
        })
      )

const notification = (change: Change, delivery: string) =>
  signed(
    JSON.stringify({ object: "whatsapp_business_account", entry: [{ id: "1", changes: [change] }] })
      .replaceAll("WAMID", WAMID)
      .replaceAll("DELIVERY", delivery)
  )

const entries: { readonly [P in Row["price"]]: ReadonlyArray<string> } = {
  held: ["hold"],
  settled: ["hold", "settle"],
  released: ["hold", "release"],
  refunded: ["hold", "settle", "refund"]
}

const severity = ["Debug", "Info", "Warn", "Error"]

/** The live gateway of a server that answers one message, and the channel on it. */
const started = Effect.fnUntraced(function* (row: Pick<Row, "answer">) {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => whatsAppApi()),
    (server) => Effect.promise(() => server.stop())
  )
  server.once(answerOf(row.answer))
  return yield* WhatsApp.make({
    token: "token",
    phoneNumberId: "1",
    appSecret: "secret",
    baseUrl: server.url(),
    template: { name: "otp", language: "en_US" }
  })
})

describe("WhatsApp's word of a message", () => {
  it.live.each(rows.map((row) => [row.name, row] as const))("%s", ([_name, row]) => {
    const { lines, logger } = logged()
    return Effect.gen(function* () {
      const gateway = yield* started(row)
      yield* Effect.provide(
        Effect.gen(function* () {
          const chat = yield* Bizchat.Bizchat
          const live = yield* acme()
          yield* Effect.exit(chat.send(live, message(), noKeys))
          const [record] = (yield* chat.list(live, page({}))).list
          assert(record !== undefined)
          // The platform repeats its notifications.
          for (const change of [...row.changes, ...row.changes]) {
            assert.strictEqual((yield* receive(gateway, notification(change, record.uuid))).status, 200)
          }
          const after = yield* chat.get(live, record.uuid)
          const isRefunded = row.price === "refunded" || (row.price === "released" && row.status === "FAILED")
          assert.deepInclude(after, { status: row.status, error_code: row.error, is_refunded: isRefunded })
          assert.deepStrictEqual(yield* entriesOf(live), entries[row.price])
          const levels = lines.map(({ level }) => severity.indexOf(level))
          assert.strictEqual(severity[Math.max(-1, ...levels)] ?? null, row.level)
          const [{ unrecognized = [] } = { unrecognized: [] }] = yield* gateway.health
          assert.deepStrictEqual(unrecognized.map(({ kind, word }) => `${kind} ${word}`).sort(), row.unrecognized)
          assert.lengthOf(yield* standingNotices, row.problems)
        }),
        layerOf({ layer: Layer.succeed(BizchatGateway, gateway) })
      )
    }).pipe(Effect.provide(logger))
  })

  it("has no two rows of one name", () => {
    assert.strictEqual(new Set(rows.map(({ name }) => name)).size, rows.length)
  })
})

describe("the line about a failed message", () => {
  it.live("has the code, the title and the details of the error", () => {
    const { lines, logger } = logged()
    return Effect.gen(function* () {
      const gateway = yield* started({ answer: "accepted" })
      const [change] = rows.find(({ name }) => name === "failed, outside the window, with details")?.changes ?? []
      assert(change !== undefined)
      yield* gateway.events(() => Effect.void)
      yield* receive(gateway, notification(change, "01JZ"))
      assert.deepStrictEqual(lines, [
        {
          level: "Error",
          text: "WhatsApp did not deliver a message: plain text was sent outside the 24-hour window; configure a template",
          annotations: {
            code: 131047,
            said: "Re-engagement message",
            details: "Message failed to send because more than 24 hours have passed"
          }
        }
      ])
    }).pipe(Effect.provide(logger))
  })
})
