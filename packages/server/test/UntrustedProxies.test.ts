/**
 * Requests that came through a proxy that no setting names: one warning, and a count.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { ask, createKey, openAccount, service } from "./fixture.ts"

describe("X-Forwarded-For", () => {
  const lines: Array<string> = []
  const logger = Logger.layer([Logger.make(({ message }) => void lines.push(JSON.stringify(message)))])

  const request = (remoteAddress: string, forwarded: boolean) =>
    Effect.gen(function* () {
      const { id } = yield* openAccount
      const headers = { "x-account-id": id, "x-api-key": yield* createKey(id) }
      const more = forwarded ? { "x-forwarded-for": "203.0.113.7" } : {}
      return yield* ask({ method: "GET", path: "/sandbox/phones", headers: { ...headers, ...more }, remoteAddress })
    })

  it.effect("of an address that is not trusted has one warning, which names a proxy and no customer", () =>
    Effect.gen(function* () {
      lines.length = 0
      yield* request("127.0.0.1", false)
      yield* request("10.1.2.3", true)
      expect(lines).toEqual([])
      for (const address of ["192.168.1.9", "192.168.1.10", "198.51.100.77", "198.51.100.78"]) {
        expect((yield* request(address, true)).status).toBe(200)
      }
      expect(lines).toHaveLength(2)
      expect(lines[0]).toContain("name its proxy in TRUSTED_PROXIES")
      expect(lines[0]).toContain("192.168.1.9")
      expect(lines[1]).toContain('"word":"public"')
      expect(lines.join()).not.toMatch(/198\.51|203\.0\.113/)
    }).pipe(Effect.provide([service({ trustedProxies: ["10.0.0.0/8"] }), logger]))
  )
})
