/**
 * Codes and id_tokens of the sandbox's Telegram. A code holds its grant, sealed, and the key of id_tokens is made when
 * the first is needed. Nothing is stored, so a user may return to another process than before.
 *
 * Source: RFC 7515, RFC 7517, RFC 7636 §4.6, OpenID Connect Core §2.
 */
import { sha256 } from "@watchword/schemas/Sha256"
import { InstallationSecret, deriveKey, openSealed, sealWith } from "@watchword/send/pipeline"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** The agreement of a user at the page. */
const Grant = Schema.Struct({
  /** Null if the user does not share it. */
  number: Schema.NullOr(Schema.String),
  nonce: Schema.String,
  challenge: Schema.String,
  redirectUri: Schema.String,
  /** Seconds since the epoch. */
  until: Schema.Number
})
export type Grant = typeof Grant.Type

const GrantText = Schema.fromJsonString(Grant)

export interface Tokens {
  readonly code: (grant: Grant) => Promise<string>
  /** The grant of a code, which works once in a process; null for any other. */
  readonly grantOf: (code: string, verifier: string) => Promise<Grant | null>
  readonly idToken: (claims: Readonly<Record<string, unknown>>) => Promise<string>
  readonly keys: () => Promise<{ readonly keys: ReadonlyArray<JsonWebKey & { readonly kid: string }> }>
}

/** How many codes a process remembers as used. */
const MOST_USED = 1_000

const PLACE = "code"

export const make: Effect.Effect<Tokens, never, InstallationSecret> = Effect.map(InstallationSecret, ([given]) => {
  const secret = given ?? Redacted.make(crypto.randomUUID() + crypto.randomUUID())
  const sealing = once(async () => (await deriveKey(Redacted.value(secret))).key("watchword sandbox login"))
  const signing = once(makeKey)
  const used = new Set<string>()
  return {
    code: async (grant) => sealWith(await sealing(), PLACE, Schema.encodeSync(GrantText)(grant)),
    grantOf: async (code, verifier) => {
      const text = await openSealed(await sealing(), PLACE, code)
      const grant = text === null ? null : Option.getOrNull(Schema.decodeOption(GrantText)(text))
      if (grant === null || used.has(code) || grant.challenge !== challengeOf(verifier)) return null
      const [oldest = ""] = used
      if (used.size >= MOST_USED) used.delete(oldest)
      used.add(code)
      return grant
    },
    idToken: async (claims) => {
      const { kid, privateKey } = await signing()
      const signed = `${jsonPart({ alg: "ES256", typ: "JWT", kid })}.${jsonPart(claims)}`
      const algorithm = { name: "ECDSA", hash: "SHA-256" }
      const mac = await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(signed))
      return `${signed}.${Base64Url.encode(new Uint8Array(mac))}`
    },
    keys: async () => ({ keys: [(await signing()).jwk] })
  }
})

const makeKey = async () => {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" }
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, false, ["sign", "verify"])
  const { crv = "", kty = "", x = "", y = "" } = await crypto.subtle.exportKey("jwk", publicKey)
  const kid = sha256(x + y).slice(0, 16)
  return { kid, privateKey, jwk: { kty, crv, x, y, kid, alg: "ES256", use: "sig" } }
}

/** Made when it is first needed: a Worker waits for nothing while it makes its services. */
const once = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: A | null = null
  return async () => (made ??= await make())
}

const jsonPart = (value: unknown): string => Base64Url.encode(JSON.stringify(value))

const challengeOf = (verifier: string): string =>
  Base64Url.encode(Uint8Array.from(sha256(verifier).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)))
