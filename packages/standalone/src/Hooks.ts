/**
 * Receivers of identity servers' hooks, below the base path.
 */
import { type AuthHook, supabase } from "@watchword/auth-hooks/supabase"
import { logto } from "@watchword/auth-hooks/logto"
import { zitadel } from "@watchword/auth-hooks/zitadel"
import type { HandlePromise } from "@watchword/server/Host"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { NotFound, type Watchword } from "watchword"
import type { Hooks } from "./settings/HookSettings.ts"

/** Warns of hooks whose account the database lacks: each of their messages is refused. */
export const checkAccount = async (
  hooks: Option.Option<Hooks>,
  { operator }: Watchword,
  log: { readonly warn: (message: string) => void }
): Promise<void> => {
  if (Option.isNone(hooks)) return
  const { account } = hooks.value
  const isKnown = await operator.account.show({ account_id: account }).then(
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
  /** Makes the receivers again, with the secrets of the moment. */
  readonly renew: () => void
}

/** What all receivers share. */
interface Shared {
  readonly service: Watchword
  readonly logger: { readonly error: (message: string) => void }
  readonly trustedProxies: ReadonlyArray<string>
}

/** The handler of the interface, together with the receivers. */
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
