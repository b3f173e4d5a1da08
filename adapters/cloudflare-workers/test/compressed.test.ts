import { Miniflare } from "miniflare"
import { expect, it } from "vitest"
import { bundle } from "./workerd.ts"

it("a body that is compressed already leaves a Worker as it is", async () => {
  const worker = new Miniflare({
    modules: true,
    script: await bundle("compressedWorker.ts"),
    compatibilityDate: "2026-07-01",
    host: "127.0.0.1",
    cf: false,
    telemetry: { enabled: false }
  })
  try {
    const response = await fetch(await worker.ready, { headers: { "accept-encoding": "gzip" } })
    expect([response.headers.get("content-encoding"), await response.text()]).toEqual(["gzip", "a page"])
  } finally {
    await worker.dispose()
  }
})
