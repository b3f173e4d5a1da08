/**
 * The methods of the client, compared with the endpoints of the contract: each endpoint has one, and there are no others.
 */
import { Api } from "@watchword/api/Api"
import { type Fetch, createClient } from "@watchword/client"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { describe, expect, it } from "vitest"

interface Endpoint {
  readonly group: string
  readonly name: string
  readonly method: string
  readonly path: string
}

const endpoints: Array<Endpoint> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { identifier: name, method, path }, group }) => {
    endpoints.push({ group: group.identifier, name, method, path })
  }
})

const document: unknown = OpenApi.fromApi(Api)

const within = (value: unknown, ...keys: ReadonlyArray<string>): unknown =>
  keys.reduce((inner, key) => Object(inner)[key], value)

const operation = ({ method, path }: Endpoint): unknown =>
  within(document, "paths", path.replaceAll(/:(\w+)/g, "{$1}"), method.toLowerCase())

/** Whether requests may have an `Idempotency-Key`. */
const isKeyed = (endpoint: Endpoint): boolean =>
  JSON.stringify(within(operation(endpoint), "parameters")).includes('"Idempotency-Key"')

const hasBody = (endpoint: Endpoint): boolean => within(operation(endpoint), "requestBody") !== undefined

/** A client whose requests go nowhere, and the last of them. */
const recording = () => {
  const requests: Array<{ readonly url: string; readonly init: RequestInit }> = []
  const fetch: Fetch = (url, init) => {
    requests.push({ url, init })
    return Promise.resolve(Response.json({ list: [] }))
  }
  const client = createClient({
    baseUrl: "https://otp.example.com/v1/",
    apiKey: "sk_test_1",
    accountId: "acc_1",
    fetch
  })
  return { client, requests }
}

/** Calls the method of an endpoint as its path and its body want it. */
const call = async (client: object, endpoint: Endpoint): Promise<void> => {
  const method: unknown = within(client, endpoint.group, endpoint.name)
  if (typeof method !== "function") throw new Error(`client.${endpoint.group}.${endpoint.name} is missing`)
  const id = endpoint.path.includes(":") ? ["an id/with ?"] : []
  await Reflect.apply(method, undefined, [...id, ...(hasBody(endpoint) ? [{}] : [])])
}

describe("each endpoint", () => {
  it.each(endpoints)("$method $path is client.$group.$name", async (endpoint) => {
    const { client, requests } = recording()
    await call(client, endpoint)
    expect(requests).toHaveLength(1)
    const [{ init, url } = { init: {}, url: "" }] = requests
    const path = endpoint.path.replace(/:\w+/, "an%20id%2Fwith%20%3F")
    expect({ method: init.method, url }).toEqual({ method: endpoint.method, url: `https://otp.example.com/v1${path}` })
    expect(init.redirect).toBe("manual")
    const { "idempotency-key": key, ...headers } = Object(init.headers)
    expect(headers).toEqual({
      accept: "application/json",
      "x-api-key": "sk_test_1",
      "x-account-id": "acc_1",
      ...(hasBody(endpoint) ? { "content-type": "application/json" } : {})
    })
    expect(key).toEqual(isKeyed(endpoint) ? expect.stringMatching(/^[0-9a-f-]{36}$/) : undefined)
    expect(typeof init.body).toBe(hasBody(endpoint) ? "string" : "undefined")
  })
})

it("there are no other methods", () => {
  const { client } = recording()
  const methods = Object.entries(client).flatMap(([group, methods]) =>
    Object.keys(methods).map((name) => `${group}.${name}`)
  )
  expect(methods.sort()).toEqual(endpoints.map(({ group, name }) => `${group}.${name}`).sort())
})

it("has no method that is repeated but for those that can be", async () => {
  const repeated: Array<string> = []
  for (const endpoint of endpoints) {
    let requests = 0
    const fetch: Fetch = () => {
      requests++
      return Promise.resolve(
        Response.json({ error: "TOO_MANY_REQUESTS", message: "Wait.", retry_after: 0 }, { status: 429 })
      )
    }
    const options = { baseUrl: "https://otp.example.com/v1", apiKey: "k", accountId: "a", retries: 1, fetch }
    await expect(call(createClient(options), endpoint)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" })
    if (requests > 1) repeated.push(`${endpoint.group}.${endpoint.name}`)
  }
  expect(endpoints.map(({ group, name }) => `${group}.${name}`).filter((name) => !repeated.includes(name))).toEqual([
    "verify.next",
    "call.hangup",
    "chat.checkVerificationStatus",
    "chat.revoke",
    "sandbox.clear"
  ])
})
