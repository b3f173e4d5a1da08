/**
 * Reads a PASSporT of the type `shaken` from an Identity header: its claims, and the octets that are signed. Nothing
 * here is checked against the call, nor is the signature.
 *
 * Only the full form can say who vouches how far: `attest` and `origid` are nowhere else in a request, so the compact
 * form has no signature of this type that could be rebuilt.
 *
 * Source: RFC 8225 §4, §5 and §8; RFC 8224 §4.1, §9; RFC 8588 §4 to §6; RFC 7515 §3.1.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HeaderValue from "../HeaderValue.ts"

export interface Passport {
  /** The address of the certificate. */
  readonly x5u: string
  /** Seconds since the epoch. */
  readonly iat: number
  readonly attest: string
  readonly orig: string
  readonly dest: ReadonlyArray<string>
  /** The octets that are signed, and the signature: r and s, of 32 octets each. */
  readonly signed: Uint8Array<ArrayBuffer>
  readonly signature: Uint8Array<ArrayBuffer>
}

const Header = Schema.Struct({
  alg: Schema.Literal("ES256"),
  ppt: Schema.Literal("shaken"),
  typ: Schema.Literal("passport"),
  x5u: Schema.String,
  // Nothing that is critical for others is known here.
  crit: Schema.optionalKey(Schema.Undefined)
})

const One = Schema.String
const Claims = Schema.Struct({
  attest: Schema.String,
  dest: Schema.Struct({ tn: Schema.Union([Schema.Array(One), One]) }),
  iat: Schema.Int,
  orig: Schema.Struct({ tn: One })
})

const headerOf = Schema.decodeUnknownOption(Schema.fromJsonString(Header))
const claimsOf = Schema.decodeUnknownOption(Schema.fromJsonString(Claims))

/** Reads one value of Identity; null if it is of another type, or cannot be read. */
export const read = (value: string): Passport | null => {
  const [token = ""] = HeaderValue.split(value, ";")
  const [, head = "", body = "", sign = ""] = TOKEN.exec(token) ?? []
  const signature = Buffer.from(sign, "base64url")
  if (signature.length !== 64) return null
  const header = Option.getOrNull(headerOf(text(head)))
  const claims = Option.getOrNull(claimsOf(text(body)))
  if (header === null || claims === null || !agrees(value, header.x5u)) return null
  const { attest, dest, iat, orig } = claims
  return {
    x5u: header.x5u,
    iat,
    attest,
    orig: orig.tn,
    dest: typeof dest.tn === "string" ? [dest.tn] : dest.tn,
    signed: new TextEncoder().encode(`${head}.${body}`),
    signature: new Uint8Array(signature)
  }
}

const TOKEN = /^([\w-]+)\.([\w-]+)\.([\w-]+)=*$/

const text = (part: string): string => Buffer.from(part, "base64url").toString()

/** Whether the parameters behind the token, which are not signed, say what its header does. */
const agrees = (value: string, x5u: string): boolean => {
  const info = HeaderValue.parameter(value, "info")?.replace(/^<(.*)>$/, "$1")
  const alg = HeaderValue.parameter(value, "alg")
  const ppt = HeaderValue.parameter(value, "ppt")
  return info?.trim() === x5u && (alg === undefined || alg === "ES256") && (ppt === undefined || ppt === "shaken")
}
