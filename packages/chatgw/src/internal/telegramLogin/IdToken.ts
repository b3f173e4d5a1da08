/**
 * Checks of an id_token, the only place in which Telegram says whose number it is.
 *
 * Source: OpenID Connect Core §3.1.3.7; RFC 7515 §5.2; RFC 8725 §3.1 (an algorithm that is fixed beforehand).
 */
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import { type Fields, fieldsOf, numberIn, textIn } from "./Json.ts"
import { type Algorithm, isOf, isSigned } from "./Keys.ts"

export interface Expected {
  readonly alg: Algorithm
  readonly issuer: string
  readonly clientId: string
  readonly nonce: string
  /** The keys that may have signed it; null if they cannot be read. */
  readonly keys: (kid: string | null) => Promise<ReadonlyArray<CryptoKey> | null>
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Why a token is not taken. */
export type Refusal =
  | "malformed"
  | "wrong_algorithm"
  | "no_keys"
  | "wrong_signature"
  | "wrong_issuer"
  | "wrong_audience"
  | "wrong_nonce"
  | "expired"
  | "too_old"
  | "not_yet"

/** How far the clocks of two machines may differ, in seconds. */
const SKEW = 30

/** How old a token may be that was made for the code that has just been exchanged, in seconds. */
const OLDEST = 600

/** The longest token that is looked at, in characters. */
const LONGEST = 16_384

/** The claims of a token. */
export const verified = async (token: string, expected: Expected): Promise<Fields | Refusal> => {
  const [head, body, mac, ...more] = token.split(".")
  if (!head || !body || !mac || more.length > 0 || token.length > LONGEST) return "malformed"
  const [header, claims, signature] = [jsonOf(head), jsonOf(body), bytesOf(mac)]
  // A header that must be understood is not understood here (RFC 7515 §4.1.11).
  if (header === null || claims === null || signature === null || header["crit"] !== undefined) return "malformed"
  if (!isOf(expected.alg, header["alg"])) return "wrong_algorithm"
  const keys = await expected.keys(textIn(header, "kid"))
  if (keys === null) return "no_keys"
  const signed = new TextEncoder().encode(`${head}.${body}`)
  if (!(await isSigned(expected.alg, keys, signature, signed))) return "wrong_signature"
  return refusalOf(claims, expected) ?? claims
}

const refusalOf = (claims: Fields, { clientId, issuer, nonce, now }: Expected): Refusal | null => {
  const seconds = now / 1000
  if (claims["iss"] !== issuer) return "wrong_issuer"
  if (!isFor(claims, clientId)) return "wrong_audience"
  // Telegram's tokens have had no nonce, though the link has one: the code verifier binds the code to the link as well
  // (RFC 9700 §2.1.1), so that only another nonce is a fault.
  if (claims["nonce"] !== undefined && claims["nonce"] !== nonce) return "wrong_nonce"
  const [exp, iat] = [numberIn(claims, "exp"), numberIn(claims, "iat")]
  if (exp === null || iat === null || textIn(claims, "sub") === null) return "malformed"
  if (exp + SKEW <= seconds) return "expired"
  if (iat + OLDEST + SKEW <= seconds) return "too_old"
  return iat - SKEW > seconds || (numberIn(claims, "nbf") ?? 0) - SKEW > seconds ? "not_yet" : null
}

/** Whether a token is for the client: where it is for others too, it must say that the client asked for it. */
const isFor = ({ aud, azp }: Fields, clientId: string): boolean => {
  if (azp !== undefined && azp !== clientId) return false
  if (!Array.isArray(aud)) return aud === clientId
  return aud.includes(clientId) && (aud.length === 1 || azp === clientId)
}

const jsonOf = (part: string): Fields | null => {
  const bytes = bytesOf(part)
  return bytes === null ? null : fieldsOf(new TextDecoder().decode(bytes))
}

const bytesOf = (part: string): Uint8Array<ArrayBuffer> | null => {
  const decoded = Base64Url.decode(part)
  return Result.isSuccess(decoded) ? Uint8Array.from(decoded.success) : null
}
