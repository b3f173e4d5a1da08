/**
 * Public keys of RSA as PEM files have them.
 *
 * Source: RFC 7468, section 13 (`PUBLIC KEY`); RFC 7518, section 3.3 (at least 2048 bits).
 */
import { sha256 } from "@watchword/schemas/Sha256"

/** A key, and the beginning of its digest; or the mistake in its text. */
export type Read = { readonly id: string; readonly pem: string } | { readonly issue: string }

const HELP = "openssl rsa -in private.key -pubout -out public.pem makes one"

const LEAST_BITS = 2048

export const read = async (text: string): Promise<Read> => {
  if (text.includes("PRIVATE KEY")) return { issue: `is a private key, which stays with the app; ${HELP}` }
  const [, base64] = PEM.exec(text) ?? []
  if (base64 === undefined) return { issue: `must be a PEM file that begins with -----BEGIN PUBLIC KEY-----; ${HELP}` }
  const body = base64.replaceAll(/\s+/g, "")
  const bits = await bitsOf(body)
  if (bits === null) return { issue: `must be a public key of RSA; ${HELP}` }
  if (bits < LEAST_BITS) return { issue: `must have at least ${LEAST_BITS} bits, and has ${bits}` }
  return { id: sha256(body).slice(0, 16), pem: pemOf(body) }
}

const PEM = /-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----/

const pemOf = (body: string): string =>
  ["-----BEGIN PUBLIC KEY-----", ...(body.match(/.{1,64}/g) ?? []), "-----END PUBLIC KEY-----", ""].join("\n")

/** The length of a key's modulus; null for other kinds of keys. */
const bitsOf = async (body: string): Promise<number | null> => {
  try {
    const bytes = Uint8Array.from(atob(body), (character) => character.charCodeAt(0))
    const { algorithm } = await crypto.subtle.importKey("spki", bytes, RS256, true, ["verify"])
    return "modulusLength" in algorithm && typeof algorithm.modulusLength === "number" ? algorithm.modulusLength : null
  } catch {
    return null
  }
}

const RS256 = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }
