import { expect, it } from "vitest"
import * as Discovery from "../src/internal/telegramLogin/Discovery.ts"

const ISSUER = "https://provider.example"
const HOUR = 3_600_000
const found = { authorization: `${ISSUER}/authorize`, token: `${ISSUER}/token`, jwks: `${ISSUER}/jwks` }

/** A provider that answers with its document, or not at all. */
const open = () => {
  const provider = { isDown: false, asked: 0 }
  const discovery = Discovery.make(ISSUER, ({ url }) => {
    expect(url).toBe(`${ISSUER}/.well-known/openid-configuration`)
    provider.asked++
    const { authorization, jwks, token } = found
    const document = { issuer: ISSUER, authorization_endpoint: authorization, token_endpoint: token, jwks_uri: jwks }
    return Promise.resolve(provider.isDown ? null : { status: 200, text: JSON.stringify(document) })
  })
  return { provider, discovery }
}

it("a document is asked for once in an hour", async () => {
  const { discovery, provider } = open()
  for (const now of [0, 1_000, HOUR - 1]) expect(await discovery.endpoints(now)).toEqual(found)
  expect(provider.asked).toBe(1)
  expect(await discovery.endpoints(HOUR)).toEqual(found)
  expect(provider.asked).toBe(2)
})

it("the last document serves while it cannot be renewed, and is asked for again after a pause", async () => {
  const { discovery, provider } = open()
  await discovery.endpoints(0)
  provider.isDown = true
  for (const now of [HOUR, HOUR + 1, HOUR + 9_999]) expect(await discovery.atHand(now)).toEqual(found)
  expect(provider.asked).toBe(2)
  expect(await discovery.endpoints(HOUR + 10_000)).toEqual(found)
  expect(provider.asked).toBe(3)
})

it("requests that come while it is renewed do not wait", async () => {
  const { discovery, provider } = open()
  await discovery.endpoints(0)
  const both = await Promise.all([discovery.endpoints(HOUR), discovery.endpoints(HOUR)])
  expect(both).toEqual([found, found])
  expect(provider.asked).toBe(2)
})

it("a start does not ask a provider that has just not answered, and a return does", async () => {
  const { discovery, provider } = open()
  provider.isDown = true
  expect(await discovery.atHand(0)).toBeNull()
  expect(await discovery.atHand(9_999)).toBeNull()
  expect(provider.asked).toBe(1)
  provider.isDown = false
  expect(await discovery.endpoints(5_000)).toEqual(found)
  expect(await discovery.atHand(6_000)).toEqual(found)
  expect(provider.asked).toBe(2)
})
