/**
 * Settings of identity servers' hooks, which one account pays for.
 */
import { AccountId } from "@watchword/schemas/Ids"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Environment, type Parse, type Read, fault, secret, yesOrNo } from "./Reading.ts"
import { optionalSetting, read, readOptional, setting } from "./Setting.ts"

export interface Hooks {
  readonly account: string
  readonly sandbox: boolean
  readonly supabase: Option.Option<Redacted.Redacted>
  readonly logto: Option.Option<Redacted.Redacted>
  readonly zitadel: Option.Option<Redacted.Redacted>
}

const isAccountId = Schema.is(AccountId)

const accountId: Parse<string> = (value) =>
  isAccountId(value) ? Result.succeed(value) : Result.fail("must be an account id, such as acc_01KAJ…")

const supabaseSecret: Parse<Redacted.Redacted> = (value) =>
  value.split("|").every((each) => /^v1,whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(each))
    ? secret(value)
    : Result.fail("must be v1,whsec_ and base 64, as Supabase shows it; two of them with | in between")

const header: Parse<Redacted.Redacted> = (value) =>
  /^[\x20-\x7e]{16,}$/.test(value)
    ? secret(value)
    : Result.fail(
        "must have at least 16 characters of ASCII, for example Bearer and the output of openssl rand -hex 32"
      )

export const hooks = {
  account: optionalSetting("HOOKS_ACCOUNT", accountId, {
    description:
      "the account that pays for sends through the hooks of [identity servers](../identity.md#in-the-standalone-server)"
  }),
  sandbox: setting("HOOKS_SANDBOX", "no", yesOrNo, { description: "`yes` where hooks send in the sandbox" }),
  supabase: optionalSetting("SUPABASE_HOOK_SECRET", supabaseSecret, {
    description: "the secret of Supabase Auth's hook at `/v1/hooks/supabase`",
    isSecret: true,
    reloads: "hooks"
  }),
  logto: optionalSetting("LOGTO_HOOK_AUTHORIZATION", header, {
    description: "the header of Logto's connector for `/v1/hooks/logto`",
    isSecret: true,
    reloads: "hooks"
  }),
  zitadel: optionalSetting("ZITADEL_HOOK_KEY", secret, {
    description: "the signing key of ZITADEL's provider for `/v1/hooks/zitadel`",
    isSecret: true,
    reloads: "hooks"
  })
}

/** None unless the secret of a hook is set. */
export const readHooks = (environment: Environment): Read<Option.Option<Hooks>> =>
  Result.gen(function* () {
    const account = yield* readOptional(environment, hooks.account)
    const sandbox = yield* read(environment, hooks.sandbox)
    const secrets = {
      supabase: yield* readOptional(environment, hooks.supabase),
      logto: yield* readOptional(environment, hooks.logto),
      zitadel: yield* readOptional(environment, hooks.zitadel)
    }
    if (Object.values(secrets).every(Option.isNone)) return Option.none()
    if (Option.isNone(account)) {
      return yield* Result.fail(fault(hooks.account.name, "must be set to the account that pays for hooks' sends"))
    }
    return Option.some({ account: account.value, sandbox, ...secrets })
  })
