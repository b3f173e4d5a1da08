import { signCallback } from "@watchword/callback-signature"
import { Miniflare } from "miniflare"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { cases } from "./cases.ts"

/** A single module with everything in it, and its external imports. */
const bundle = async (input: URL, platform: "neutral" | "node" = "neutral") => {
  const build = await rolldown({ input: fileURLToPath(input), platform, logLevel: "silent" })
  const { output } = await build.generate({ format: "esm", minify: true })
  await build.close()
  return { code: output[0].code, imports: output[0].imports }
}

describe("the built package", () => {
  it("is smaller than 1.4 KB gzipped and imports nothing", async () => {
    const { code, imports } = await bundle(new URL("../src/index.ts", import.meta.url))
    expect(code).toContain("INVALID_SIGNATURE")
    expect(imports).toEqual([])
    expect(gzipSync(code, { level: 9 }).byteLength).toBeLessThan(1400)
  })

  it("computes with Node's cryptography where it is built for Node", async () => {
    const { code, imports } = await bundle(new URL("../src/index.ts", import.meta.url), "node")
    expect(imports).toContain("node:crypto")
    expect(code).not.toContain("subtle")
  })
})

describe("in workerd", () => {
  let worker: Miniflare
  beforeAll(async () => {
    const { code } = await bundle(new URL("worker.ts", import.meta.url))
    worker = new Miniflare({
      modules: true,
      script: code,
      compatibilityDate: "2026-07-01",
      host: "127.0.0.1",
      cf: false,
      telemetry: { enabled: false }
    })
    await worker.ready
  })
  afterAll(() => worker.dispose())

  it.each(cases)("gives the right answer to $name", async (one) => {
    const response = await worker.dispatchFetch("http://localhost/case", { method: "POST", body: JSON.stringify(one) })
    expect(await response.json()).toEqual(one.expected)
  })

  it("verifies callbacks that come at the same time", async () => {
    const body = '{"request_id":"abc"}'
    const post = async (accessToken: string) => {
      const headers = await signCallback(body, { accessToken })
      const response = await worker.dispatchFetch("http://localhost/callback", { method: "POST", body, headers })
      return `${response.status} ${await response.text()}`
    }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => post(index % 2 ? "OTHER" : "TEST_TOKEN"))
    )
    expect(answers).toEqual(answers.map((_, index) => (index % 2 ? "401 INVALID_SIGNATURE" : "200 abc")))
  })
})
