/**
 * Signatures of receipts: HMACs, which WebCrypto compares in constant time.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

export type Hash = "SHA-1" | "SHA-256"

const encoder = new TextEncoder()

/** Whether a signature is the HMAC of the data. Never true of an empty key, with which everyone can sign. */
export const isHmac = (
  hash: Hash,
  key: Redacted.Redacted<string | Uint8Array>,
  signature: Uint8Array | null,
  data: Uint8Array
): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const secret = Redacted.value(key)
    const bytes = new Uint8Array(typeof secret === "string" ? encoder.encode(secret) : secret)
    if (signature === null || bytes.length === 0) return false
    const imported = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash }, false, ["verify"])
    return crypto.subtle.verify("HMAC", imported, new Uint8Array(signature), new Uint8Array(data))
  })
