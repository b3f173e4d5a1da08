import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Miniflare } from "miniflare"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { cases } from "../../../test/verifications/races.ts"
import { start } from "./workerd.ts"

// The Worker runs them: here they are names.
const names = cases({
  store: () => Layer.effect(Store, Effect.die("runs in workerd")),
  hasOwnClock: true
}).map(({ name }) => name)

describe("verifications in D1, in workerd", () => {
  let worker: Miniflare
  beforeAll(async () => {
    worker = await start("verificationsWorker.ts")
  })
  afterAll(() => worker.dispose())

  it.each(names)("%s", async (name) => {
    const response = await worker.dispatchFetch("http://localhost/", { method: "POST", body: name })
    expect(await response.text()).toBe("")
  })
})
