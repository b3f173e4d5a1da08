import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import { account, otherAccount, refused, setUp, test, withChecksum } from "./fixture.ts"

/** The reasons that a program logs at debug level, without the warning for the first refusal of each reason. */
const reasonsOf = <A, E, R>(program: Effect.Effect<A, E, R>) => {
  const reasons: Array<unknown> = []
  const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
    if (logLevel === "Debug") reasons.push(message)
  })
  return program.pipe(
    Effect.provideService(References.MinimumLogLevel, "Debug"),
    Effect.provide(Logger.layer([logger])),
    Effect.as(reasons)
  )
}

const logged = (reason: string) => [["a key was refused", { reason }]]

describe("a refusal", () => {
  test("names the headers that are absent", () =>
    Effect.gen(function* () {
      const { authenticator, secret } = yield* setUp
      const message = (apiKey: string | null, accountId: string | null, accountRequired = true) =>
        Effect.map(
          Effect.flip(authenticator.authenticate({ accountId, accountRequired, apiKey, remoteAddress: null })),
          (error) => error.message
        )
      assert.strictEqual(yield* message(null, null), "The headers x-api-key and x-account-id are missing.")
      assert.strictEqual(yield* message(null, null, false), "The header x-api-key is missing.")
      assert.strictEqual(yield* message(null, otherAccount.id), "The header x-api-key is missing.")
      assert.strictEqual(yield* message(secret, null), "The header x-account-id is missing.")
      const wrong = yield* message(secret, otherAccount.id)
      assert.match(wrong, /is not valid, or the key may not be used from here\.$/)
      assert.strictEqual(yield* message("sk_live_no", otherAccount.id), wrong)
      assert.strictEqual(yield* message(withChecksum(`sk_live_${"0".repeat(43)}`), otherAccount.id), wrong)
    }))

  test("takes the key as a bearer token, with or without what agrees with it", () =>
    Effect.gen(function* () {
      const { authenticator, secret } = yield* setUp
      const bare = { accountId: null, accountRequired: true, apiKey: null, remoteAddress: null }
      const given = [
        { authorization: `Bearer ${secret}` },
        { authorization: `bearer  ${secret} ` },
        { authorization: `Bearer ${secret}`, accountId: account.id },
        { authorization: `Bearer ${secret}`, apiKey: secret, accountId: account.id },
        { authorization: `Bearer ${secret}`, apiKey: secret },
        // A proxy on the way may have an authorization of its own.
        { authorization: "Basic dXNlcjpwYXNz", apiKey: secret, accountId: account.id },
        { authorization: "Bearer wwo_1", apiKey: secret, accountId: account.id }
      ]
      for (const headers of given) {
        const principal = yield* authenticator.authenticate({ ...bare, ...headers })
        assert.strictEqual(principal.account.id, account.id)
      }
    }))

  test("names what disagrees with a bearer token, and where a key belongs", () =>
    Effect.gen(function* () {
      const { authenticator, keys, secret } = yield* setUp
      const other = yield* keys.create({ account: account.id, mode: "live" })
      const bare = { accountId: null, accountRequired: true, apiKey: null, remoteAddress: null }
      const message = (headers: object) =>
        Effect.map(Effect.flip(authenticator.authenticate({ ...bare, ...headers })), (error) => error.message)
      const authorization = `Bearer ${secret}`
      assert.strictEqual(
        yield* message({ authorization, apiKey: Redacted.value(other.secret), accountId: account.id }),
        "The headers authorization and x-api-key have different keys. Send one of them."
      )
      const wrong = yield* message({ authorization, accountId: otherAccount.id })
      assert.match(
        wrong,
        /^The key in the header authorization is not valid, or does not belong to the account in x-account-id/
      )
      assert.strictEqual(yield* message({ authorization: "Bearer sk_live_short" }), wrong)
      assert.strictEqual(
        yield* message({ authorization: `Bearer ${withChecksum(`sk_live_${"0".repeat(43)}`)}` }),
        wrong
      )
      for (const authorization of [
        "Basic dXNlcjpwYXNz",
        "Bearer eyJhbGciOi",
        "Bearer",
        secret,
        `Bearer ${secret}, Bearer x`
      ]) {
        assert.match(yield* message({ authorization }), /has no key of this service\. Send authorization: Bearer sk_…/)
      }
      assert.strictEqual(yield* message({ apiKey: secret }), "The header x-account-id is missing.")
    }))

  test("has its reason in the log of an operator, and no part of the key", () =>
    Effect.gen(function* () {
      const { ask, keys, secret } = yield* setUp
      const unknown = withChecksum(`sk_live_${"0".repeat(43)}`)
      assert.deepStrictEqual(yield* reasonsOf(refused(ask(unknown))), logged("the key is unknown or revoked"))
      assert.deepStrictEqual(yield* reasonsOf(refused(ask(unknown))), logged("the key is unknown or revoked"))
      assert.deepStrictEqual(
        yield* reasonsOf(refused(ask("sk_live_short"))),
        logged("the key does not have the form of this service's keys")
      )
      assert.deepStrictEqual(
        yield* reasonsOf(refused(ask(secret, { accountId: otherAccount.id }))),
        logged("the key is of another account")
      )
      const bounded = yield* keys.create({ account: account.id, mode: "live", allow: ["10.0.0.0/8"] })
      assert.deepStrictEqual(
        yield* reasonsOf(refused(ask(Redacted.value(bounded.secret), { remoteAddress: "192.0.2.1" }))),
        logged("the key may not be used from this address")
      )
      const brief = yield* keys.create({ account: account.id, mode: "live", expiresAt: 60_000 })
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(
        yield* reasonsOf(refused(ask(Redacted.value(brief.secret)))),
        logged("the key has expired")
      )
    }))
})
