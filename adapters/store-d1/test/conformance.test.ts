import { cases } from "@watchword/store/conformance"
import { D1Store } from "@watchword/store-d1"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Miniflare } from "miniflare"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { start } from "./workerd.ts"

// A step takes D1 ten times as long as other stores: two random histories of a kind do, unless EVERY_SEED asks for all.
const isTooMuch = (name: string) => process.env["EVERY_SEED"] === undefined && /\(seed [3-9]\)$/.test(name)

// The Worker runs them: here they are names.
const names = cases({
  manifest: D1Store.manifest,
  store: () => Layer.effect(Store, Effect.die("runs in workerd"))
})
  .map(({ name }) => name)
  .filter((name) => !isTooMuch(name))

describe("D1Store, in workerd", () => {
  let worker: Miniflare
  beforeAll(async () => {
    worker = await start("worker.ts")
  })
  afterAll(() => worker.dispose())

  /** Runs a case in the Worker, and resolves to what failed. */
  const failureOf = async (path: string, name: string) => {
    const response = await worker.dispatchFetch(`http://localhost${path}`, { method: "POST", body: name })
    return response.text()
  }

  for (const name of names) it(name, async () => expect(await failureOf("/", name)).toBe(""))

  describe("over a connection that is lost now and then", () => {
    const histories = names.filter((name) => /^any (history|steps) .*\(seed [1-2]\)/.test(name))
    for (const name of histories) it(name, async () => expect(await failureOf("/unreliable", name)).toBe(""))

    it("has histories to go through", () => expect(histories.length).toBe(4))
  })
})
