import { type Key, importRawKey } from "#hmac"

const PREFIX = "whsec_"

/**
 * How many keys are cached: a receiver has one or two secrets, and a sender caches the secrets of its busiest
 * endpoints.
 */
const CAPACITY = 64
const keys = new Map<string, Key>()

/** The HMAC key of a webhook's secret: the bytes that follow `whsec_` in base 64. */
export const webhookKey = async (secret: string): Promise<Key> => {
  const key = keys.get(secret) ?? (await imported(secret))
  // A Map is in the order of insertion: its first key is the least recently used.
  keys.delete(secret)
  keys.set(secret, key)
  const oldest = keys.keys().next()
  if (keys.size > CAPACITY && oldest.done !== true) keys.delete(oldest.value)
  return key
}

const imported = async (secret: string): Promise<Key> => {
  // Programs without types may have no secret.
  const bytes = String(secret).startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : null
  // Node takes an empty key, with which everybody can sign.
  if (bytes === null || bytes.length === 0) throw new TypeError("the secret must be whsec_ and base 64")
  return importRawKey(bytes)
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
