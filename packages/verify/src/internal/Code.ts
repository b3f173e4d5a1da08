/**
 * Codes of verifications, which no database holds: a code is digits of an HMAC-SHA256 of the verification's id under a
 * secret of the installation. Every process makes the same one again.
 *
 * A client's own code (deliver mode) is sealed under the same secret, with AES-256-GCM and the id as its additional data,
 * so that it opens in its own verification only.
 *
 * Source: RFC 5869 (HKDF), which separates the keys of both; RFC 4226 §5.3 for the truncation that this one replaces,
 * because a remainder of a division favours low codes.
 */
import * as Base64Url from "effect/encoding/Base64Url"
import * as Hex from "effect/encoding/Hex"
import * as Result from "effect/Result"

/** The keys that are made of one secret. */
export interface CodeKeys {
  /** Names the secret in records; says nothing about it. */
  readonly id: string
  readonly codes: CryptoKey
  readonly seals: CryptoKey
}

const encoder = new TextEncoder()

/** @param secret at least 32 characters, from a random source */
export const importSecret = async (secret: string): Promise<CodeKeys> => {
  const { subtle } = crypto
  const base = await subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey", "deriveBits"])
  const derivation = (info: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: encoder.encode(`watchword verify ${info}`)
  })
  const [id, codes, seals] = await Promise.all([
    subtle.deriveBits(derivation("id"), base, 64),
    subtle.deriveKey(derivation("codes"), base, { name: "HMAC", hash: "SHA-256", length: 256 }, false, ["sign"]),
    subtle.deriveKey(derivation("seals"), base, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
  ])
  return { id: Hex.encode(new Uint8Array(id)), codes, seals }
}

/**
 * The code of a verification.
 *
 * @param digits 4 to 8
 */
export const codeOf = async ({ codes }: CodeKeys, verification: string, digits: number): Promise<string> => {
  for (let round = 0; ; round++) {
    const bytes = await crypto.subtle.sign("HMAC", codes, encoder.encode(`${verification} ${digits} ${round}`))
    const code = unbiased(new DataView(bytes), digits)
    if (code !== null) return code
  }
}

/**
 * Digits of the first 32-bit word that is below the highest multiple of the number of codes; null where none is, which
 * is so of one MAC in 10^13 with eight digits.
 */
export const unbiased = (words: DataView, digits: number): string | null => {
  const codes = 10 ** digits
  const limit = 2 ** 32 - (2 ** 32 % codes)
  for (let at = 0; at + 4 <= words.byteLength; at += 4) {
    const word = words.getUint32(at)
    if (word < limit) return String(word % codes).padStart(digits, "0")
  }
  return null
}

const NONCE = 12

/** A client's code in a form that says nothing without the secret. */
export const seal = async ({ seals }: CodeKeys, verification: string, code: string): Promise<string> => {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE))
  const sealed = await crypto.subtle.encrypt(parameters(iv, verification), seals, encoder.encode(code))
  const bytes = new Uint8Array(NONCE + sealed.byteLength)
  bytes.set(iv)
  bytes.set(new Uint8Array(sealed), NONCE)
  return Base64Url.encode(bytes)
}

/** The code that was sealed for a verification; null where it was not sealed for it under this secret. */
export const open = async ({ seals }: CodeKeys, verification: string, sealed: string): Promise<string | null> => {
  const decoded = Base64Url.decode(sealed)
  if (Result.isFailure(decoded) || decoded.success.length <= NONCE) return null
  const bytes = Uint8Array.from(decoded.success)
  try {
    const algorithm = parameters(bytes.subarray(0, NONCE), verification)
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, seals, bytes.subarray(NONCE)))
  } catch {
    // WebCrypto says no more than that the tag is wrong.
    return null
  }
}

const parameters = (iv: Uint8Array<ArrayBuffer>, verification: string) => ({
  name: "AES-GCM",
  iv,
  additionalData: encoder.encode(verification)
})

/** Whether two codes are the same, in a time that depends on their lengths only. */
export const isSame = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at % (other.length || 1))
  return difference === 0
}
