/**
 * The signed content is a line with the timestamp, and the raw body. The signature is its HMAC-SHA256 under a key
 * derived from the gateway's access token.
 *
 * Source: the Telegram Gateway API, "Checking the integrity of callbacks".
 */

/** The body exactly as it came over the wire. */
export type RawBody = string | Uint8Array | ArrayBuffer

export const TIMESTAMP = "X-Request-Timestamp"
export const SIGNATURE = "X-Request-Signature"

export const encoder = new TextEncoder()
