/**
 * The requests of the login, compared with openid-client's for the same app.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import * as client from "openid-client"
import { afterEach, beforeEach, expect, it } from "vitest"
import * as Scripted from "./scriptedProvider.ts"
import * as Service from "./service.ts"
import { CLIENT, visit } from "./service.ts"

let provider: Awaited<ReturnType<typeof Scripted.open>>
let service: Awaited<ReturnType<typeof Service.open>>
beforeEach(async () => {
  provider = await Scripted.open()
  service = await Service.open(provider.issuer)
})
afterEach(async () => {
  await service.stop()
  await provider.stop()
})

const configured = (issuer: string) => {
  const metadata = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }
  const authentication = client.ClientSecretBasic(CLIENT.clientSecret)
  const configuration = new client.Configuration(metadata, CLIENT.clientId, CLIENT.clientSecret, authentication)
  client.allowInsecureRequests(configuration)
  return configuration
}

it("the link is openid-client's", async () => {
  const { uri } = await service.start()
  const ours = new URL(uri)
  const { client_id: _, response_type: __, ...parameters } = Object.fromEntries(ours.searchParams)
  const theirs = client.buildAuthorizationUrl(configured(provider.issuer), parameters)
  expect(ours.origin + ours.pathname).toBe(theirs.origin + theirs.pathname)
  expect(Object.fromEntries(ours.searchParams)).toEqual(Object.fromEntries(theirs.searchParams))
  expect(parameters).toMatchObject({
    redirect_uri: `${service.url}/login/telegram`,
    scope: "openid profile phone",
    code_challenge_method: "S256"
  })
})

it("the request for tokens has the fields and credentials of openid-client's", async () => {
  const { uri } = await service.start()
  await visit(provider.back(uri))
  const [ours] = provider.tokenRequests
  const asked = Promise.withResolvers<{ readonly authorization: string | undefined; readonly form: URLSearchParams }>()
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      asked.resolve({ authorization: request.headers.authorization, form: new URLSearchParams(body) })
      response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant"}')
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}`
  const back = new URL(provider.back(uri))
  const checks = {
    pkceCodeVerifier: ours?.form.get("code_verifier") ?? "",
    expectedState: back.searchParams.get("state") ?? ""
  }
  await client.authorizationCodeGrant(configured(issuer), back, checks).catch(() => {})
  const theirs = await asked.promise
  server.close()
  server.closeAllConnections()
  const { client_id: clientId, ...fields } = Object.fromEntries(ours?.form ?? [])
  expect(clientId).toBe(CLIENT.clientId)
  expect(fields).toEqual(Object.fromEntries(theirs.form))
  expect(credentialsIn(ours?.authorization)).toEqual([CLIENT.clientId, CLIENT.clientSecret])
  expect(credentialsIn(ours?.authorization)).toEqual(credentialsIn(theirs.authorization))
})

/** Both halves of Basic credentials, as an authorization server decodes them (RFC 6749 §2.3.1). */
const credentialsIn = (header: string | undefined): ReadonlyArray<string> =>
  Buffer.from(header?.replace("Basic ", "") ?? "", "base64")
    .toString()
    .split(":")
    .map((half) => new URLSearchParams(`x=${half}`).get("x") ?? "")
