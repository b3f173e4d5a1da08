/** Tokens, correlation ids and bad input of the door, over a socket. */
import { camaraOtp } from "@watchword/camara-otp"
import { watchword } from "@watchword/express"
import { serve } from "@watchword/node"
import express from "express"
import type { Server } from "node:http"
import { UnsecuredJWT } from "jose"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createWatchword, memory } from "watchword"
import { CORRELATOR, MESSAGE, PHONE, type World, openWorld, otherThan } from "./World.ts"

let world: World

beforeEach(async () => {
  world = await openWorld()
})

afterEach(() => world.dispose())

const valid = { phoneNumber: PHONE, message: MESSAGE }

const sendWith = (authorization: string) => world.ask({ call: "send-code", body: valid, authorization })

describe("the bearer token of a request", () => {
  it("may be an API key", async () => {
    const sent = await sendWith(`Bearer ${world.kit.keys.live}`)
    expect(sent.status).toBe(200)
    const { code } = await world.kit.inbox.next(PHONE)
    const body = { authenticationId: sent.body?.["authenticationId"], code }
    const authorization = `bearer  ${world.kit.keys.live}`
    expect((await world.ask({ call: "validate-code", body, authorization })).status).toBe(204)
  })

  it("is refused once its key is revoked, and no token of the key works after that", async () => {
    const { key, key_id } = await world.kit.service.operator.key.create({
      account_id: world.kit.account,
      sandbox: true
    })
    const token = await world.tokenFor(key)
    expect((await sendWith(`Bearer ${token}`)).status).toBe(200)
    await world.kit.service.operator.key.revoke({ key_id })
    for (const bearer of [key, token]) {
      const refused = await sendWith(`Bearer ${bearer}`)
      expect(refused).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" }, correlator: CORRELATOR })
    }
  })

  it("does no more than its key's scopes and account allow", async () => {
    const { account } = world.kit
    const { operator } = world.kit.service
    const { key } = await operator.key.create({ account_id: account, scopes: ["verify:read"] })
    expect(await sendWith(`Bearer ${key}`)).toMatchObject({ status: 403, body: { code: "PERMISSION_DENIED" } })
    const token = await world.tokenFor()
    await operator.account.suspend({ account_id: account })
    expect(await sendWith(`Bearer ${token}`)).toMatchObject({ status: 403, body: { code: "PERMISSION_DENIED" } })
  })

  it("is not one of another installation, without a signature, spoilt, or of another scheme", async () => {
    const other = await openWorld("another secret of an installation")
    const unsigned = new UnsecuredJWT({ ticket: "0" }).setAudience("one-time-password-sms").setExpirationTime("1h")
    const token = await world.tokenFor()
    const spoilt = token.replace(/.(?=.{20}$)/, (letter) => (letter === "A" ? "B" : "A"))
    const bearers = [await other.tokenFor(), unsigned.encode(), spoilt, "x".repeat(8_000)].map(
      (each) => `Bearer ${each}`
    )
    for (const authorization of [
      ...bearers,
      "Bearer",
      `Basic ${btoa(`${world.kit.account}:${world.kit.keys.live}`)}`
    ]) {
      expect(await sendWith(authorization)).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } })
    }
    await other.dispose()
    expect((await sendWith(`Bearer ${token}`)).status).toBe(200)
  })
})

