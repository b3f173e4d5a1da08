import { it } from "@effect/vitest"
import { InstallationSecret } from "../src/pipeline/InstallationSecret.ts"
import * as Seals from "../src/pipeline/Seals.ts"
import { nextAccountId } from "@watchword/schemas/Ids"
import * as Settings from "@watchword/store/Settings"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { describe, expect } from "vitest"

const old = "0123456789abcdef0123456789abcdef"
const current = "fedcba9876543210fedcba9876543210"

/** On one store: what processes with some secrets do. */
const installation = () => {
  const store = Layer.succeed(Store, makeMemory())
  return <A, E>(secrets: ReadonlyArray<string>, effect: Effect.Effect<A, E, InstallationSecret | Settings.Settings>) =>
    effect.pipe(
      Effect.provide(Layer.provide(Settings.layer, store)),
      Effect.provideService(
        InstallationSecret,
        secrets.map((secret) => Redacted.make(secret))
      )
    )
}

const place = { owner: nextAccountId(0), name: "webhook:a" }
const seal = (text = "secret") => Effect.flatMap(Seals.make, (seals) => seals.seal(place, text))
const open = (sealed: Seals.Sealed, at = place) => Effect.flatMap(Seals.make, (seals) => seals.open(at, sealed))
const nothing = () => Effect.void

describe("a sealed part of a setting", () => {
  it.effect("opens at its own place, under its own secret, unchanged", () =>
    Effect.gen(function* () {
      const run = installation()
      const sealed = (yield* run([current], seal("grüße 1234"))) ?? { secret: "", text: "" }
      expect(JSON.stringify(sealed)).not.toContain("1234")
      expect(yield* run([current], open(sealed))).toBe("grüße 1234")
      expect(yield* run([old, current], open(sealed))).toBe("grüße 1234")
      const changed = sealed.text.slice(0, -2) + (sealed.text.endsWith("AA") ? "BA" : "AA")
      for (const attempt of [
        run([current], open(sealed, { ...place, name: "webhook:b" })),
        run([current], open(sealed, { ...place, owner: nextAccountId(0) })),
        run([current], open({ ...sealed, text: changed })),
        run([current], open({ ...sealed, text: "" })),
        run([old], open(sealed)),
        run([], open(sealed))
      ]) {
        expect(yield* Effect.flip(attempt)).toMatchObject({ _tag: "SERVICE_UNAVAILABLE" })
      }
    })
  )

  it.effect("is not made without a secret, and refused where another process has one", () =>
    Effect.gen(function* () {
      const run = installation()
      expect(yield* run([], seal())).toBeNull()
      yield* run([], Seals.renew(nothing))
      expect(yield* run([], seal())).toBeNull()
      yield* run([current], Seals.renew(nothing))
      expect(yield* Effect.flip(run([], seal()))).toMatchObject({ _tag: "SERVICE_UNAVAILABLE" })
      expect(yield* Effect.flip(run([old], seal()))).toMatchObject({ _tag: "SERVICE_UNAVAILABLE" })
    })
  )

  it.effect("is sealed under the secret that the servers use, whichever is first here", () =>
    Effect.gen(function* () {
      const run = installation()
      yield* run([old], Seals.renew(nothing))
      const sealed = (yield* run([current, old], seal())) ?? { secret: "", text: "" }
      expect(yield* run([old], open(sealed))).toBe("secret")
    })
  )

  it.effect("is renewed once after a secret is put first, and again where that was not completed", () =>
    Effect.gen(function* () {
      const run = installation()
      const renewals: Array<string> = []
      const renew = Seals.renew((id) => Effect.sync(() => void renewals.push(id)))
      yield* run([old], renew)
      yield* run([old], renew)
      yield* run([current, old], renew)
      yield* run([current], renew)
      expect(renewals).toHaveLength(2)
      yield* Effect.exit(
        run(
          [old],
          Seals.renew(() => Effect.die("killed"))
        )
      )
      yield* run([old], renew)
      expect(renewals).toEqual([renewals[0], renewals[1], renewals[0]])
    })
  )
})
