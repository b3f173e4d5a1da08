import { it } from "@effect/vitest"
import type { Seals } from "@watchword/send/pipeline"
import { nextAccountId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { newSecret } from "../src/internal/Endpoint.ts"
import * as Secrets from "../src/internal/Secrets.ts"

const secrets = [{ secret: newSecret(), until: null }]

const sealedEndpoint = (text: string) => ({
  url: "https://a.example/",
  events: ["*" as const],
  secrets: [],
  sealed: { secret: "id", text },
  created_at: 0
})

/** Seals that record which texts are opened, and where. */
const noting = () => {
  const opened: Array<string> = []
  const seals: Seals = {
    seal: () => Effect.succeed(null),
    open: ({ name, owner }, { text }) =>
      Effect.sync(() => {
        opened.push(`${owner} ${name} ${text}`)
        return JSON.stringify(secrets)
      })
  }
  return { opened, secretsOf: Secrets.opening(seals) }
}

describe("the secrets of a webhook", () => {
  it.effect("are opened once for a value of its setting, and again for another one", () => {
    const { opened, secretsOf } = noting()
    const [first, rotated] = [sealedEndpoint("first"), sealedEndpoint("rotated")]
    return Effect.gen(function* () {
      for (const endpoint of [first, first, rotated, first]) {
        expect(yield* secretsOf(null, "whk_1", endpoint)).toEqual(secrets)
      }
      expect(opened).toEqual(["null webhook:whk_1 first", "null webhook:whk_1 rotated"])
    })
  })

  it.effect("are opened again where another setting has the same value", () => {
    const { opened, secretsOf } = noting()
    const endpoint = sealedEndpoint("same")
    const account = nextAccountId(0)
    return Effect.gen(function* () {
      yield* secretsOf(null, "whk_1", endpoint)
      yield* secretsOf(null, "whk_2", endpoint)
      yield* secretsOf(account, "whk_2", endpoint)
      expect(opened).toHaveLength(3)
    })
  })
})
