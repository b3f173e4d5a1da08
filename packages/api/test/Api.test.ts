import { Access } from "@watchword/api/Access"
import { Api } from "@watchword/api/Api"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { describe, expect, it } from "vitest"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

const document: { readonly [key: string]: Json } = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))

/** The value at a path of keys. */
const at = (value: Json | undefined, ...keys: ReadonlyArray<string>): Json | undefined =>
  keys.reduce<Json | undefined>(
    (inner, key) =>
      inner instanceof Object && !Array.isArray(inner) && key in inner ? Reflect.get(inner, key) : undefined,
    value
  )

const keysOf = (value: Json | undefined) => Object.keys(value ?? {})

const operation = (path: string, method: string) => at(document, "paths", path, method)

const headersOf = (path: string, method: string) =>
  JSON.stringify(operation(path, method)).match(/"name":"[^"]+","in":"header"/g)

describe("the contract", () => {
  it("has these endpoints, and no others", () => {
    const endpoints: Array<string> = []
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint }) => {
        const { scope, accountRequired } = Context.getUnsafe(endpoint.annotations, Access)
        endpoints.push(`${endpoint.method} ${endpoint.path} ${scope}${accountRequired ? "" : " account optional"}`)
      }
    })
    expect(endpoints).toEqual([
      "POST /verifications verify:send",
      "POST /verifications/check verify:check",
      "POST /verifications/:id/next verify:send",
      "POST /verifications/:id/cancel verify:send",
      "GET /verifications/:id verify:read",
      "POST /verifications/list verify:read",
      "POST /verifications/:id/report verify:report account optional",
      "POST /call/flash call:send",
      "GET /call/flash/:uuid/cdr call:read",
      "POST /call/flash/cdr call:read",
      "DELETE /call/flash/:uuid call:send",
      "POST /call/flash/webhook call:report account optional",
      "POST /sms sms:send",
      "GET /sms/:messageId/sdr sms:read",
      "POST /sms/sdr sms:read",
      "POST /sms/webhook sms:report account optional",
      "POST /chatgw chatgw:send",
      "POST /chatgw/check-send-ability chatgw:send",
      "POST /chatgw/check-verification-status chatgw:send",
      "POST /chatgw/revoke-verification chatgw:send",
      "GET /chatgw/:uuid/tdr chatgw:read",
      "POST /chatgw/tdr chatgw:read",
      "POST /chatgw/webhook chatgw:report account optional",
      "POST /bizchat/otp bizchat:send",
      "GET /bizchat/:uuid/wdr bizchat:read",
      "POST /bizchat/wdr bizchat:read",
      "POST /bizchat/webhook bizchat:report account optional",
      "GET /sandbox/inbox sandbox:read",
      "DELETE /sandbox/inbox sandbox:read",
      "GET /sandbox/phones sandbox:read",
      "GET /sandbox/phones/events sandbox:read",
      "GET /sandbox/phones/:number sandbox:read",
      "PUT /sandbox/phones/:number sandbox:read",
      "DELETE /sandbox/phones/:number sandbox:read",
      "POST /sandbox/messages/:id/events sandbox:read",
      "POST /sandbox/calls/:id/events sandbox:read",
      "POST /sandbox/phones/:number/texts sandbox:read",
      "POST /sandbox/phones/:number/calls sandbox:read",
      "POST /sandbox/phones/:number/logins sandbox:read",
      "POST /requests/list requests:read"
    ])
    const used = new Set(endpoints.map((endpoint) => endpoint.split(" ")[2]))
    expect([...used].toSorted()).toEqual(ChannelRegistry.make(ChannelRegistry.builtIn).scopes.toSorted())
  })
})