describe("a verification of the door", () => {
  it("is the account's own: other accounts and their keys do not know it", async () => {
    const sent = await world.send()
    const { operator } = world.kit.service
    const { account_id: other } = await operator.account.create()
    const { key } = await operator.key.create({ account_id: other })
    const asked = { call: "validate-code", body: sent, authorization: `Bearer ${key}` } as const
    expect(await world.ask(asked)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } })
  })

  it("leaves a verification of the service's own interface pending", async () => {
    const { account, inbox, service } = world.kit
    const own = await service.verify.start(account, { to: PHONE, workflow: [{ channel: "sms", timeout: 60 }] })
    const { code } = await inbox.next(PHONE)
    await world.send()
    expect(await service.verify.check(account, own.id, { code })).toMatchObject({ valid: true })
  })

  it("has the client's own text, and is refused for an account without texts of its own", async () => {
    const message = "{{code}} opens the door of Acme. Again: {{code}}"
    await world.ask({ call: "send-code", body: { ...valid, message } })
    const { code, text } = await world.kit.inbox.next(PHONE)
    expect(text).toBe(`${code} opens the door of Acme. Again: ${code}`)
    await world.kit.service.operator.account.texts({ account_id: world.kit.account, texts: "templates" })
    await world.kit.clock.advance(31)
    expect(await world.ask({ call: "send-code", body: valid })).toMatchObject({
      status: 403,
      body: { code: "PERMISSION_DENIED", message: expect.stringContaining("texts of its own") }
    })
    expect(world.kit.inbox.all()).toHaveLength(1)
  })

  it("is shown with the door's name to an operator who asks why", async () => {
    await world.send()
    const { items } = await world.kit.service.operator.why({ number: PHONE })
    expect(items.flatMap(({ lines }) => lines)).toContain("started by the door camara")
  })

  it("is sent by the account's workflow camara, if it has one", async () => {
    const { account, inbox, service } = world.kit
    const steps = [{ channel: "bizchat", timeout: 60 }]
    await service.operator.account.workflow.set({ account_id: account, name: "camara", steps })
    await world.ask({ call: "send-code", body: valid })
    expect(await inbox.next(PHONE)).toMatchObject({ channel: "bizchat" })
  })

  it("takes no try for an entry that is no code, and tells when to send again", async () => {
    const sent = await world.send()
    const entered = { ...sent, code: "AJY3" }
    expect(await world.ask({ call: "validate-code", body: entered })).toMatchObject({
      status: 400,
      body: { code: "ONE_TIME_PASSWORD_SMS.INVALID_OTP" }
    })
    const verification = await world.kit.service.verify.get(world.kit.account, sent.authenticationId)
    expect(verification.checks_left).toBe(5)
    const again = await fetch(`${world.url}/v1/send-code`, {
      method: "POST",
      body: JSON.stringify(valid),
      headers: { "content-type": "application/json", authorization: `Bearer ${world.kit.keys.live}` }
    })
    expect([again.status, again.headers.get("retry-after")]).toEqual([429, "30"])
  })

  it("that has failed is known to have failed, whichever code follows", async () => {
    const sent = await world.send()
    const wrong = { ...sent, code: otherThan(sent.code) }
    for (let tried = 0; tried < 5; tried++) await world.ask({ call: "validate-code", body: wrong })
    const after = await world.ask({ call: "validate-code", body: sent })
    expect(after).toMatchObject({ status: 400, body: { code: "ONE_TIME_PASSWORD_SMS.VERIFICATION_FAILED" } })
  })
})

