/**
 * The hooks of identity servers, which one account pays for: settings, and receivers below the base path.
 */
import { type AuthHook, supabase } from "@watchword/auth-hooks/supabase"
import { logto } from "@watchword/auth-hooks/logto"
import { zitadel } from "@watchword/auth-hooks/zitadel"
import { AccountId } from "@watchword/schemas/Ids"
import type { HandlePromise } from "@watchword/server/Host"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { NotFound, type Watchword } from "watchword"
import { type Environment, type Parse, type Read, fault, one, optional, secret, yesOrNo } from "./Reading.ts"

export interface Hooks {
  readonly account: string
  readonly sandbox: boolean
  readonly supabase: Option.Option<Redacted.Redacted>
  readonly logto: Option.Option<Redacted.Redacted>
  readonly zitadel: Option.Option<Redacted.Redacted>
}

export const secrets: ReadonlyArray<string> = ["SUPABASE_HOOK_SECRET", "LOGTO_HOOK_AUTHORIZATION", "ZITADEL_HOOK_KEY"]

/** None unless the secret of a hook is set. */
export const read = (environment: Environment): Read<Option.Option<Hooks>> =>
  Result.gen(function* () {
    const account = yield* optional(environment, "HOOKS_ACCOUNT", accountId)
    const sandbox = yield* one(environment, "HOOKS_SANDBOX", "no", yesOrNo)
    const secrets = {
      supabase: yield* optional(environment, "SUPABASE_HOOK_SECRET", supabaseSecret),
      logto: yield* optional(environment, "LOGTO_HOOK_AUTHORIZATION", header),
      zitadel: yield* optional(environment, "ZITADEL_HOOK_KEY", secret)
    }
    if (Object.values(secrets).every(Option.isNone)) return Option.none()
    if (Option.isNone(account)) {
      return yield* Result.fail(fault("HOOKS_ACCOUNT", "must be set to the account that pays for what hooks send"))
    }
    return Option.some({ account: account.value, sandbox, ...secrets })
  })

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
    : Result.fail("must have at least 16 characters of ASCII, for example Bearer and those of openssl rand -hex 32")

/** Warns of hooks whose account the database lacks: each of their messages is refused. */
export const checkAccount = async (
  hooks: Option.Option<Hooks>,
  { operator }: Watchword,
  log: { readonly warn: (message: string) => void }
): Promise<void> => {
  if (Option.isNone(hooks)) return
  const { account } = hooks.value
  const isKnown = await operator.account(account).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NotFound) return false
      throw error
    }
  )
  if (isKnown) return
  log.warn(
    `HOOKS_ACCOUNT is ${account}, and there is no such account: hooks are refused. watchword account list has all.`
  )
}

export interface Beside {
  readonly handle: HandlePromise
  /** Makes the receivers anew, with the secrets of the moment. */
  readonly renew: () => void
}

/** What all receivers share. */
interface Shared {
  readonly service: Watchword
  readonly logger: { readonly error: (message: string) => void }
  readonly trustedProxies: ReadonlyArray<string>
}

/** The handler of the interface, with the receivers beside it. */
export const beside = (hooks: Option.Option<Hooks>, shared: Shared): Beside => {
  const { service } = shared
  const make = () => Option.match(hooks, { onNone: () => [], onSome: (some) => receiversOf(some, shared) })
  let receivers = make()
  const receiver = (method: string, path: string) => receivers.find(({ endpoints }) => endpoints.has(method, path))
  return {
    handle: (request) => (receiver(request.method, request.path) ?? service).handle(request),
    renew: () => {
      receivers = make()
    }
  }
}

const receiversOf = (hooks: Hooks, shared: Shared): ReadonlyArray<AuthHook> => {
  const options = { ...shared, caller: { account: hooks.account, sandbox: hooks.sandbox } }
  const made = <A>(value: Option.Option<Redacted.Redacted>, make: (value: string) => A): ReadonlyArray<A> =>
    Option.toArray(Option.map(value, (some) => make(Redacted.value(some))))
  return [
    ...made(hooks.supabase, (secret) => supabase({ ...options, secret })),
    ...made(hooks.logto, (authorization) => logto({ ...options, authorization })),
    ...made(hooks.zitadel, (signingKey) => zitadel({ ...options, signingKey }))
  ]
}
