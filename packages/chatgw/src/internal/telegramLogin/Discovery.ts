/**
 * Where a provider's endpoints are, as its discovery document says. It is kept for an hour. While it is renewed, and
 * where that fails, the last one serves.
 *
 * Source: OpenID Connect Discovery 1.0 §4.
 */
import type { Exchange } from "./Exchange.ts"
import { type Fields, succeeded, textIn } from "./Json.ts"

export interface Endpoints {
  readonly authorization: string
  readonly token: string
  readonly jwks: string
}

/** Why a provider's endpoints are not known. */
export type Unknown = "unreachable" | "other_issuer" | "no_endpoints"

export interface Discovery {
  /** The endpoints, asked for where they are not known, or old. @param now milliseconds since the epoch */
  readonly endpoints: (now: number) => Promise<Endpoints | Unknown>
  /** The same for a start, which does not wait for a provider that has just not answered; null without any. */
  readonly atHand: (now: number) => Promise<Endpoints | null>
}

const KEPT = 3_600_000

/** The pause of renewals, and of questions for a start after one, in milliseconds. */
const PAUSE = 10_000

export const make = (issuer: string, exchange: Exchange): Discovery => {
  let known: Endpoints | null = null
  let renewAt = 0

  const endpoints: Discovery["endpoints"] = async (now) => {
    if (known !== null && now < renewAt) return known
    // Other requests use the known endpoints until the answer comes: requests of a Worker share no promise.
    renewAt = now + PAUSE
    const read = await discover(issuer, exchange)
    if (typeof read === "string") return known ?? read
    known = read
    renewAt = now + KEPT
    return read
  }

  return {
    endpoints,
    atHand: async (now) => {
      if (known === null && now < renewAt) return null
      const found = await endpoints(now)
      return typeof found === "string" ? null : found
    }
  }
}

/** Asks for the document. */
export const discover = async (issuer: string, exchange: Exchange): Promise<Endpoints | Unknown> => {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`
  const fields = succeeded(await exchange({ method: "GET", url, headers: {}, body: null }))
  if (fields === null) return "unreachable"
  if (fields["issuer"] !== issuer) return "other_issuer"
  const names = ["authorization_endpoint", "token_endpoint", "jwks_uri"]
  const [authorization, token, jwks] = names.map((name) => addressIn(fields, name, issuer))
  return authorization && token && jwks ? { authorization, token, jwks } : "no_endpoints"
}

/** An address over TLS, unless the issuer itself is without it. */
const addressIn = (fields: Fields, name: string, issuer: string): string | null => {
  const address = textIn(fields, name)
  if (address === null || !URL.canParse(address)) return null
  const { protocol } = new URL(address)
  return protocol === "https:" || protocol === new URL(issuer).protocol ? address : null
}
