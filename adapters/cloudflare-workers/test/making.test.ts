import { watchword } from "@watchword/cloudflare-workers"
import { makeMemory, memory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import { type D1Database, d1 } from "@watchword/store-d1"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"

const request = () => new Request("http://localhost/sms", { method: "POST" })

const execution = () => {
  const promises: Array<Promise<unknown>> = []
  return { promises, waitUntil: (promise: Promise<unknown>) => void promises.push(promise) }
}

describe("the services of a Worker", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("are made without a word to the database, and do nothing by themselves", async () => {
    const asked: Array<string> = []
    const DB: D1Database = {
      prepare: (sql) => {
        asked.push(sql)
        throw new Error("not now")
      },
      batch: () => Promise.reject(new Error("not now"))
    }
    const { promises, waitUntil } = execution()
    const worker = watchword((env: { readonly DB: D1Database }) => ({ store: d1(env.DB) }))
    const { status } = await worker.fetch(request(), { DB }, { waitUntil })
    expect([status, asked, vi.getTimerCount()]).toEqual([401, [], 0])
    await Promise.all(promises)
    expect(promises).toHaveLength(1)
  })

  it("are made once for an environment", async () => {
    const seen: Array<object> = []
    const worker = watchword((env: object) => {
      seen.push(env)
      return { store: memory() }
    })
    const [one, other] = [{}, {}]
    for (const env of [one, one, other, one]) await worker.fetch(request(), env, execution())
    expect(seen).toEqual([one, other])
  })

  it("may not wait for anything", () => {
    const slow = Layer.effect(Store, Effect.delay(Effect.sync(makeMemory), "1 second"))
    const worker = watchword(() => ({ store: slow }))
    expect(() => worker.service({}, execution())).toThrow("no layer among its options may wait")
  })
})
