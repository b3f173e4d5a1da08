/**
 * A provider whose every answer a test chooses: tokens that are wrong in one thing, keys that change, silence.
 */
import { createHash } from "node:crypto"
import { once } from "node:events"
import { type IncomingMessage, type ServerResponse, createServer } from "node:http"
import { text } from "node:stream/consumers"
import { type CryptoKey, type JWK, SignJWT, exportJWK, generateKeyPair } from "jose"
import { CLIENT, NUMBER } from "./service.ts"

interface Signer {
  readonly alg: string
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly jwk: JWK
}

export const signer = async (alg: string, kid: string): Promise<Signer> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } }
}

/** How one token differs from a right one. */
export interface Wrong {
  readonly claims?: Readonly<Record<string, unknown>>
  /** Claims that are left out. */
  readonly without?: ReadonlyArray<string>
  readonly header?: Readonly<Record<string, unknown>>
  readonly by?: Signer
  /** What becomes of the token at last. */
  readonly spoil?: (token: string) => string
}

interface Script {
  wrong: Wrong
  /** The key set. */
  keys: ReadonlyArray<unknown>
  /** Answers of endpoints that are not the usual ones, by their paths. */
  readonly answers: Map<string, (response: ServerResponse) => void>
  /** Members of the discovery document that are not the usual ones. */
  metadata: Readonly<Record<string, unknown>>
  /** Characters that an answer with a right token has in addition. */
  padding: number
}

export const open = async () => {
  const first = await signer("RS256", "one")
  const script: Script = { wrong: {}, keys: [first.jwk], answers: new Map(), metadata: {}, padding: 0 }
  /** The paths that were asked, in their order. */
  const asked: Array<string> = []
  const tokenRequests: Array<{ readonly authorization: string | undefined; readonly form: URLSearchParams }> = []
  let issuer = ""

  const json = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))

  const tokenOf = async (nonce: string): Promise<string> => {
    const { by = first, claims, header, spoil = (token) => token, without = [] } = script.wrong
    const now = Math.floor(Date.now() / 1000)
    const right = { iss: issuer, aud: CLIENT.clientId, sub: "42", nonce, iat: now, exp: now + 60, phone_number: NUMBER }
    const all = Object.entries({ ...right, ...claims }).filter(([name]) => !without.includes(name))
    const protectedHeader = { alg: by.alg, kid: by.kid, ...header }
    return spoil(await new SignJWT(Object.fromEntries(all)).setProtectedHeader(protectedHeader).sign(by.privateKey))
  }

  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await text(request))
    tokenRequests.push({ authorization: request.headers.authorization, form })
    // The code is the nonce and the challenge of the link, which a user of the test has read.
    const [nonce = "", challenge = ""] = (form.get("code") ?? "").split(" ")
    const digest = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url")
    if (digest !== challenge) return json(response, 400, { error: "invalid_grant" })
    return json(response, 200, {
      access_token: "x",
      token_type: "Bearer",
      id_token: await tokenOf(nonce),
      padding: "A".repeat(script.padding)
    })
  }

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://x")
    asked.push(pathname)
    const own = script.answers.get(pathname)
    if (own !== undefined) return own(response)
    if (pathname === "/.well-known/openid-configuration") {
      json(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        ...script.metadata
      })
    } else if (pathname === "/jwks") json(response, 200, { keys: script.keys })
    else void take(request, response)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the provider has no address")
  issuer = `http://127.0.0.1:${address.port}`

  /** The address that a user who has agreed comes back to. */
  const back = (uri: string, more: Readonly<Record<string, string>> = {}): string => {
    const { searchParams } = new URL(uri)
    const code = `${searchParams.get("nonce")} ${searchParams.get("code_challenge")}`
    return `${searchParams.get("redirect_uri")}?${new URLSearchParams({ code, state: searchParams.get("state") ?? "", ...more })}`
  }

  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, "close")
  }
  return { issuer, script, asked, tokenRequests, back, stop }
}
