/**
 * The client of a provider: the link to its page, and the number behind the code that comes back.
 *
 * Source: RFC 6749 §4.1, RFC 7636, OpenID Connect Core §3.1; core.telegram.org/bots/telegram-login.
 */
import { E164, parse } from "@watchword/schemas/PhoneNumber"
import { type Secret, textOf } from "@watchword/send/gateway"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Schema from "effect/Schema"
import * as Discovery from "./Discovery.ts"
import type { Exchange } from "./Exchange.ts"
import * as IdToken from "./IdToken.ts"
import { type Fields, fieldsOf, textIn } from "./Json.ts"
import * as Keys from "./Keys.ts"
import type { Link } from "./Links.ts"

/** An app as the provider knows it. */
export interface App {
  readonly clientId: string
  /** Read for each request. */
  readonly clientSecret: Secret
  readonly alg: Keys.Algorithm
  readonly issuer: string
}

/** Why a sign-in shows nothing. The provider's own words are not in it. */
export type Failure = Discovery.Unknown | IdToken.Refusal | "no_answer" | "refused" | "no_id_token"

/** The user's number; null if the user does not share it. */
export interface SignedIn {
  readonly from: E164 | null
}

export interface Client {
  /** Asks where the provider's endpoints are, before they are needed. */
  readonly prepare: (now: number) => Promise<void>
  /** The page at which the user signs in. @param hint the number that a provider of the sandbox proposes */
  readonly authorizeUrl: (link: Link, now: number, hint: E164 | null) => Promise<string>
  /** Exchanges a code, which works once, for the number. */
  readonly signedIn: (code: string, link: Link, now: number) => Promise<SignedIn | Failure>
  /** Whether the provider has answered since it last did not, or has not been missed for a while. */
  readonly isUp: (now: number) => boolean
}

/** How long a provider counts as down that has not been asked again, in milliseconds. */
const DOWN = 300_000

/** The failures that are of the provider itself, and not of a sign-in. */
const OUTAGES: ReadonlySet<Failure> = new Set(["unreachable", "other_issuer", "no_endpoints", "no_answer", "no_keys"])

export const make = ({ alg, clientId, clientSecret, issuer }: App, redirectUri: string, exchange: Exchange): Client => {
  const discovery = Discovery.make(issuer, exchange)
  const keys = Keys.make(alg, exchange)

  const authorizeUrl: Client["authorizeUrl"] = async ({ nonce, state, verifier }, now, hint) => {
    const known = await discovery.atHand(now)
    const url = new URL(known?.authorization ?? `${issuer.replace(/\/$/, "")}/auth`)
    const challenge = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))
    const parameters = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: "openid profile phone",
      state,
      nonce,
      code_challenge: Base64Url.encode(new Uint8Array(challenge)),
      code_challenge_method: "S256",
      ...(hint === null ? {} : { login_hint: hint })
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return url.href
  }

  const tokensFor = async (url: string, code: string, verifier: string): Promise<Fields | Failure> => {
    const answer = await exchange({
      method: "POST",
      url,
      headers: {
        authorization: `Basic ${btoa(`${formEncoded(clientId)}:${formEncoded(textOf(clientSecret))}`)}`,
        "content-type": "application/x-www-form-urlencoded"
      },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        // Telegram's description has it in addition to the header; RFC 6749 §4.1.3 allows it.
        client_id: clientId,
        code_verifier: verifier
      }).toString()
    })
    if (answer === null) return "no_answer"
    if (answer.status !== 200) return answer.status < 500 ? "refused" : "no_answer"
    return fieldsOf(answer.text) ?? "no_id_token"
  }

  const exchanged = async (code: string, { nonce, verifier }: Link, now: number): Promise<SignedIn | Failure> => {
    const endpoints = await discovery.endpoints(now)
    if (typeof endpoints === "string") return endpoints
    const tokens = await tokensFor(endpoints.token, code, verifier)
    if (typeof tokens === "string") return tokens
    const token = textIn(tokens, "id_token")
    if (token === null) return "no_id_token"
    const claims = await IdToken.verified(token, {
      alg,
      issuer,
      clientId,
      nonce,
      keys: (kid) => keys.of(endpoints.jwks, kid, now),
      now
    })
    return typeof claims === "string" ? claims : { from: numberOf(claims) }
  }

  let downSince: number | null = null
  const note = (now: number, result: object | Failure): void => {
    downSince = typeof result === "string" && OUTAGES.has(result) ? now : null
  }

  return {
    prepare: async (now) => note(now, await discovery.endpoints(now)),
    authorizeUrl,
    signedIn: async (code, link, now) => {
      const result = await exchanged(code, link, now)
      note(now, result)
      return result
    },
    isUp: (now) => downSince === null || now - downSince > DOWN
  }
}

/** As HTML forms write it, which both halves of the credentials are before they are joined (RFC 6749 §2.3.1). */
const formEncoded = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1)

const isE164 = Schema.is(E164)

/** Telegram's numbers may be without a plus sign; other providers' numbers may have blanks. */
const numberOf = (claims: Fields): E164 | null => {
  const text = textIn(claims, "phone_number")
  if (text === null || claims["phone_number_verified"] === false) return null
  const digits = text.trim().replace(/^\+?/, "+")
  return isE164(digits) ? digits : parse(digits).number
}
