import { assert, describe, it } from "@effect/vitest"
import * as Bizchat from "@watchword/bizchat/Bizchat"
import { noKeys } from "@watchword/send/Claims"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { notOnPlatform } from "./platform.ts"
import { german, type Platform, withPlatform, sandboxed, principal, acme, body, page, message } from "./fixture.ts"

describe("records", () => {
  it.effect("are of one account and one mode", () =>
    sandboxed(
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const mine = yield* principal("sandbox")
        const { uuid } = yield* chat.send(mine, message(), noKeys)
        const strangers = [yield* principal("sandbox"), { ...mine, mode: "live" } as const]
        for (const stranger of strangers) {
          assert.strictEqual((yield* Effect.flip(chat.get(stranger, uuid)))._tag, "NOT_FOUND")
          const report = { uuid, status: "Failed" } as const
          assert.strictEqual((yield* Effect.flip(chat.report(stranger, report)))._tag, "NOT_FOUND")
          assert.strictEqual((yield* chat.list(stranger, page({}))).total, 0)
        }
        for (const id of ["", "nothing", "01KAJ3T8ZZ0000000000000000", uuid.replace(/.$/, "\0")]) {
          assert.strictEqual((yield* Effect.flip(chat.get(mine, id)))._tag, "NOT_FOUND")
        }
      })
    )
  )

  it.effect("keep the text only where the account asks for it", () =>
    withPlatform(() =>
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const store = yield* Store
        const archive = yield* acme({ storeText: true })
        const kept = yield* chat.send(
          archive,
          body({ to: german, text: "order 123456, code 918273", code: "918273" }),
          noKeys
        )
        assert.strictEqual((yield* chat.get(archive, kept.uuid)).text, "order 123456, code 918273")
        const discreet = yield* acme()
        const sent = yield* chat.send(
          discreet,
          body({ to: german, text: "order 123456, code 918273", code: "918273" }),
          noKeys
        )
        assert.notProperty(yield* chat.get(discreet, sent.uuid), "text")
        const drawer = { account: discreet.account.id, mode: discreet.mode, channel: "bizchat", id: sent.uuid } as const
        const stored = yield* store.find(drawer)
        assert.isTrue(Option.isSome(stored))
        assert.notInclude(JSON.stringify(stored), "918273")
      })
    )
  )

  /** Five records, ten seconds apart, each with another fate. */
  const five = Effect.fnUntraced(function* (platform: Platform) {
    const chat = yield* Bizchat.Bizchat
    const live = yield* acme({ storeText: true })
    const sent: Array<string> = []
    const fates = ["sent", "delivered", "read", "failed"] as const
    for (const [index, fate] of fates.entries()) {
      const { uuid } = yield* chat.send(live, message(`+491512345000${9 - index}`, `123456 for ${index}`), noKeys)
      sent.push(uuid)
      yield* platform.tell(`wamid.${uuid}`, fate, { errorCode: fate === "failed" ? 131026 : null })
      yield* TestClock.adjust("10 seconds")
    }
    platform.answers(() => ({ ...notOnPlatform(), details: { error_code: 7 } }))
    yield* Effect.flip(chat.send(live, message("+4915123450001", "123456 for 4"), noKeys))
    sent.push(platform.sent.at(-1)?.delivery ?? "")
    const listed = (given: unknown) =>
      Effect.map(chat.list(live, page(given)), ({ list }) => list.map(({ uuid }) => sent.indexOf(uuid)))
    return { chat, live, sent, listed }
  })

  it.effect("are listed newest first, in pages", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const { chat, listed, live } = yield* five(platform)
        assert.deepStrictEqual(yield* listed({}), [4, 3, 2, 1, 0])
        assert.deepStrictEqual(yield* listed({ page: 2, rows_per_page: 3 }), [1, 0])
        const { list, ...envelope } = yield* chat.list(live, page({ page: 9, rows_per_page: 2 }))
        assert.deepStrictEqual(
          [list, envelope],
          [[], { total: 5, total_pages: 3, has_next_page: false, has_previous_page: true }]
        )
      })
    )
  )

  it.effect("are filtered by any field", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const { listed, sent } = yield* five(platform)
        const filters: ReadonlyArray<readonly [filter: unknown, found: ReadonlyArray<number>]> = [
          [{ uuid: sent[2] }, [2]],
          [{ uuid: [sent[0], sent[4], "nothing"] }, [4, 0]],
          [{ to: "+4915123450008" }, [1]],
          [{ status: "FAILED" }, [4, 3]],
          [{ status: ["READ", "SENT"] }, [2, 0]],
          [{ created_at: { gte: "1970-01-01T00:00:10Z", lt: "1970-01-01T00:00:30Z" } }, [2, 1]],
          [{ error_code: 131026 }, [3]],
          [{ error_code: null }, [2, 1, 0]],
          [{ error_code: { gt: 7 } }, [3]],
          [{ price: 0.04 }, [4, 3, 2, 1, 0]],
          [{ price: { gt: 0.04 } }, []],
          [{ is_refunded: true }, [3]],
          [{ is_refunded: false, status: "FAILED" }, [4]],
          [{ text: "123456 for 1" }, [1]]
        ]
        for (const [filter, found] of filters)
          assert.deepStrictEqual([filter, yield* listed({ filter })], [filter, found])
      })
    )
  )

  it.effect("are sorted by any field", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const { listed } = yield* five(platform)
        const orders: ReadonlyArray<readonly [field: string, ascending: ReadonlyArray<number>]> = [
          ["uuid", [0, 1, 2, 3, 4]],
          ["to", [4, 3, 2, 1, 0]],
          ["status", [1, 3, 4, 2, 0]],
          ["created_at", [0, 1, 2, 3, 4]],
          ["error_code", [0, 1, 2, 4, 3]],
          ["price", [0, 1, 2, 3, 4]],
          ["is_refunded", [0, 1, 2, 4, 3]],
          ["text", [0, 1, 2, 3, 4]]
        ]
        for (const [sort_by, ascending] of orders) {
          assert.deepStrictEqual([sort_by, yield* listed({ sort_by, sort_direction: "ASC" })], [sort_by, ascending])
          assert.deepStrictEqual([sort_by, yield* listed({ sort_by })], [sort_by, ascending.toReversed()])
        }
      })
    )
  )

  it.effect.each([
    [{ sort_by: "password" }, "sort_by"],
    [{ sort_by: "details.failure" }, "sort_by"],
    [{ filter: { password: 1 } }, "filter.password"],
    [{ filter: { status: "delivered" } }, "filter.status"],
    [{ filter: { error_code: "131026" } }, "filter.error_code"],
    [{ filter: { is_refunded: 1 } }, "filter.is_refunded"],
    [{ filter: { created_at: "yesterday" } }, "filter.created_at"],
    [{ filter: { price: 0.0000001 } }, "filter.price"]
  ] as const)("cannot be listed by %j", ([given, path]) =>
    sandboxed(
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const error = yield* Effect.flip(chat.list(yield* principal("sandbox"), page(given)))
        assert.strictEqual(error._tag === "BAD_REQUEST" && error.issues?.[0]?.path, path)
      })
    )
  )
})
