/**
 * Sealing: texts in a form that says nothing without a key, by AES-256-GCM. The place of a text is its additional data,
 * so that it opens there only.
 *
 * Source: NIST SP 800-38D; RFC 5869 (HKDF), by which one secret has a key for each use.
 */
import * as Base64Url from "effect/encoding/Base64Url"
import * as Hex from "effect/encoding/Hex"
import * as Result from "effect/Result"

const encoder = new TextEncoder()

/** The keys derived from a secret for a use. */
export interface Derived {
  /** @param bits a multiple of 8; in hexadecimal */
  readonly bits: (info: string, bits: number) => Promise<string>
  readonly key: (info: string) => Promise<CryptoKey>
}

/** @param secret at least 32 characters, from a random source */
export const derive = async (secret: string): Promise<Derived> => {
  const { subtle } = crypto
  const base = await subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey", "deriveBits"])
  const derivation = (info: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: encoder.encode(info)
  })
  return {
    bits: async (info, bits) => Hex.encode(new Uint8Array(await subtle.deriveBits(derivation(info), base, bits))),
    key: (info) =>
      subtle.deriveKey(derivation(info), base, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
  }
}

const NONCE = 12

export const seal = async (key: CryptoKey, place: string, text: string): Promise<string> => {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE))
  const sealed = await crypto.subtle.encrypt(parameters(iv, place), key, encoder.encode(text))
  const bytes = new Uint8Array(NONCE + sealed.byteLength)
  bytes.set(iv)
  bytes.set(new Uint8Array(sealed), NONCE)
  return Base64Url.encode(bytes)
}

/** The text; null if it was not sealed for the place under this key. */
export const open = async (key: CryptoKey, place: string, sealed: string): Promise<string | null> => {
  const decoded = Base64Url.decode(sealed)
  if (Result.isFailure(decoded) || decoded.success.length <= NONCE) return null
  const bytes = Uint8Array.from(decoded.success)
  try {
    const algorithm = parameters(bytes.subarray(0, NONCE), place)
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, bytes.subarray(NONCE)))
  } catch {
    // WebCrypto says no more than that the tag is wrong.
    return null
  }
}

const parameters = (iv: Uint8Array<ArrayBuffer>, place: string) => ({
  name: "AES-GCM",
  iv,
  additionalData: encoder.encode(place)
})
