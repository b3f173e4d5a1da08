/**
 * The client as one module: its size, and its behaviour in workerd.
 */
import { Miniflare } from "miniflare"
import { createServer } from "node:http"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { expect, it, onTestFinished } from "vitest"

const bundle = async (input: URL) => {
  const build = await rolldown({ input: fileURLToPath(input), platform: "neutral", logLevel: "silent" })
  const { output } = await build.generate({ format: "esm", minify: true })
  await build.close()
  return { code: output[0].code, imports: output[0].imports }
}

it("is at most 6 KB gzipped, and imports nothing", async () => {
  const { code, imports } = await bundle(new URL("../src/index.ts", import.meta.url))
  expect(code).toContain("idempotency-key")
  expect(imports).toEqual([])
  expect(gzipSync(code, { level: 9 }).byteLength).toBeLessThanOrEqual(6 * 1024)
})

/** A service that declines the first request, cuts off the second, and accepts later requests. */
const serve = async () => {
  const keys: Array<unknown> = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      keys.push(request.headers["idempotency-key"])
      if (keys.length === 1) {
        response.writeHead(486, { "content-type": "application/json", "x-status": "603" })
        return response.end(JSON.stringify({ error: "DECLINE", message: "The recipient declined the call." }))
      }
      if (keys.length === 2) return request.socket.destroy()
      response.writeHead(200, { "content-type": "application/json" })
      return response.end(JSON.stringify({ uuid: "u", caller: "+4930901820123", ...JSON.parse(body) }))
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server has no address")
  return { baseUrl: `http://127.0.0.1:${address.port}/v1`, keys }
}

it("runs in workerd: errors, repeats, time limits", async () => {
  const { code } = await bundle(new URL("worker.ts", import.meta.url))
  const { baseUrl, keys } = await serve()
  const worker = new Miniflare({
    modules: true,
    script: code,
    compatibilityDate: "2026-07-01",
    host: "127.0.0.1",
    cf: false,
    telemetry: { enabled: false },
    bindings: { BASE_URL: baseUrl }
  })
  onTestFinished(() => worker.dispose())
  const response = await worker.dispatchFetch("http://localhost/")
  expect(await response.json()).toEqual({
    declined: { code: "DECLINE", status: 603 },
    called: { uuid: "u", caller: "+4930901820123", callee: "+4915123456789" },
    late: "TIMED_OUT",
    redirected: "UNEXPECTED_ANSWER"
  })
  expect(keys).toEqual([expect.any(String), expect.any(String), keys[1]])
  expect(keys[0]).not.toBe(keys[1])
})
