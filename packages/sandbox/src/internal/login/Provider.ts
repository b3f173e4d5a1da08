/**
 * Telegram as the sandbox plays it for Telegram Login: a page at which anyone signs in with any number, and the
 * endpoints of an OpenID provider, which the service asks without a network.
 *
 * Source: core.telegram.org/bots/telegram-login; OpenID Connect Core §3.1, RFC 7636, RFC 9207.
 */
import type { Answered, App, Asked, Playing } from "@watchword/chatgw/telegramLogin"
import { parse } from "@watchword/schemas/PhoneNumber"
import { sha256 } from "@watchword/schemas/Sha256"
import type { VisitRequest, VisitResponse } from "@watchword/send/gateway"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Page from "./Page.ts"
import * as Tokens from "./Tokens.ts"

const PLACE = "/sandbox/telegram"
const PAGE = `${PLACE}/auth` as const

/** It works only for this app and within the sandbox, so the secret need not be secret. */
const CLIENT = { clientId: "sandbox", clientSecret: "sandbox", alg: "ES256" } as const

/** How long a code works, and an id_token, in seconds. */
const CODE = 60
const TOKEN = 3_600

export const provider: Playing = {
  visits: [
    { method: "GET", path: PAGE },
    { method: "POST", path: PAGE }
  ],
  open: Effect.fnUntraced(function* (base, returnPath) {
    const tokens = yield* Tokens.make
    const clock = yield* Clock.Clock
    const seconds = () => Math.floor(clock.currentTimeMillisUnsafe() / 1000)
    const appAt = (at: string): App => ({ ...CLIENT, issuer: at + PLACE })

    const answered = async ({ body, headers, url }: Asked): Promise<Answered> => {
      const { pathname } = new URL(url)
      const issuer = url.slice(0, url.lastIndexOf(PLACE) + PLACE.length)
      if (pathname.endsWith("/.well-known/openid-configuration")) return json(200, metadataOf(issuer))
      if (pathname.endsWith("/jwks")) return json(200, await tokens.keys())
      if (headers["authorization"] !== `Basic ${btoa(`${CLIENT.clientId}:${CLIENT.clientSecret}`)}`) {
        return json(401, { error: "invalid_client" })
      }
      return tokensFor(issuer, new URLSearchParams(body ?? ""))
    }

    const tokensFor = async (issuer: string, form: URLSearchParams): Promise<Answered> => {
      const grant = await tokens.grantOf(form.get("code") ?? "", form.get("code_verifier") ?? "")
      const now = seconds()
      if (grant === null || grant.until <= now || grant.redirectUri !== form.get("redirect_uri")) {
        return json(400, { error: "invalid_grant" })
      }
      const { nonce, number } = grant
      const user = { sub: sha256(number ?? nonce).slice(0, 20), ...(number === null ? {} : { phone_number: number }) }
      const claims = { iss: issuer, aud: CLIENT.clientId, iat: now, exp: now + TOKEN, nonce, ...user }
      return json(200, { token_type: "Bearer", expires_in: TOKEN, id_token: await tokens.idToken(claims) })
    }

    /** Back to the service, where the user's answer is that of the page. */
    const decided = async (at: string, form: URLSearchParams): Promise<VisitResponse> => {
      const choice = form.get("choice")
      const back = (more: Readonly<Record<string, string>>) => redirect(at, { ...more, state: form.get("state") ?? "" })
      if (choice === "cancel") return back({ error: "access_denied" })
      const number = choice === "share" ? parse(form.get("number") ?? "").number : null
      if (choice === "share" && number === null) return Page.ask(form, "Write the number with its country: +49 151 …")
      const grant = {
        number,
        nonce: form.get("nonce") ?? "",
        challenge: form.get("code_challenge") ?? "",
        redirectUri: at + returnPath,
        until: seconds() + CODE
      }
      return back({ code: await tokens.code(grant) })
    }

    const redirect = (at: string, parameters: Readonly<Record<string, string>>): VisitResponse => {
      const query = new URLSearchParams({ ...parameters, iss: at + PLACE })
      return { status: 303, headers: { location: `${at}${returnPath}?${query}` }, body: "" }
    }

    const visited = async ({ form, method, query }: VisitRequest): Promise<VisitResponse> => {
      const at = base()
      const asked = method === "GET" ? query : form
      if (at === undefined || !isAsked(asked, at + returnPath)) return Page.refused()
      return method === "GET" ? Page.ask(asked, null) : decided(at, asked)
    }

    return { appAt, exchange: answered, visit: (request) => Effect.promise(() => visited(request)) }
  })
}

/** Whether the service itself has made a request: the page leads nowhere else. */
const isAsked = (asked: URLSearchParams, redirectUri: string): boolean =>
  asked.get("client_id") === CLIENT.clientId &&
  asked.get("redirect_uri") === redirectUri &&
  asked.get("response_type") === "code" &&
  asked.get("code_challenge_method") === "S256"

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ["code"],
  id_token_signing_alg_values_supported: [CLIENT.alg],
  code_challenge_methods_supported: ["S256"]
})

const json = (status: number, body: unknown): Answered => ({ status, text: JSON.stringify(body) })
