/** The token endpoint, with the client of `openid-client` and by hand. */
import * as client from "openid-client"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { MESSAGE, PHONE, type World, openWorld } from "./World.ts"

const SCOPE = "one-time-password-sms:send-validate"

let world: World

beforeEach(async () => {
  world = await openWorld()
})

afterEach(() => world.dispose())

const configured = (authentication?: client.ClientAuth, secret = world.kit.keys.live): client.Configuration => {
  const metadata = { issuer: world.url, token_endpoint: `${world.url}/oauth2/token` }
  const config = new client.Configuration(metadata, world.kit.account, secret, authentication)
  client.allowInsecureRequests(config)
  return config
}

describe("openid-client", () => {
  it.each([
    ["in the form", undefined],
    ["by HTTP Basic", client.ClientSecretBasic]
  ])("gets a token of an hour with its secret %s, and verifies a number with the token", async (_, method) => {
    const config = configured(method?.(world.kit.keys.live))
    const tokens = await client.clientCredentialsGrant(config, { scope: SCOPE })
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3_600, scope: SCOPE })
    const post = async (call: string, body: object) =>
      client.fetchProtectedResource(
        config,
        tokens.access_token,
        new URL(`${world.url}/v1/${call}`),
        "POST",
        JSON.stringify(body),
        new Headers({ "content-type": "application/json" })
      )
    const sent: { readonly authenticationId: string } = Object(
      await (await post("send-code", { phoneNumber: PHONE, message: MESSAGE })).json()
    )
    const { code } = await world.kit.inbox.next(PHONE)
    expect((await post("validate-code", { ...sent, code })).status).toBe(204)
  })

  it("reads invalid_client with a wrong secret in the form, and a challenge after HTTP Basic", async () => {
    const wrong = world.kit.keys.live.replace(/.$/, (last) => (last === "0" ? "1" : "0"))
    await expect(client.clientCredentialsGrant(configured(undefined, wrong))).rejects.toMatchObject({
      error: "invalid_client",
      status: 401
    })
    await expect(client.clientCredentialsGrant(configured(client.ClientSecretBasic(wrong)))).rejects.toBeInstanceOf(
      client.WWWAuthenticateChallengeError
    )
  })

  it("reads invalid_scope for a scope of another interface", async () => {
    await expect(client.clientCredentialsGrant(configured(), { scope: "sim-swap:check" })).rejects.toMatchObject({
      error: "invalid_scope"
    })
  })
})

describe("a request for a token", () => {
  const post = async (body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${world.url}/oauth2/token`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "x-correlator": "a-1", ...headers },
      body
    })
    const { error }: { readonly error?: string } = Object(await response.json())
    expect(response.headers.get("x-correlator")).toBe("a-1")
    expect(response.headers.get("cache-control")).toBe("no-store")
    return [response.status, error]
  }

  const credentials = () => `client_id=${world.kit.account}&client_secret=${world.kit.keys.live}`
  const basic = (text: string) => ({ authorization: `Basic ${btoa(text)}` })

  it("has its credentials raw or encoded in the header", async () => {
    const { account, keys } = world.kit
    const encoded = keys.live.replaceAll("_", "%5F")
    for (const secret of [keys.live, encoded]) {
      expect(await post("grant_type=client_credentials", basic(`${account}:${secret}`))).toEqual([200, undefined])
    }
  })

  it.each<readonly [string, () => readonly [string, Record<string, string>?], readonly [number, string]]>([
    ["without a grant", () => [credentials()], [400, "invalid_request"]],
    ["of another grant", () => [`${credentials()}&grant_type=password`], [400, "unsupported_grant_type"]],
    ["without a client", () => ["grant_type=client_credentials"], [401, "invalid_client"]],
    [
      "with a parameter twice",
      () => [`${credentials()}&grant_type=client_credentials&grant_type=client_credentials`],
      [400, "invalid_request"]
    ],
    [
      "of another account",
      () => [
        `client_id=acc_01KAJ3T8ZZ0000000000000000&client_secret=${world.kit.keys.live}&grant_type=client_credentials`
      ],
      [401, "invalid_client"]
    ],
    [
      "as JSON",
      () => [JSON.stringify({ grant_type: "client_credentials" }), { "content-type": "application/json" }],
      [400, "invalid_request"]
    ],
    [
      "with its secret in two places",
      () => [`${credentials()}&grant_type=client_credentials`, basic(`${world.kit.account}:${world.kit.keys.live}`)],
      [400, "invalid_request"]
    ],
    [
      "with a header that is not form-encoded",
      () => ["grant_type=client_credentials", basic("a:%")],
      [401, "invalid_client"]
    ],
    ["that is too large", () => [`${credentials()}&more=${"x".repeat(10_000)}`], [400, "invalid_request"]]
  ])("%s is refused in the words of OAuth", async (_, request, expected) => {
    expect(await post(...request())).toEqual(expected)
  })

  it("gets no longer token than its key lives", async () => {
    const expires = new Date(world.kit.clock.now().getTime() + 60_000).toISOString()
    const { key } = await world.kit.service.operator.key.create({ account_id: world.kit.account, expires })
    const authorization = `Bearer ${await world.tokenFor(key)}`
    const asked = { call: "send-code", body: { phoneNumber: PHONE, message: MESSAGE }, authorization } as const
    expect((await world.ask(asked)).status).toBe(200)
    await world.kit.clock.advance(61)
    expect((await world.ask(asked)).status).toBe(401)
  })
})
