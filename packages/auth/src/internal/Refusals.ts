/**
 * Refusals of keys: a reason for the metric and the log, where the first one of each reason is a warning and the others
 * are of the level `Debug`, and a sentence for the client that names absent headers and nothing else. They are made
 * once, because refusals come in floods.
 */
import { Unauthorized } from "@watchword/schemas/Errors"
import * as Effect from "effect/Effect"

export interface Refusal {
  readonly reason: string
  /** The operator's remedy. */
  readonly hint: string | null
  readonly refuse: Effect.Effect<never, Unauthorized>
}

const make = (reason: string, message: string, hint: string | null = null): Refusal => ({
  reason,
  hint,
  refuse: Effect.andThen(Effect.logDebug("a key was refused", { reason }), Effect.fail(new Unauthorized({ message })))
})

/** Warns of the first refusal of each reason. */
export const firstOfEach = (): ((refusal: Refusal) => Effect.Effect<void>) => {
  const seen = new Set<string>()
  return ({ hint, reason }) =>
    Effect.suspend(() => {
      if (seen.has(reason)) return Effect.void
      seen.add(reason)
      const line = { reason, ...(hint === null ? {} : { hint }) }
      return Effect.logWarning(
        "a key was refused; further refusals for this reason are only counted in the metric",
        line
      )
    })
}

const ofKeys = (message: string) => ({
  malformed: make("the key does not have the form of this service's keys", message),
  unknown: make("the key is unknown or revoked", message),
  account: make("the key is of another account", message),
  expired: make("the key has expired", message),
  address: make(
    "the key may not be used from this address",
    message,
    "behind a proxy, name its addresses in TRUSTED_PROXIES"
  )
})

export type OfKeys = ReturnType<typeof ofKeys>

/** Of a key in `x-api-key`. */
export const ofHeaderPair = ofKeys(
  "The header x-api-key or x-account-id is not valid, or the key may not be used from here."
)

/** Of a key in `authorization`. */
export const ofBearer = ofKeys(
  "The key in the header authorization is not valid, or does not belong to the account in x-account-id, or may not be used from here."
)

export const refusals = {
  noHeaders: make("no x-api-key and no x-account-id", "The headers x-api-key and x-account-id are missing."),
  noKey: make("no x-api-key", "The header x-api-key is missing."),
  noAccount: make("no x-account-id", "The header x-account-id is missing."),
  otherScheme: make(
    "an authorization without a key of this service",
    "The header authorization has no key of this service. Send authorization: Bearer sk_…, or the key in x-api-key and its account in x-account-id."
  ),
  twoKeys: make("two keys", "The headers authorization and x-api-key have different keys. Send one of them.")
} as const
