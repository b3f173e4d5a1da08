/**
 * Mistakes in the options of programs without types.
 */
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import type * as Services from "../Services.ts"

/** Those that `createWatchword` adds to the options of services. */
type Own = "clock" | "logger" | "observability"

const known: Readonly<Record<keyof Services.Options | Own, true>> = {
  background: true,
  businessChat: true,
  call: true,
  channels: true,
  chat: true,
  clock: true,
  guards: true,
  logger: true,
  maxBodyBytes: true,
  observability: true,
  pages: true,
  prices: true,
  reconcile: true,
  secret: true,
  sms: true,
  store: true,
  trustTraceparent: true,
  trustedProxies: true,
  verify: true,
  webhooks: true
}

/** Throws a `TypeError` where there is no store, and for an option that there is not: it would change nothing. */
export const check = (options: unknown): void => {
  if (!Predicate.hasProperty(options, "store") || !Layer.isLayer(options.store)) {
    throw new TypeError(
      'createWatchword needs the option store, for example sqlite("watchword.db") of @watchword/store-sqlite'
    )
  }
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  throw new TypeError(`createWatchword has no option ${unknown}; it has ${Object.keys(known).join(", ")}`)
}
