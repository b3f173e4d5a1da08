import { nextDeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import { memory } from "@watchword/store/MemoryStore"
import { Store, about } from "@watchword/store/Store"
import { builtInChannels } from "watchword/Hosting"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { accountFor, opening } from "../../../test/stores/fixtures.ts"
import { endOf, make } from "../src/insight/traffic/Measures.ts"

const { formRows } = make([])

it("a verification counts in the row of each form that it has offered, and is approved in one of them", async () => {
  const counted = await Effect.runPromise(
    Effect.gen(function* () {
      const store = yield* Store
      const id = nextDeliveryId(Date.now())
      const account = yield* accountFor(0)
      const details = { receives: JSON.stringify({ sms: "+4930901820000", telegram_login: null }), attempts: "[]" }
      const status = { name: "pending", rank: 1 }
      const close = { outcome: "accepted", status, refs: [], details: {} } as const
      yield* store.open({ ...opening(account, { id, channel: "verify", details, status, price: zero }), close })
      const found = () =>
        store.find({ account, mode: "live", channel: "verify", id }).pipe(Effect.flatMap(Effect.fromOption))
      const before = yield* found()
      const approved = { name: "approved", rank: 2 }
      yield* store.report(about(id, Date.now(), { status: approved, details: { by: "sms", assurance: "network" } }))
      return { before: formRows(before), after: formRows(yield* found()), end: endOf(yield* found()) }
    }).pipe(Effect.provide(Layer.merge(memory(), builtInChannels)))
  )
  const rows = (all: ReturnType<typeof formRows>) => all.map(({ counts, key }) => [key.carrier, key.country, ...counts])
  expect(rows(counted.before)).toEqual([
    ["receive:sms", "DE", "sent"],
    ["receive:telegram_login", "DE", "sent"]
  ])
  expect(rows(counted.after)).toEqual([
    ["receive:sms", "DE", "sent", "approved"],
    ["receive:telegram_login", "DE", "sent"]
  ])
  expect(counted.end).toBeNull()
})
