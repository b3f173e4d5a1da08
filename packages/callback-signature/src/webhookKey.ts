import { type Key, importRawKey } from "#hmac"

const PREFIX = "whsec_"

/** The HMAC key of a webhook's secret: the bytes that stand in base 64 behind `whsec_`. */
export const webhookKey = async (secret: string): Promise<Key> => {
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
