/**
 * HMAC-SHA256 with WebCrypto, which is available in Node, Workers, Bun and Deno. Signatures are compared in constant
 * time.
 */
export interface Hmac {
  readonly sign: (line: string, body?: Uint8Array) => Promise<Uint8Array>
  readonly verify: (signature: Uint8Array<ArrayBuffer>, line: string, body?: Uint8Array) => Promise<boolean>
}

const { subtle } = crypto
const encoder = new TextEncoder()

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

export const make = (secret: Uint8Array<ArrayBuffer>): Hmac => {
  // Keeps the key itself rather than a promise of it, because requests in a Worker cannot share promises.
  let kept: CryptoKey | undefined
  const key = async () =>
    (kept ??= await subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]))
  return {
    sign: async (line, body = nothing) => new Uint8Array(await subtle.sign("HMAC", await key(), joined(line, body))),
    verify: async (signature, line, body = nothing) => subtle.verify("HMAC", await key(), signature, joined(line, body))
  }
}

const nothing = new Uint8Array()

const joined = (line: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const head = bytesOf(line)
  const whole = new Uint8Array(head.length + body.length)
  whole.set(head)
  whole.set(body, head.length)
  return whole
}

/** Whether a timestamp in Unix seconds is close enough to `now`, in milliseconds, to rule out a replay. */
export const isRecent = (timestamp: string, now: number): boolean =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(Math.floor(now / 1000) - Number(timestamp)) <= TOLERANCE_SECONDS

/** The tolerance of Standard Webhooks and of ZITADEL. */
const TOLERANCE_SECONDS = 300

/** A server sends two signatures while a secret is being rotated; only an attacker sends more. */
export const MOST_SIGNATURES = 8

/** Decodes base64; returns `null` if the text is not base64. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

/** Decodes hexadecimal digits. */
export const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => (256 + byte).toString(16).slice(1)).join("")
