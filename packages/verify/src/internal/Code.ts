/**
 * Codes of verifications, which no database holds: a code is digits of an HMAC-SHA256 of the verification's id under a
 * secret of the installation. Every process makes the same one again.
 *
 * A client's own code (deliver mode) is sealed under the same secret, at the id of its verification.
 *
 * Source: RFC 4226 §5.3 for the truncation that this one replaces,
 * because a remainder of a division favours low codes.
 */
import { hmacSha256 } from "@watchword/schemas/Sha256"
import { deriveKey, openSealed, sealWith } from "@watchword/send/pipeline"

/** The keys that are derived from one secret. */
export interface CodeKeys {
  /** Names the secret in records; says nothing about it. */
  readonly id: string
  /**
   * The MAC of a text, in hexadecimal. Synchronous: for short texts WebCrypto's way to another thread costs far more.
   */
  readonly codes: (text: string) => string
  readonly seals: CryptoKey
}

/** @param secret at least 32 characters, from a random source */
export const importSecret = async (secret: string): Promise<CodeKeys> => {
  const derived = await deriveKey(secret)
  const [id, codes, seals] = await Promise.all([
    derived.bits("watchword verify id", 64),
    derived.bits("watchword verify codes", 256),
    derived.key("watchword verify seals")
  ])
  return { id, codes: hmacSha256(codes), seals }
}

/**
 * The code of a verification.
 *
 * @param digits 4 to 10
 */
export const codeOf = ({ codes }: CodeKeys, verification: string, digits: number): string => {
  for (let round = 0; ; round++) {
    const code = unbiased(codes(`${verification} ${digits} ${round}`), digits)
    if (code !== null) return code
  }
}

/** Hexadecimal digits of the words that codes are cut from: 32 bits, and 48 bits for more than 8 digits. */
const wordOf = (digits: number): number => (digits <= 8 ? 8 : 12)

/**
 * Digits of the first word that is below the highest multiple of the number of codes; null if each word is above it, as
 * in one MAC of 10^13 with eight digits.
 *
 * @param mac in hexadecimal
 */
export const unbiased = (mac: string, digits: number): string | null => {
  const codes = 10 ** digits
  const length = wordOf(digits)
  const words = 16 ** length
  const limit = words - (words % codes)
  for (let at = 0; at + length <= mac.length; at += length) {
    const word = Number.parseInt(mac.slice(at, at + length), 16)
    if (word < limit) return String(word % codes).padStart(digits, "0")
  }
  return null
}

/** A client's code in a form that says nothing without the secret. */
export const seal = ({ seals }: CodeKeys, verification: string, code: string): Promise<string> =>
  sealWith(seals, verification, code)

/** The code that was sealed for a verification; null if it was not sealed for it under this secret. */
export const open = ({ seals }: CodeKeys, verification: string, sealed: string): Promise<string | null> =>
  openSealed(seals, verification, sealed)

/** Whether two codes are the same, in a time that depends on their lengths only. */
export const isSame = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at % (other.length || 1))
  return difference === 0
}
