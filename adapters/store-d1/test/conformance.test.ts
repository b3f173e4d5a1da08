import * as Conformance from "@watchword/store/conformance"
import { D1Store } from "@watchword/store-d1"
import type { Miniflare } from "miniflare"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { start } from "./workerd.ts"

const cases = Conformance.cases(D1Store.manifest)

describe("D1Store, in workerd", () => {
  let worker: Miniflare
  beforeAll(async () => {
    worker = await start("worker.ts")
  })
  afterAll(() => worker.dispose())

  const check = async (path: string, name: string) => {
    const response = await worker.dispatchFetch(`http://localhost${path}`, { method: "POST", body: name })
    expect(await response.text()).toBe("")
  }

  for (const { name } of cases) it(name, () => check("/", name))

  describe("over a connection that is lost now and then", () => {
    const histories = cases.filter(({ name }) => /^any (history|steps) .*\(seed [1-3]\)/.test(name))
    for (const { name } of histories) it(name, () => check("/unreliable", name))

    it("has histories to go through", () => expect(histories.length).toBe(6))
  })
})
