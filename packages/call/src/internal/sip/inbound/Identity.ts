/**
 * Whether the network of a caller vouches for its number by a signature: the `shaken` PASSporT of a carrier that gives
 * full attestation, fresh, for this caller and this number called.
 *
 * A value that is broken, of another type or by an unknown signer is left aside, as if it were not there.
 *
 * Source: RFC 8224 §6.2 and §8.3, RFC 8588 §4.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { webcrypto } from "node:crypto"
import * as Certificates from "./Certificates.ts"
import type { IdentityOptions } from "./InboundOptions.ts"
import * as Passport from "./Passport.ts"

/** How old a signature may be, and how much our clock and the signer's may differ, in seconds. */
const OLDEST = 60
const TOLERANCE = 5

/** How many values of an INVITE are looked at: a call that was passed on has one more for each time. */
const MOST = 4

export interface Identity {
  /**
   * The caller that is vouched for; null for none.
   *
   * @param values of Identity
   * @param callers that the INVITE names
   * @param ours the number that is called
   */
  readonly vouched: (
    values: ReadonlyArray<string>,
    callers: ReadonlyArray<E164 | null>,
    ours: E164
  ) => Effect.Effect<E164 | null>
}

export const make = (options: IdentityOptions): Identity => {
  const certificates = Certificates.make(options)
  return {
    vouched: Effect.fnUntraced(function* (values, callers, ours) {
      const now = (yield* Clock.currentTimeMillis) / 1000
      for (const value of values.slice(0, MOST)) {
        const passport = Passport.read(value)
        if (passport === null || !isFull(passport, now) || !passport.dest.some(isNumber(ours))) continue
        const caller = callers.find((each) => each !== null && isNumber(each)(passport.orig)) ?? null
        if (caller !== null && (yield* isSigned(certificates, passport))) return caller
      }
      return null
    })
  }
}

const isFull = ({ attest, iat }: Passport.Passport, now: number): boolean =>
  attest === "A" && iat >= now - OLDEST - TOLERANCE && iat <= now + TOLERANCE

/** Signers write numbers with and without a plus sign and separators (RFC 8224 §8.3 wants digits only). */
const isNumber =
  (number: E164) =>
  (claim: string): boolean =>
    `+${claim.replace(/[-.() +]/g, "")}` === number

const isSigned = (certificates: Certificates.Certificates, { signature, signed, x5u }: Passport.Passport) =>
  Effect.flatMap(certificates.keyAt(x5u), (key) =>
    key === null
      ? Effect.succeed(false)
      : Effect.promise(() => webcrypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, signature, signed))
  )
