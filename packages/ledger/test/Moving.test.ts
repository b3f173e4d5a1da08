import { assert, it } from "@effect/vitest"
import { ARRIVING, mayCredit, notUnderWay } from "@watchword/ledger/Accounts"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import { memory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const layer = Layer.mergeAll(Ledger.layer, Accounts.layer).pipe(Layer.provideMerge(memory()))

it.effect("a copy whose move has not ended takes no operator's word, and names where to go on", () =>
  Effect.gen(function* () {
    const { changeSetting } = yield* Store
    const { id } = yield* Effect.flatMap(Accounts.Accounts, (accounts) => accounts.create({}))
    yield* changeSetting({ account: id, name: "other", value: "true" })
    yield* notUnderWay(id)
    yield* changeSetting({ account: id, name: ARRIVING, value: "true" })
    for (const asked of [notUnderWay(id), mayCredit(id)]) {
      const refused = yield* Effect.flip(asked)
      assert.include(refused.message, `Account ${id} is being moved here`)
      assert.propertyVal(refused, "reason", "move_under_way")
    }
    yield* changeSetting({ account: id, name: ARRIVING, value: null })
    yield* notUnderWay(id)
  }).pipe(Effect.provide(layer))
)
