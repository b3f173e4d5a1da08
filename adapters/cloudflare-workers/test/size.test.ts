import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { bundle } from "./workerd.ts"

it("a Worker with all channels, both chat gateways and D1 is smaller than 325 KB gzipped", async () => {
  const code = await bundle("chats.ts")
  expect(code).toContain("gatewayapi.telegram.org")
  expect(code).toContain("graph.facebook.com")
  expect(gzipSync(code, { level: 9 }).byteLength).toBeLessThan(325 * 1024)
})
