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
import { hmacSha256 } from "@watchword/schemas/Sha256"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Hex from "effect/encoding/Hex"
import * as Result from "effect/Result"

/** The keys that are made of one secret. */
export interface CodeKeys {
  /** Names the secret in records; says nothing about it. */
  readonly id: string
  /** The MAC of a text, in hexadecimal. Synchronous: for short texts WebCrypto's way to another thread costs far more. */
  readonly codes: (text: string) => string
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
    subtle.deriveBits(derivation("codes"), base, 256),
    subtle.deriveKey(derivation("seals"), base, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
  ])
  return { id: Hex.encode(new Uint8Array(id)), codes: hmacSha256(Hex.encode(new Uint8Array(codes))), seals }
}

/**
 * The code of a verification.
 *
 * @param digits 4 to 8
 */
export const codeOf = ({ codes }: CodeKeys, verification: string, digits: number): string => {
  for (let round = 0; ; round++) {
    const code = unbiased(codes(`${verification} ${digits} ${round}`), digits)
    if (code !== null) return code
  }
}

/** Hexadecimal digits of 32 bits. */
const WORD = 8

/**
 * Digits of the first 32-bit word that is below the highest multiple of the number of codes; null where none is, which
 * is so of one MAC in 10^13 with eight digits.
 *
 * @param mac in hexadecimal
 */
export const unbiased = (mac: string, digits: number): string | null => {
  const codes = 10 ** digits
  const limit = 2 ** 32 - (2 ** 32 % codes)
  for (let at = 0; at + WORD <= mac.length; at += WORD) {
    const word = Number.parseInt(mac.slice(at, at + WORD), 16)
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
