import { assert, it } from "@effect/vitest"
import { makeMemory } from "@watchword/store/MemoryStore"
import { state } from "@watchword/store/Setting"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { someAccount } from "../../../test/accounts.ts"

const seen = state("seen", Schema.Struct({ until: Schema.Int }))

it.effect("state is of one owner, and is not there where it cannot be read", () =>
  Effect.gen(function* () {
    const store = makeMemory()
    const account = someAccount()
    yield* store.createAccount(account)
    yield* seen.write(store, account.id, { until: 7 })
    assert.deepStrictEqual(yield* seen.read(store, account.id), { until: 7 })
    assert.isNull(yield* seen.read(store, null))
    yield* store.changeSetting({ account: account.id, name: "seen", value: '"of a later program"' })
    assert.isNull(yield* seen.read(store, account.id))
  })
)
