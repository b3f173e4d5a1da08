import { expect, it } from "vitest"
import { InstallationSecret } from "@watchword/send/pipeline"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Links from "../src/internal/telegramLogin/Links.ts"

const TOKEN = "0123456789ABCDEFGHJKM"

/** The links of a process that has some secrets of the installation. */
const withSecrets = (...secrets: ReadonlyArray<string>) => {
  const given = secrets.map((secret) => Redacted.make(secret.repeat(32)))
  return Effect.runSync(Effect.provideService(Links.make, InstallationSecret, given))
}
const run = Effect.runPromise

it("another process makes the same link of a state", async () => {
  const link = await run(withSecrets("a").of("live", TOKEN))
  expect(await run(withSecrets("a").by("live", link.state))).toEqual(link)
  // RFC 7636 §4.1: 43 to 128 of these characters.
  expect(link.verifier).toMatch(/^[A-Za-z0-9._~-]{43,128}$/)
  expect(new Set([link.nonce, link.verifier, link.state]).size).toBe(3)
})

it("a link from before the secret was replaced is known until the old secret is left out", async () => {
  const link = await run(withSecrets("a").of("live", TOKEN))
  expect(await run(withSecrets("b", "a").by("live", link.state))).toEqual(link)
  expect(await run(withSecrets("b").by("live", link.state))).toBeNull()
  expect((await run(withSecrets("b", "a").of("live", TOKEN))).state).not.toBe(link.state)
})

it("a link of one mode opens nothing in the other", async () => {
  const link = await run(withSecrets("a").of("sandbox", TOKEN))
  expect(await run(withSecrets("a").by("live", link.state))).toBeNull()
})

it("two processes without a secret know nothing of each other's links", async () => {
  const one = withSecrets()
  const link = await run(one.of("live", TOKEN))
  expect(await run(one.by("live", link.state))).toEqual(link)
  expect(await run(withSecrets().by("live", link.state))).toBeNull()
})
