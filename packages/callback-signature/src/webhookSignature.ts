/**
 * The signed content of a webhook is its id, the timestamp of the attempt and the raw body, joined by dots.
 *
 * Source: https://github.com/standard-webhooks/standard-webhooks, "Signature scheme" (symmetric, `v1`).
 */
export const WEBHOOK_ID = "webhook-id"
export const WEBHOOK_TIMESTAMP = "webhook-timestamp"
export const WEBHOOK_SIGNATURE = "webhook-signature"

/** The signed line before the body. */
export const lineOf = (id: string, timestamp: string): string => `${id}.${timestamp}.`

/** Hexadecimal digits as base 64. */
export const base64Of = (hex: string): string =>
  btoa(String.fromCharCode(...(hex.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16))))

/** Converts 32 bytes from base 64 to hexadecimal digits; null if the text is not 32 bytes of base 64. */
export const hexOf = (base64: string): string | null => {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(base64)) return null
  return Array.from(atob(base64), (character) => (256 + character.charCodeAt(0)).toString(16).slice(1)).join("")
}
