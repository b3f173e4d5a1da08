/**
 * Correlation ids, the order of checks, paths and methods.
 */
import { type CaseOf, group, holds, like, same } from "@watchword/store/checks"
import { MAX_BODY_BYTES } from "../../Host.ts"
import { error, isForeign, success } from "./answers.ts"
import { type Client, JSON_TYPE, each, test } from "./client.ts"

const given = "0C9D7E3A-1111-4222-8333-444455556666"

const correlation: ReadonlyArray<CaseOf<Client>> = group("a correlation id", [
  test("comes back as it was given, with successes and with errors", async ({ message, postJson }) => {
    const answer = await postJson("/sms", message(), { "x-request-id": given })
    success(answer)
    same("id of a success", answer.headers["x-request-id"], given)
    const failure = error(await postJson("/sms", {}, { "x-request-id": given }), 400, "BAD_REQUEST")
    same<unknown>("id of an error", failure["request_id"], given)
  }),

  ...each(
    ["", "no-uuid", `${given}0`, `${given}, ${given}`, "<script>", "0".repeat(2000)],
    (wrong) => `is made where "${wrong.slice(0, 80)}" is sent`,
    async ({ postJson }, wrong) => {
      const answer = await postJson("/sms", {}, { "x-request-id": wrong })
      error(answer, 400, "BAD_REQUEST")
      holds("the answer must not repeat it", !answer.text.includes(wrong === "" ? '"""' : wrong))
    }
  ),

  test("is made where two are sent", async ({ postJson }) => {
    const answer = await postJson("/sms", {}, { "x-request-id": [given, given] })
    holds("the id must be another", answer.headers["x-request-id"] !== given)
    error(answer, 400, "BAD_REQUEST")
  })
])

const anonymous: ReadonlyArray<
  readonly [name: string, headers: (client: Client) => Record<string, string | Array<string>>]
> = [
  ["no headers at all", () => ({})],
  ["no account", ({ target }) => ({ "x-api-key": target.key })],
  ["no key", ({ target }) => ({ "x-account-id": target.account })],
  [
    "an unknown key",
    ({ credentials, target: { key } }) => credentials(`${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`)
  ],
  ["another account", ({ credentials }) => ({ ...credentials(), "x-account-id": "acc_01KAJ3T8ZZ0000000000000000" })],
  ["the key twice", ({ credentials, target }) => ({ ...credentials(), "x-api-key": [target.key, target.key] })]
]

const UNPARSABLE = ["{", "x".repeat(MAX_BODY_BYTES + 1)]

const order: ReadonlyArray<CaseOf<Client>> = group("the order of checks", [
  ...each(
    anonymous,
    ([name]) => `401 before anything else: ${name}`,
    async (client, [, headers]) => {
      const asked = (body: string) =>
        client.ask({ method: "POST", path: "/sms", headers: { ...JSON_TYPE, ...headers(client) }, body })
      for (const body of ["", "{}"]) error(await asked(body), 401, "UNAUTHORIZED")
      for (const body of UNPARSABLE) {
        if (client.host.rawBodies) error(await asked(body), 401, "UNAUTHORIZED")
        else client.unreadable(await asked(body))
      }
    }
  ),

  test("takes a key as a bearer token, which has its account", async ({ ask, credentials, target }) => {
    const asked = (headers: Record<string, string>) =>
      ask({ method: "POST", path: "/sms/sdr", headers: { ...JSON_TYPE, ...headers }, body: "{}" })
    const authorization = `Bearer ${target.key}`
    success(await asked({ authorization }))
    success(await asked({ ...credentials(), authorization }))
    const disagreeing = { "x-api-key": target.readKey, "x-account-id": "acc_01KAJ3T8ZZ0000000000000000" }
    for (const [name, value] of Object.entries(disagreeing)) {
      error(await asked({ authorization, [name]: value }), 401, "UNAUTHORIZED")
    }
    error(await asked({ authorization: "Basic dXNlcjpwYXNz" }), 401, "UNAUTHORIZED")
  }),

  test("403 before 400", async ({ credentials, host, post, target, unreadable }) => {
    const asked = (body: string) => post("/sms", body, credentials(target.readKey))
    for (const body of ["", "{}"]) error(await asked(body), 403, "FORBIDDEN")
    for (const body of UNPARSABLE) {
      if (host.rawBodies) error(await asked(body), 403, "FORBIDDEN")
      else unreadable(await asked(body))
    }
    success(await post("/sms/sdr", "{}", credentials(target.readKey)))
  }),

  test("400 before 404", async ({ postJson }) => {
    error(await postJson("/sms/webhook", { id: "unknown" }), 400, "BAD_REQUEST")
    error(await postJson("/sms/webhook", { id: "unknown", status: "sent" }), 404, "NOT_FOUND")
  })
])

