/**
 * Claims of a send: the keys by which a repeat is recognised, a correlation id with the same body or an
 * `Idempotency-Key`.
 *
 * Claims are kept for a day. They hold codes under the installation's secret (see `InstallationSecret`), or digests if
 * there is no secret, each salted with the client's own id. A digest hides a long text; if the client's id is known, a
 * code of six digits can be found by trying all codes.
 *
 * While an installation has several secrets, a send has its claims under each of them. So a repeat is recognised
 * whichever of them the first request was claimed under, and by processes that do not have the new secret yet.
 */
import type { DeliveryId, RequestId } from "@watchword/schemas/Ids"
import { hmacSha256, sha256 } from "@watchword/schemas/Sha256"
import type { Delivery, Details } from "@watchword/store/Delivery"
import type { Claim, Open, OpenRefused } from "@watchword/store/Store"
import * as Redacted from "effect/Redacted"

/**
 * What tells a send from another one: the identifiers that a client gave its request, or the part of the service that
 * makes it.
 */
export interface RequestKeys {
  /** `x-request-id`: repeating it with the same body is refused while the first is in flight or succeeded. */
  readonly requestId: RequestId | null
  /** `Idempotency-Key`: repeating it answers the first response again. */
  readonly idempotencyKey: string | null
  /** The work that a send is a step of; null for a client's own request. */
  readonly origin: Origin | null
}

/**
 * The origin of a send that is a step of something longer, which has to survive the process: the step is opened once,
 * however often and by whichever process it is tried.
 */
export interface Origin {
  /** The delivery's id, chosen beforehand. If a delivery already has it, the answer is built from its record. */
  readonly id: DeliveryId
  /** Details of the record that lead back to the origin. */
  readonly details: Details
  /** The deliveries by which the channel has sent the same code before; left out for none. */
  readonly earlier?: ReadonlyArray<DeliveryId>
  /** The deliveries whose carriers it must not use; left out for none. */
  readonly notBy?: ReadonlyArray<DeliveryId>
  /** How many digits its code has, for a channel that carries the code without knowing it. */
  readonly codeLength?: number
  /** The whole that one step opens together with the send; left out for none. */
  readonly whole?: Whole
  /** Receives the record with the outcome of the send, where it could be stored, and the record that followed it. */
  readonly stored?: (record: Delivery, followed: Delivery | null) => void
}

/** A record that is opened with the first of its sends. */
export interface Whole {
  readonly open: Open
  /** Receives the record, or the reason why neither was opened. A send without a record of its own does not call it. */
  readonly answered: (answer: Delivery | OpenRefused) => void
}

/** No identifiers: no request is a repeat. */
export const noKeys: RequestKeys = { requestId: null, idempotencyKey: null, origin: null }

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
  readonly claims: (operation: string, keys: RequestKeys, body: string, at: number) => Array<Claim>
  /**
   * The claims of a send that answers for identical sends while it is in flight. A rejected send releases them.
   */
  readonly shared: (operation: string, key: string, at: number) => ReadonlyArray<Claim>
  /**
   * The digests that represent texts in a database, under each secret of the installation, the first secret's first.
   */
  readonly digests: (...texts: ReadonlyArray<string>) => readonly [string, ...ReadonlyArray<string>]
}

/** @param secrets of the installation; the first is in use */
export const make = ([secret, ...older]: ReadonlyArray<Redacted.Redacted>): Claims => {
  const current = digestUnder(secret ?? null)
  const all = [current, ...older.map(digestUnder)]

  const claims: Claims["claims"] = (operation, { idempotencyKey, requestId }, body, at) => {
    const expiresAt = at + LIFETIME
    const made: Array<Claim> = []
    // The first claim that is taken decides, and a repeat under the same key is answered rather than refused.
    if (idempotencyKey !== null) {
      for (const digest of all) made.push(idempotent(digest, operation, idempotencyKey, body, expiresAt))
    }
    if (requestId !== null) {
      for (const digest of all) made.push(correlated(digest, operation, requestId, body, expiresAt))
    }
    return made
  }

  const shared: Claims["shared"] = (operation, key, at) =>
    all.map((digest) => ({
      key: SHARED + digest(operation, key),
      fingerprint: "",
      heldUntil: "rejection",
      expiresAt: at + SHARED_FOR
    }))

  const digests: Claims["digests"] = (...texts) => [
    current(...texts),
    ...all.slice(1).map((digest) => digest(...texts))
  ]

  return { claims, shared, digests }
}

const idempotent = (digest: Digest, operation: string, key: string, body: string, expiresAt: number): Claim => ({
  key: IDEMPOTENT + digest(operation, key),
  fingerprint: digest(operation, key, body),
  heldUntil: "expiry",
  expiresAt
})

const correlated = (digest: Digest, operation: string, id: RequestId, body: string, expiresAt: number): Claim => ({
  key: CORRELATED + digest(operation, id.toLowerCase(), body),
  fingerprint: "",
  heldUntil: "rejection",
  expiresAt
})

/** Whether a repeat under a claim is answered like the first request. */
export const isIdempotent = (claim: Claim): boolean => claim.key.startsWith(IDEMPOTENT)

/** The claim of the one send that spends the price of another delivery. A send that is rejected gives it back. */
export const spending = (paid: DeliveryId, at: number): Claim => ({
  key: SPENDING + paid,
  fingerprint: "",
  heldUntil: "rejection",
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

type Digest = (...texts: ReadonlyArray<string>) => string

// JSON keeps different lists of texts apart.
const digestUnder = (secret: Redacted.Redacted | null): Digest => {
  const digest = secret === null ? sha256 : hmacSha256(Redacted.value(secret))
  return (...texts) => digest(JSON.stringify(texts)).slice(0, DIGITS)
}
