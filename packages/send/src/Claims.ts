/**
 * Claims of a send: the keys by which a repeat is recognised, a correlation id with the same body or an
 * `Idempotency-Key`.
 *
 * Claims are kept for a day. They hold codes under the installation's secret (see `InstallationSecret`), or digests where
 * there is none, each salted with the client's own id. A digest hides a long text; a code of six digits is guessed from it
 * by trying all, where the client's id is known.
 */
import type { DeliveryId, RequestId } from "@watchword/schemas/Ids"
import { hmacSha256, sha256 } from "@watchword/schemas/Sha256"
import type { Claim } from "@watchword/store/Store"
import * as Redacted from "effect/Redacted"

/** The identifiers that a client gave its request; either may be missing. */
export interface RequestKeys {
  /** `x-request-id`: repeating it with the same body is refused while the first is in flight or succeeded. */
  readonly requestId: RequestId | null
  /** `Idempotency-Key`: repeating it answers the first response again. */
  readonly idempotencyKey: string | null
}

/** No identifiers: no request is a repeat. */
export const noKeys: RequestKeys = { requestId: null, idempotencyKey: null }

const LIFETIME = 24 * 60 * 60 * 1000

/** A claim's key begins with what kind it is. */
const IDEMPOTENT = "idempotency:"
const CORRELATED = "request:"
const SPENDING = "spending:"
const SHARED = "shared:"

export interface Claims {
  /**
   * The claims of one send.
   *
   * @param operation for example `sms`: the same id may be used once for each
   * @param body everything the client asked for, in a fixed order
   * @param at milliseconds since the epoch
   */
  readonly claims: (operation: string, keys: RequestKeys, body: string, at: number) => ReadonlyArray<Claim>
  /** The claim of a send that answers for others like it while it is in flight. One that is rejected gives it back. */
  readonly shared: (operation: string, key: string, at: number) => Claim
}

/** @param secret of the installation */
export const make = (secret: Redacted.Redacted | null): Claims => {
  const digest = digestUnder(secret)

  const claims: Claims["claims"] = (operation, { idempotencyKey, requestId }, body, at) => {
    const expiresAt = at + LIFETIME
    const second = requestId === null ? null : correlated(operation, requestId, body, expiresAt)
    if (idempotencyKey === null) return second === null ? [] : [second]
    // The first claim that is taken decides, and a repeat under the same key is answered rather than refused.
    const first = idempotent(operation, idempotencyKey, body, expiresAt)
    return second === null ? [first] : [first, second]
  }

  const idempotent = (operation: string, key: string, body: string, expiresAt: number): Claim => ({
    key: IDEMPOTENT + digest(operation, key),
    fingerprint: digest(operation, key, body),
    retryAfterRejection: false,
    expiresAt
  })

  const correlated = (operation: string, id: RequestId, body: string, expiresAt: number): Claim => ({
    key: CORRELATED + digest(operation, id.toLowerCase(), body),
    fingerprint: "",
    retryAfterRejection: true,
    expiresAt
  })

  const shared = (operation: string, key: string, at: number): Claim => ({
    key: SHARED + digest(operation, key),
    fingerprint: "",
    retryAfterRejection: true,
    expiresAt: at + SHARED_FOR
  })

  return { claims, shared }
}

/** Whether a repeat under a claim is answered like the first request. */
export const isIdempotent = (claim: Claim): boolean => claim.key.startsWith(IDEMPOTENT)

/** The claim of the one send that spends the price of another delivery. A send that is rejected gives it back. */
export const spending = (paid: DeliveryId, at: number): Claim => ({
  key: SPENDING + paid,
  fingerprint: "",
  retryAfterRejection: true,
  expiresAt: at + LIFETIME
})

/** Whether a claim was made by {@link spending}. */
export const isSpending = (claim: Claim): boolean => claim.key.startsWith(SPENDING)

/** How long a shared send may be in flight, in milliseconds: longer than any gateway's time limit. */
const SHARED_FOR = 60 * 1000

/** Whether a claim was made by `shared`. */
export const isShared = (claim: Claim): boolean => claim.key.startsWith(SHARED)

/** Digits of a digest that are kept: 128 bits, half the size of each claim in a store. */
const DIGITS = 32

// JSON keeps different lists of texts apart.
const digestUnder = (secret: Redacted.Redacted | null) => {
  const digest = secret === null ? sha256 : hmacSha256(Redacted.value(secret))
  return (...texts: ReadonlyArray<string>): string => digest(JSON.stringify(texts)).slice(0, DIGITS)
}
