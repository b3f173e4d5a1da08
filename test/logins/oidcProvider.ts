/**
 * oidc-provider as Telegram's stand-in, and a user who signs in by its pages.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import { exportJWK, generateKeyPair } from "jose"
import { Provider } from "oidc-provider"
import { CLIENT } from "./service.ts"

/** The user's choices at the provider's pages. */
export interface User {
  /** Null for a user that has no number there, or does not share it. */
  phone: string | null
  agrees: boolean
}

export const open = async (redirectUri: (issuer: string) => Promise<string>, alg: "RS256" | "ES256" | "EdDSA") => {
  const user: User = { phone: "+4915123456789", agrees: true }
  const server = createServer((request, response) => void listener(request, response))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the provider has no address")
  const issuer = `http://127.0.0.1:${address.port}`
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  const redirect = await redirectUri(issuer)
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirect],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        id_token_signed_response_alg: alg,
        token_endpoint_auth_method: "client_secret_basic"
      }
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: "one", use: "sig", alg }] },
    cookies: { keys: ["a key of cookies"] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    scopes: ["openid", "profile", "phone"],
    claims: { openid: ["sub"], profile: ["name"], phone: ["phone_number", "phone_number_verified"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ sub, name: "Anna", ...(user.phone === null ? {} : { phone_number: user.phone }) })
    })
  })
  const answer = provider.callback()

  const listener: Parameters<typeof createServer>[1] &
    ((...given: Parameters<typeof answer>) => Promise<void>) = async (request, response) => {
    if (request.url?.startsWith("/interaction/") !== true) return void (await answer(request, response))
    const { params, prompt, session } = await provider.interactionDetails(request, response)
    if (!user.agrees) {
      return provider.interactionFinished(request, response, { error: "access_denied", error_description: "no" })
    }
    if (prompt.name === "login") {
      return provider.interactionFinished(request, response, { login: { accountId: "anna" } })
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: String(params["client_id"]) })
    grant.addOIDCScope("openid profile phone")
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }

  /** Opens a link and follows redirects with cookies, up to the address that leads back to the app. */
  const signIn = async (uri: string): Promise<string> => {
    const cookies = new Map<string, string>()
    let at = uri
    for (let hop = 0; hop < 10; hop++) {
      const cookie = [...cookies].map((each) => each.join("=")).join("; ")
      const response = await fetch(at, { headers: { cookie }, redirect: "manual" })
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      const location = response.headers.get("location")
      if (location === null) throw new Error(`the provider answers ${response.status}: ${await response.text()}`)
      at = new URL(location, at).href
      if (at.startsWith(redirect)) return at
    }
    throw new Error("the provider leads nowhere")
  }

  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, "close")
  }
  return { issuer, user, signIn, stop }
}
