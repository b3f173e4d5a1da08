/**
 * Ids in Twilio's form. A ULID has 128 bits, which are the 32 hexadecimal digits of a SID, so that no table is needed.
 *
 * Source: https://github.com/ulid/spec; Twilio's glossary, "String Identifier (SID)".
 */
import { sha256 } from "@watchword/schemas/Sha256"

/** `AC…` of an account, `acc_…`. */
export const accountSid = (account: string): string => `AC${hexOf(account)}`

/** The account of an `AC…`; null for any other text. */
export const accountOf = (sid: string): string | null => idOf("AC", "acc_", sid)

/** The key of an `SK…`, `key_…`; null for any other text. */
export const keyOf = (sid: string): string | null => idOf("SK", "key_", sid)

/** `VE…` of a verification, `vrf_…`. */
export const verificationSid = (verification: string): string => `VE${hexOf(verification)}`

export const verificationOf = (sid: string): string | null => idOf("VE", "vrf_", sid)

/** `VL…` of a delivery. */
export const attemptSid = (delivery: string): string => `VL${hexOf(delivery)}`

export const deliveryOf = (sid: string): string | null => idOf("VL", "", sid)

/** `VA…` of an account's workflow; of its default workflow for null. */
export const serviceSid = (account: string, workflow: string | null): string =>
  `VA${workflow === null ? hexOf(account) : digest(account, workflow)}`

/** `HJ…` of a template. */
export const templateSid = (name: string): string => `HJ${digest("template", name)}`

/** Whether two SIDs are the same one: their digits may have either case. */
export const isSameSid = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const digest = (...parts: ReadonlyArray<string>): string => sha256(parts.join(" ")).slice(0, 32)

/** Crockford's base 32. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const hexOf = (id: string): string => {
  const ulid = id.slice(-26)
  let bits = 0n
  for (const character of ulid) bits = bits * 32n + BigInt(ALPHABET.indexOf(character))
  return bits.toString(16).padStart(32, "0")
}

const idOf = (prefix: string, own: string, sid: string): string | null => {
  if (!sid.startsWith(prefix) || !/^..[0-9a-f]{32}$/i.test(sid)) return null
  let bits = BigInt(`0x${sid.slice(2)}`)
  let ulid = ""
  for (let place = 0; place < 26; place++) {
    ulid = `${ALPHABET[Number(bits % 32n)]}${ulid}`
    bits /= 32n
  }
  return own + ulid
}
