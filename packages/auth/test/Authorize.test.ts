import { authorize } from "@watchword/auth/Authenticator"
import type { Account, Principal } from "@watchword/schemas/Account"
import type { Scope } from "@watchword/schemas/Channel"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { Forbidden } from "@watchword/schemas/Errors"
import { KeyId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { someAccount } from "../../../test/accounts.ts"

const { scopes } = ChannelRegistry.make(ChannelRegistry.builtIn)

const principal = (granted: ReadonlySet<Scope> | null, fields: Partial<Account> = {}): Principal => ({
  account: someAccount(fields),
  mode: "live",
  key: KeyId.make("key_01KAJ3T8ZZ0000000000000000"),
  scopes: granted
})

const decided = (granted: ReadonlySet<Scope> | null, scope: Scope) =>
  Effect.runSync(Effect.result(authorize(principal(granted), { scope, whileSuspended: false })))

describe("authorize", () => {
  it("lets a key without scopes do everything", () => {
    for (const scope of scopes) expect(Result.isSuccess(decided(null, scope))).toBe(true)
  })

  it("lets a key do what it has the scope for, and nothing else", () => {
    for (const granted of scopes) {
      for (const wanted of scopes) {
        expect(Result.isSuccess(decided(new Set([granted]), wanted))).toBe(granted === wanted)
      }
    }
  })

  it("lets a key with no scope at all do nothing", () => {
    for (const scope of scopes) expect(Result.isFailure(decided(new Set(), scope))).toBe(true)
  })

  it("lets no key of a suspended account do more than what is allowed meanwhile", () => {
    const suspended = principal(null, { suspendedAt: 1 })
    const refused = new Forbidden({ message: "The account is suspended.", reason: "account_suspended" })
    for (const scope of scopes) {
      const decide = (whileSuspended: boolean) =>
        Effect.runSync(Effect.result(authorize(suspended, { scope, whileSuspended })))
      expect(decide(false)).toEqual(Result.fail(refused))
      expect(Result.isSuccess(decide(true))).toBe(true)
    }
  })

  it("names the scope that is missing", () => {
    expect(decided(new Set(["sms:read"]), "sms:send")).toEqual(
      Result.fail(new Forbidden({ message: "The API key lacks the scope sms:send." }))
    )
  })
})
