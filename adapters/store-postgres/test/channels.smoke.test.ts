/**
 * Early receipts, in one batch, for every product that Watchword knows and for an unknown product.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { Store } from "@watchword/store/Store"
import { PostgresStore } from "@watchword/store-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type PostgresServer, start } from "../../../test/PostgresServer.ts"
import { accountFor, atOnce, closing, ending, expectSound, opening, receipt } from "./fixtures.ts"

let server: PostgresServer

beforeAll(async () => {
  server = await start()
})

afterAll(() => server.stop())

const entries: ReadonlyArray<ChannelRegistry.ChannelEntry> = [
  ...ChannelRegistry.builtIn,
  { name: "voice", products: [{ name: "voice", number: 127, listedBy: "statusAt" }] }
]
const registry = ChannelRegistry.make(entries)

describe.each(registry.products.map(({ name }) => name))("receipts that come early: %s", (channel) => {
  const run = (schema: string, program: Effect.Effect<void, unknown, Store>) =>
    program.pipe(
      Effect.provide(Layer.provide(PostgresStore.layer({ url: server.url, schema }), ChannelRegistry.layer(entries))),
      Effect.runPromise
    )

  const early = (ref: string) =>
    receipt(ref, { target: { _tag: "Part", channel, refs: [ref], message: { to: null, reference: null } } })

  it("are applied by closes, and by opens that close, of one batch", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(20)
      const opened = Array.from({ length: 10 }, () => opening(account, { channel }))
      yield* Effect.forEach(opened, (request) => store.open(request), { concurrency: "unbounded" })
      const refs = Array.from({ length: 20 }, (_, index) => `${channel} ${index}`)
      const kept = yield* Effect.forEach(refs, (ref) => store.report(early(ref)), { concurrency: "unbounded" })
      expect(kept.map(({ _tag }) => _tag)).toEqual(refs.map(() => "Unmatched"))
      const others = Array.from({ length: 10 }, () => opening(account, { channel }))
      yield* atOnce(20, (index) => {
        const [request, other] = [opened[index], others[index - 10]]
        const ref = refs[index] ?? ""
        if (other !== undefined) return Effect.asVoid(store.open({ ...other, close: ending("accepted", ref) }))
        return request === undefined
          ? Effect.void
          : Effect.asVoid(store.close(closing(request.delivery.id, { refs: [ref] })))
      })
      for (const { delivery } of [...opened, ...others]) {
        const { status } = Option.getOrThrow(yield* store.find(delivery))
        expect([delivery.id, status.name]).toEqual([delivery.id, "delivered"])
      }
      const { rows, total } = yield* store.list({
        account,
        mode: "live",
        channel,
        where: [{ _tag: "In", field: "status", values: ["delivered"] }],
        sort: { field: registry.listedBy(channel), direction: "DESC" },
        offset: 5,
        limit: 10
      })
      expect([total, rows.length]).toEqual([20, 10])
      yield* expectSound(server.url, channel, ChannelRegistry.layer(entries))
    })
    await run(channel, program)
  })
})
