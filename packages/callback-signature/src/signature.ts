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
