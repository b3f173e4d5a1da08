/**
 * The public keys of a provider, by which its tokens are checked. They are kept for an hour; a token under a key that
 * is not among them has them read once more.
 *
 * Source: RFC 7517; RFC 7518 §3 and §6; RFC 8037 and RFC 9864 (Ed25519).
 */
import type { Exchange } from "./Exchange.ts"
import { type Fields, isFields, succeeded, textIn } from "./Json.ts"

/** The algorithms that a login may be signed by. */
export const algorithms = ["RS256", "ES256", "EdDSA"] as const
export type Algorithm = (typeof algorithms)[number]

export interface Keys {
  /**
   * The keys that may have signed a token; null if they cannot be read.
   *
   * @param kid the key that the token names; null for a token that names none
   */
  readonly of: (url: string, kid: string | null, now: number) => Promise<ReadonlyArray<CryptoKey> | null>
}

const KEPT = 3_600_000

/** The most keys of a set that are looked at. */
const MOST = 50

interface Known {
  readonly url: string
  readonly at: number
  readonly all: ReadonlyArray<{ readonly kid: string | null; readonly key: CryptoKey }>
}

export const make = (alg: Algorithm, exchange: Exchange): Keys => {
  let known: Known | null = null

  const load = async (url: string, now: number): Promise<Known | null> => {
    const keys = succeeded(await exchange({ method: "GET", url, headers: {}, body: null }))?.["keys"]
    if (!Array.isArray(keys)) return null
    const read = await Promise.all(keys.slice(0, MOST).map((key: unknown) => keyOf(key, alg)))
    return (known = { url, at: now, all: read.filter((key) => key !== null) })
  }

  return {
    of: async (url, kid, now) => {
      const before = known !== null && known.url === url && now - known.at < KEPT ? known : null
      const found = before === null ? [] : named(before, kid)
      if (found.length > 0) return found
      const loaded = await load(url, now)
      return loaded === null ? null : named(loaded, kid)
    }
  }
}

/** A token that names no key is checked by the only key that there is (OpenID Connect Core §10.1). */
const named = ({ all }: Known, kid: string | null): ReadonlyArray<CryptoKey> => {
  if (kid === null) return all.length === 1 ? all.map(({ key }) => key) : []
  return all.filter((each) => each.kid === kid).map(({ key }) => key)
}

const imports = {
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  EdDSA: { name: "Ed25519" }
} as const satisfies Record<Algorithm, object>

/** The name of the algorithm, which key sets may spell in two ways for one type of key. */
const names: { readonly [A in Algorithm]: ReadonlyArray<unknown> } = {
  RS256: ["RS256"],
  ES256: ["ES256"],
  EdDSA: ["EdDSA", "Ed25519"]
}

/** Whether a key or a token is of the algorithm. */
export const isOf = (alg: Algorithm, name: unknown): boolean => names[alg].includes(name)

/** How long the modulus of an RSA key is at 2048 bits, in characters (RFC 7518 §3.3). */
const LEAST_MODULUS = 342

/** Null for a key that is not for this. */
const keyOf = async (value: unknown, alg: Algorithm) => {
  if (!isFields(value)) return null
  const { alg: own, use } = value
  if ((use !== undefined && use !== "sig") || (own !== undefined && !isOf(alg, own))) return null
  const jwk = publicPart(value, alg)
  if (jwk === null) return null
  try {
    const key = await crypto.subtle.importKey("jwk", jwk, imports[alg], false, ["verify"])
    return { kid: textIn(value, "kid"), key }
  } catch {
    return null
  }
}

const publicPart = (fields: Fields, alg: Algorithm): JsonWebKey | null => {
  const [e, n, x, y] = ["e", "n", "x", "y"].map((name) => textIn(fields, name) ?? "")
  const { crv, kty } = fields
  if (alg === "RS256") return kty === "RSA" && e && n && n.length >= LEAST_MODULUS ? { kty, e, n } : null
  if (alg === "ES256") return kty === "EC" && crv === "P-256" && x && y ? { kty, crv, x, y } : null
  return kty === "OKP" && crv === "Ed25519" && x ? { kty, crv, x } : null
}

const signatures = {
  RS256: { name: "RSASSA-PKCS1-v1_5" },
  ES256: { name: "ECDSA", hash: "SHA-256" },
  EdDSA: { name: "Ed25519" }
} as const satisfies Record<Algorithm, object>

/** Whether a signature is one of the keys. */
export const isSigned = async (
  alg: Algorithm,
  keys: ReadonlyArray<CryptoKey>,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>
): Promise<boolean> => {
  for (const key of keys) if (await crypto.subtle.verify(signatures[alg], key, signature, signed)) return true
  return false
}
