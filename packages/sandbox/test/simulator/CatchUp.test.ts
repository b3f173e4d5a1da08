import { assert, it } from "@effect/vitest"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { logged } from "../../../../test/live.ts"
import * as CatchUp from "../../src/internal/simulator/CatchUp.ts"

const options = { product: "sms", statuses: ["sent"], within: "1 minute", resume: () => Effect.void } as const

it.effect("a first look for due events that fails is logged, and later ones follow", () =>
  Effect.gen(function* () {
    let looks = 0
    const memory = makeMemory()
    const store = Store.of({
      ...memory,
      manifest: { ...memory.manifest, cluster: true },
      abandoned: () =>
        Effect.suspend(() =>
          ++looks === 1
            ? Effect.fail(new StoreError({ reason: "Unavailable", message: "The database is away." }))
            : Effect.succeed([])
        )
    })
    const kept = Effect.andThen(CatchUp.keep(options), TestClock.adjust("1 hour"))
    const [, log] = yield* logged(Effect.scoped(Effect.provideService(kept, Store, store)))
    assert.isAbove(looks, 1)
    assert.include(log, "The database is away.")
  })
)