const paths: ReadonlyArray<CaseOf<Client>> = group("paths and methods", [
  ...each(
    [
      "/",
      "",
      "/nope",
      "/sms/",
      "/SMS",
      "//sms",
      "//sms/sdr",
      "/sms/../sms",
      "/./sms",
      "/sms/sdr/more",
      "/%2fsms",
      "/sms%2fsdr",
      "/%ZZ",
      "/%",
      "/%00",
      "/sms/%C3%28/sdr/x",
      "/a".repeat(2000),
      `/${"a".repeat(6000)}`
    ],
    (path) => `POST "${path.slice(0, 20)}" of ${path.length} characters is no endpoint`,
    async ({ ask, noEndpoint }, path) => {
      noEndpoint(await ask({ method: "POST", path, body: "{}" }), { method: "POST", path })
    }
  ),

  ...each(
    ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "SEARCH"],
    (method) => `${method} is no method of /sms`,
    async ({ ask, credentials, wrongMethod }, method) => {
      wrongMethod(await ask({ method, path: "/sms", headers: credentials() }), method)
    }
  ),

  test("HEAD is no endpoint where GET is one", async ({ ask, credentials, message, postJson }) => {
    const { messageId } = success(await postJson("/sms", message()))
    const answer = await ask({ method: "HEAD", path: `/sms/${String(messageId)}/sdr`, headers: credentials() })
    same("status and body", [answer.status, answer.text], [isForeign(answer) ? 404 : 405, ""])
  }),

  test("a query is ignored", async ({ message, postJson }) => {
    success(await postJson("/sms?to=%2B49&x[]=1&%ZZ", message()))
  }),

  test("a record of one channel is in no other", async ({ get, message, number, postJson }) => {
    const { messageId } = success(await postJson("/sms", message()))
    error(await get(`/chatgw/${String(messageId)}/tdr`), 404, "NOT_FOUND")
    const { uuid } = success(await postJson("/bizchat/otp", { to: number(), text: "Your code is 123456" }))
    for (const path of [`/sms/${String(uuid)}/sdr`, `/call/flash/${String(uuid)}/cdr`, `/chatgw/${String(uuid)}/tdr`]) {
      error(await get(path), 404, "NOT_FOUND")
    }
    error(await postJson("/sms/webhook", { id: uuid, status: "sent" }), 404, "NOT_FOUND")
  })
])

const pipelining = test("requests on one connection are answered in their order", async ({ askRaw, target }) => {
  const prefix = new URL(target.baseUrl).pathname.replace(/\/$/, "")
  const one = (id: string, isLast: boolean) =>
    `GET ${prefix}/sms/none/sdr HTTP/1.1\r\nhost: x\r\nx-request-id: ${id}\r\n` +
    `${isLast ? "connection: close\r\n" : ""}\r\n`
  const ids = [1, 2, 3, 4].map((digit) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`)
  const answers = await askRaw(ids.map((id, index) => one(id, index === 3)).join(""))
  const answered = [...answers.matchAll(/^x-request-id: (\S+)/gim)].map(([, id]) => id ?? "")
  like("ids of the answers", answered, ids)
})

export const requests = [...correlation, ...order, ...paths, pipelining]
