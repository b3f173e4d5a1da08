import type { Hmac } from "./Hmac.ts"
import { encoder } from "./signature.ts"

const subtle = crypto.subtle

export type Key = CryptoKey
type Web = Hmac<Key>

export const copyOf: Web["copyOf"] = (rawBody) =>
  typeof rawBody === "string" ? encoder.encode(rawBody) : new Uint8Array(rawBody.slice())

export const importKey: Web["importKey"] = async (token) => {
  const digest = await subtle.digest("SHA-256", encoder.encode(token))
  return subtle.importKey("raw", digest, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"])
}

// Bundles without webhooks leave this out.
export const importRawKey: Web["importRawKey"] = (bytes) =>
  subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"])

export const sign: Web["sign"] = async (key, line, body) => {
  const signature = new Uint8Array(await subtle.sign("HMAC", key, joined(line, body)))
  return [...signature].map((byte) => (256 + byte).toString(16).slice(1)).join("")
}

export const verify: Web["verify"] = (key, signature, line, body) =>
  subtle.verify("HMAC", key, fromHex(signature), joined(line, body))

const joined = (line: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(line.length + body.length)
  encoder.encodeInto(line, bytes)
  bytes.set(body, line.length)
  return bytes
}

/** The bytes of 64 hexadecimal digits. */
const fromHex = (hex: string): Uint8Array<ArrayBuffer> => {
  const bytes = encoder.encode(hex)
  let last = 0
  let at = 0
  for (const digit of bytes) {
    // The lower half of a letter is its value less nine. The lowest byte of `last` overwrites the characters that were
    // read.
    last = (last << 4) | ((digit + (digit >> 6) * 9) & 15)
    bytes[at++ >> 1] = last
  }
  return bytes.slice(0, 32)
}