describe("the OpenAPI document", () => {
  it("has every status an endpoint can answer", () => {
    expect(keysOf(at(operation("/sms", "post"), "responses"))).toEqual([
      "200",
      "400",
      "401",
      "402",
      "403",
      "404",
      "409",
      "429",
      "480",
      "500",
      "503"
    ])
    expect(keysOf(at(operation("/sms/{messageId}/sdr", "get"), "responses"))).toEqual([
      "200",
      "401",
      "403",
      "404",
      "500",
      "503"
    ])
    expect(keysOf(at(operation("/sms/sdr", "post"), "responses"))).toEqual([
      "200",
      "400",
      "401",
      "403",
      "429",
      "500",
      "503"
    ])
    expect(keysOf(at(operation("/sms/webhook", "post"), "responses"))).toEqual([
      "200",
      "400",
      "401",
      "403",
      "404",
      "409",
      "500",
      "503"
    ])
  })

  it.each([
    ["/chatgw", "post", "200 400 401 402 403 404 409 429 480 500 503"],
    ["/chatgw/check-send-ability", "post", "200 400 401 402 403 404 409 429 480 500 503"],
    ["/chatgw/check-verification-status", "post", "200 400 401 403 404 480 500 503"],
    ["/chatgw/revoke-verification", "post", "200 400 401 403 404 409 480 500 503"],
    ["/chatgw/{uuid}/tdr", "get", "200 401 403 404 500 503"],
    ["/chatgw/tdr", "post", "200 400 401 403 429 500 503"],
    ["/chatgw/webhook", "post", "200 400 401 403 404 409 500 503"],
    ["/verifications", "post", "200 400 401 402 403 409 429 480 500 503"],
    ["/verifications/check", "post", "200 400 401 403 404 409 429 500 503"],
    ["/verifications/{id}/next", "post", "200 400 401 403 404 409 429 500 503"],
    ["/verifications/{id}/cancel", "post", "200 401 403 404 409 500 503"],
    ["/verifications/{id}", "get", "200 400 401 403 404 429 500 503"],
    ["/verifications/list", "post", "200 400 401 403 429 500 503"],
    ["/verifications/{id}/report", "post", "200 400 401 403 404 409 500 503"]
  ])("has the statuses of %s", (path, method, statuses) => {
    expect(keysOf(at(operation(path, method), "responses")).join(" ")).toBe(statuses)
  })

  it("has no status that OpenAPI does not know: 603 is the default answer of a call", () => {
    const statuses = Object.values(Object(at(document, "paths")))
      .flatMap((path) => Object.values(Object(path)))
      .flatMap((each) => Object.keys(Object(Object(each).responses)))
    expect(statuses.filter((status) => !/^[1-5][0-9]{2}$|^default$/.test(status))).toEqual([])
    expect(at(operation("/call/flash", "post"), "responses", "default", "description")).toMatch(/^Status 603\. /)
  })

  it("describes the values of filters, and demands nothing of a list", () => {
    const body = at(document, "components", "schemas", "ListBody")
    expect(at(body, "properties", "filter", "additionalProperties", "anyOf")).toHaveLength(3)
    expect(at(body, "required")).toBeUndefined()
    expect(JSON.stringify(body)).not.toContain('"default"')
  })

  it("has no examples of the headers that tell a repeat, which a page would send again", () => {
    const parameters = JSON.stringify(at(operation("/sms", "post"), "parameters"))
    expect(parameters).toContain("Idempotency-Key")
    expect(parameters).not.toContain('"example"')
  })

  it("says after which time to try again", () => {
    expect(keysOf(at(operation("/sms", "post"), "responses", "429", "headers"))).toContain("retry-after")
  })

  it("has the errors as they travel", () => {
    const schema = at(document, "components", "schemas", "BadRequest")
    expect(new Set(keysOf(at(schema, "properties")))).toEqual(new Set(["error", "message", "request_id", "issues"]))
    expect(at(schema, "properties", "error", "enum")).toEqual(["BAD_REQUEST"])
  })

  it("has both headers of authentication, and either way where the account is optional", () => {
    expect(at(document, "components", "securitySchemes", "apiKey", "name")).toBe("x-api-key")
    expect(at(document, "components", "securitySchemes", "accountId", "name")).toBe("x-account-id")
    expect(at(operation("/sms", "post"), "security")).toEqual([{ apiKey: [], accountId: [] }, { bearer: [] }])
    expect(at(operation("/sms/webhook", "post"), "security")).toEqual([
      { apiKey: [], accountId: [] },
      { apiKey: [] },
      { bearer: [] }
    ])
    expect(at(document, "components", "securitySchemes", "bearer", "scheme")).toBe("bearer")
  })

  it("has the correlation id everywhere, and the idempotency key on sends", () => {
    for (const [path, method] of [
      ["/sms/sdr", "post"],
      ["/sms/webhook", "post"],
      ["/sms/{messageId}/sdr", "get"]
    ] as const) {
      expect(headersOf(path, method)).toEqual(['"name":"x-request-id","in":"header"'])
    }
    expect(headersOf("/sms", "post")).toEqual([
      '"name":"x-request-id","in":"header"',
      '"name":"Idempotency-Key","in":"header"'
    ])
    const checked = operation("/verifications/check", "post")
    expect(JSON.stringify(checked)).toContain("Idempotency-Key")
    expect(JSON.stringify(checked)).not.toContain("Repeating it with the same body within 24 hours is answered 409")
    expect(at(operation("/sms", "post"), "responses", "409", "headers", "x-request-id")).toBeDefined()
  })

  it("refers only to schemas it has, and each is used", () => {
    const text = JSON.stringify(document)
    const used = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name))
    expect([...used].sort()).toEqual(keysOf(at(document, "components", "schemas")).sort())
    expect(text).not.toContain("Encoded")
  })

  it("leaves room for fields that it does not name", () => {
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false')
  })

  it("describes the parameters of URLs", () => {
    const parameters = at(operation("/sandbox/inbox", "get"), "parameters")
    expect(parameters).toMatchObject([
      { name: "to", in: "query", description: expect.any(String) },
      { name: "default_country", in: "query", description: expect.any(String) },
      { name: "channel", in: "query", description: expect.any(String) },
      { name: "after", in: "query", description: expect.any(String) },
      { name: "wait", in: "query", required: false, schema: { type: "integer", minimum: 0, maximum: 30 } },
      { name: "x-request-id", in: "header" }
    ])
  })

  it("describes and summarises every operation", () => {
    for (const path of keysOf(at(document, "paths"))) {
      for (const method of keysOf(at(document, "paths", path))) {
        expect(at(operation(path, method), "summary")).toMatch(/\w/)
        expect(at(operation(path, method), "description")).toMatch(
          /Needs the scope `(?:call|sms|chatgw|bizchat|verify|sandbox|requests):\w+`\./
        )
      }
    }
  })
})
