/**
 * The signature itself: HMAC-SHA256 of the timestamp, a newline and the raw body. The key is the raw
 * 32-byte SHA-256 of the gateway's access token, not its hexadecimal form.
 *
 * Source: the Telegram Gateway API, "Checking the integrity of callbacks".
 */

/** The body exactly as it came over the wire. */
export type RawBody = string | Uint8Array | ArrayBuffer

export const TIMESTAMP = "X-Request-Timestamp"
export const SIGNATURE = "X-Request-Signature"

export const { subtle } = crypto
export const encoder = new TextEncoder()

/** The bytes that are signed. They are a copy: what is verified cannot change before it is parsed. */
export const signedBytes = (timestamp: string, rawBody: RawBody): Uint8Array<ArrayBuffer> => {
  if (typeof rawBody === "string") return encoder.encode(`${timestamp}\n${rawBody}`)
  const prefix = encoder.encode(`${timestamp}\n`)
  // A body that was parsed already, which JavaScript callers may pass by mistake, has nothing to slice.
  const body = new Uint8Array(rawBody.slice())
  const bytes = new Uint8Array(prefix.length + body.length)
  bytes.set(prefix)
  bytes.set(body, prefix.length)
  return bytes
}

// Most receivers have one token. Only the last one's key is kept, so that a token that was replaced is
// forgotten; and the key itself rather than a promise of it, because Workers cannot share those.
let last: CryptoKey
let lastToken: string | undefined

/** The HMAC key of an access token. */
export const keyOf = (token: string): CryptoKey | Promise<CryptoKey> => (token === lastToken ? last : importKey(token))

const importKey = async (token: string): Promise<CryptoKey> => {
  // The key of an empty token is known to everybody.
  if (!token) throw new TypeError("no accessToken")
  const digest = subtle.digest("SHA-256", encoder.encode(token))
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  last = await subtle.importKey("raw", await digest, algorithm, false, ["sign", "verify"])
  lastToken = token
  return last
}
