/**
 * The client sends the contract's requests, with methods that a program generates (test/contract.test.ts).
 */
import { Api } from "@watchword/api/Api"
import { type Client, type Fetch, createClient } from "@watchword/client"
import * as HttpApi from "effect/http-api/HttpApi"
import { expect, it } from "vitest"

const baseUrl = "https://otp.example.com/v1"

/** A client whose requests all get this answer, and the requests that it sent. */
const recording = (answer: () => Response) => {
  const requests: Array<{ readonly url: string; readonly init: RequestInit }> = []
  const fetch: Fetch = (url, init) => {
    requests.push({ url, init })
    return Promise.resolve(answer())
  }
  const client = createClient({ baseUrl: `${baseUrl}/`, apiKey: "sk_test_1", accountId: "acc_1", retries: 1, fetch })
  return { client, requests }
}

const headers = { accept: "application/json", "x-api-key": "sk_test_1", "x-account-id": "acc_1" }
const json = { ...headers, "content-type": "application/json" }
const key = expect.stringMatching(/^[0-9a-f-]{36}$/)

it.each<[string, (client: Client) => Promise<unknown>, string, string, object, string | undefined]>([
  [
    "sends under a key",
    ({ sms }) => sms.send({ to: "+49", text: "" }),
    "POST",
    "/sms",
    { ...json, "idempotency-key": key },
    '{"to":"+49","text":""}'
  ],
  [
    "looks up",
    ({ call }) => call.get("an id/with ?"),
    "GET",
    "/call/flash/an%20id%2Fwith%20%3F/cdr",
    headers,
    undefined
  ],
  [
    "asks with a query",
    ({ sandbox }) => sandbox.inbox({ to: "+49", wait: 3 }),
    "GET",
    "/sandbox/inbox?to=%2B49&wait=3",
    headers,
    undefined
  ],
  ["has an empty body where it may", ({ verify }) => verify.next("a"), "POST", "/verifications/a/next", json, "{}"],
  ["lists the first page", ({ chatgw }) => chatgw.list(), "POST", "/chatgw/tdr", json, '{"page":1}'],
  ["ends", ({ call }) => call.hangup("a"), "DELETE", "/call/flash/a", headers, undefined]
])("%s", async (_, ask, method, path, headers, body) => {
  const { client, requests } = recording(() => Response.json({ list: [] }))
  await ask(client)
  expect(requests).toEqual([
    { url: baseUrl + path, init: expect.objectContaining({ method, headers, redirect: "manual" }) }
  ])
  expect(requests[0]?.init.body).toBe(body)
})

it("sends a code again by the channel that its verification is at", async () => {
  const { client, requests } = recording(() => Response.json({ channel: "sms" }))
  await client.verify.resend("a/b")
  expect(requests.map(({ init, url }) => [init.method, url.slice(baseUrl.length), init.body])).toEqual([
    ["GET", "/verifications/a%2Fb", undefined],
    ["POST", "/verifications/a%2Fb/next", '{"channel":"sms"}']
  ])
})

it.each([
  ["its id", "a", { verification_id: "a", code: "123456" }],
  ["its number", { to: "+49", purpose: "login" }, { to: "+49", purpose: "login", code: "123456" }]
])("names the verification to check by %s", async (_, verification, body) => {
  const { client, requests } = recording(() => Response.json({}))
  await client.verify.check(verification, { code: "123456" })
  expect(requests.map(({ init }) => JSON.parse(String(init.body)))).toEqual([body])
})

it("has a method for each endpoint, and one that is made of two", () => {
  const endpoints: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => endpoints.push(`${group.identifier}.${endpoint.identifier}`)
  })
  const { client } = recording(() => new Response())
  const methods = Object.entries(client).flatMap(([group, own]) => Object.keys(own).map((name) => `${group}.${name}`))
  expect(methods.sort()).toEqual([...endpoints, "verify.resend"].sort())
})

it("repeats each request but for those that a repeat would act by", async () => {
  const limited = () => Response.json({ error: "TOO_MANY_REQUESTS", message: "Wait.", retry_after: 0 }, { status: 429 })
  const { client, requests } = recording(limited)
  const once: Array<string> = []
  for (const [group, methods] of Object.entries(client)) {
    for (const [name, method] of Object.entries<(...args: ReadonlyArray<unknown>) => Promise<unknown>>(methods)) {
      const before = requests.length
      await expect(method("a")).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" })
      if (requests.length === before + 1) once.push(`${group}.${name}`)
    }
  }
  expect(once).toEqual([
    "verify.next",
    "call.hangup",
    "chatgw.checkVerificationStatus",
    "chatgw.revoke",
    "sandbox.clear",
    "sandbox.messageEvent",
    "sandbox.callEvent",
    "sandbox.writeText",
    "sandbox.placeCall",
    "sandbox.logIn"
  ])
})