interface Raw {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** The status, the error and the correlation id of an answer to any request. */
const raw = async ({ body = JSON.stringify(valid), headers = {}, method = "POST", path = "v1/send-code" }: Raw) => {
  const response = await fetch(`${world.url}/${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      "x-correlator": CORRELATOR,
      authorization: `Bearer ${world.kit.keys.live}`,
      ...headers
    },
    ...(method === "GET" ? {} : { body })
  })
  const { code, status }: { readonly code?: string; readonly status?: number } = Object(await response.json())
  return [response.status, status, code, response.headers.get("x-correlator")]
}

describe("a request", () => {
  const invalid = [400, 400, "INVALID_ARGUMENT", CORRELATOR]

  it.each<readonly [string, Raw, ReadonlyArray<unknown>]>([
    ["to another path", { path: "v1/send" }, [404, 404, "NOT_FOUND", CORRELATOR]],
    ["with another method", { method: "GET" }, [405, 405, "METHOD_NOT_ALLOWED", CORRELATOR]],
    [
      "of another type",
      { headers: { "content-type": "text/plain" } },
      [415, 415, "UNSUPPORTED_MEDIA_TYPE", CORRELATOR]
    ],
    ["that is not valid JSON", { body: "{" }, invalid],
    ["that is a list", { body: "[]" }, invalid],
    ["with a number that is not valid", { body: JSON.stringify({ ...valid, phoneNumber: "+12345" }) }, invalid],
    ["with a message that is a list", { body: JSON.stringify({ ...valid, message: [MESSAGE] }) }, invalid],
    ["that is too large", { body: JSON.stringify({ ...valid, more: "x".repeat(70_000) }) }, invalid],
    ["with a bad x-correlator", { headers: { "x-correlator": "a b" } }, [400, 400, "INVALID_ARGUMENT", null]],
    ["with a long x-correlator", { headers: { "x-correlator": "a".repeat(257) } }, [400, 400, "INVALID_ARGUMENT", null]]
  ])("%s is refused in the standard's words, and nothing is sent", async (_, request, expected) => {
    expect(await raw(request)).toEqual(expected)
    expect(world.kit.inbox.all()).toEqual([])
  })

  it("may have fields beyond the standard's, and a message of 160 characters beyond the BMP", async () => {
    const message = `{{code}}${"😀".repeat(152)}`
    const { body, status } = await world.ask({ call: "send-code", body: { ...valid, more: 1, message } })
    expect([status, body]).toEqual([200, { authenticationId: expect.any(String) }])
    const { code, text } = await world.kit.inbox.next(PHONE)
    expect(text).toBe(message.replace("{{code}}", code))
  })

  it("names the field that is wrong", async () => {
    const { body } = await world.ask({ call: "send-code", body: { phoneNumber: "3301", message: "No code" } })
    expect(body?.["message"]).toMatch(/^phoneNumber must be .*; message must contain \{\{code\}\}/)
  })
})

describe("the door", () => {
  let closing: ReadonlyArray<() => unknown> = []

  afterEach(async () => {
    for (const close of closing) await close()
    closing = []
  })

  const listening = async (app: express.Express): Promise<string> => {
    const server = await new Promise<Server>((resolve) => {
      const made = app.listen(0, "127.0.0.1", () => resolve(made))
    })
    closing = [() => server.close()]
    const address = server.address()
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
  }

  const post = async (url: string): Promise<number> => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${world.kit.keys.sandbox}` }
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(valid) })
    return response.status
  }

  it.each(["/one-time-password-sms", "/one-time-password-sms/v1"])(
    "is mounted at %s of Express, after a parser",
    async (at) => {
      const url = await listening(
        express()
          .use(express.json())
          .use(at, watchword(camaraOtp(world.kit.service)))
      )
      expect(await post(`${url}/one-time-password-sms/v1/send-code`)).toBe(200)
    }
  )

  it("is mounted at the root of Express, beside the app's own routes", async () => {
    const app = express().use(watchword(camaraOtp(world.kit.service)))
    app.post("/other", (_request, response) => void response.status(418).end())
    const url = await listening(app)
    expect([await post(`${url}/one-time-password-sms/v1/send-code`), await post(`${url}/other`)]).toEqual([200, 418])
  })

  it("answers 503 in the standard's words once its service has ended", async () => {
    const service = await createWatchword({ store: memory() })
    const { close, port } = await serve(camaraOtp(service), { port: 0 })
    closing = [close]
    await service.dispose()
    const response = await fetch(`http://127.0.0.1:${port}/v1/send-code`, {
      method: "POST",
      headers: { authorization: "Bearer sk_test_x", "x-correlator": CORRELATOR }
    })
    expect(await response.json()).toMatchObject({ status: 503, code: "UNAVAILABLE" })
    expect(response.headers.get("x-correlator")).toBe(CORRELATOR)
  })
})
