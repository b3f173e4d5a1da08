/**
 * What is signed: a line with the timestamp, and the raw body. The signature is their HMAC-SHA256, whose key is made of
 * the gateway's access token.
 *
 * Source: the Telegram Gateway API, "Checking the integrity of callbacks".
 */

/** The body exactly as it came over the wire. */
export type RawBody = string | Uint8Array | ArrayBuffer

export const TIMESTAMP = "X-Request-Timestamp"
export const SIGNATURE = "X-Request-Signature"

export const encoder = new TextEncoder()

/** The bytes of a body. They are a copy: what is verified cannot change before it is parsed. */
export const copyOf = (rawBody: RawBody): Uint8Array<ArrayBuffer> =>
  // A body that was parsed already, which JavaScript callers may pass by mistake, has nothing to slice.
  typeof rawBody === "string" ? encoder.encode(rawBody) : new Uint8Array(rawBody.slice())
