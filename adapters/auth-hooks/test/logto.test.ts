import { TemplateType, sendMessageDataGuard } from "@logto/connector-kit"
import { logto } from "@watchword/auth-hooks/logto"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { LOGTO_AUTHORIZATION, type World, logtoBody, logtoPost, openWorld, request } from "./fixture.ts"

let world: World
let post: ReturnType<typeof logto>["fetch"]

beforeEach(async () => {
  world = await openWorld()
  post = logto({ ...world.options, authorization: LOGTO_AUTHORIZATION }).fetch
})

afterEach(async () => {
  vi.useRealTimers()
  await world.service.dispose()
})

describe("the connector of Logto", () => {
  it.each(Object.values(TemplateType))("has the code of %s sent, in the user's language", async (type) => {
    const message = sendMessageDataGuard.parse(logtoBody("123456", { type }))
    const response = await post(request({ ...logtoPost("123456"), body: JSON.stringify(message) }))
    expect(response.status).toBe(200)
    expect(await world.shown()).toMatchObject([{ code: "123456" }])
    const { list } = await world.service.verify.list(world.caller)
    expect(list).toMatchObject([{ purpose: `logto-${type.toLowerCase()}` }])
  })

  it("sends a repeat once", async () => {
    for (const response of await Promise.all([1, 2].map(() => post(request(logtoPost("123456")))))) {
      expect(response.status).toBe(200)
    }
    expect(await world.shown()).toHaveLength(1)
  })

  it("has the status of a refusal, whose text Logto shows in its log", async () => {
    await post(request(logtoPost("123456")))
    const early = await post(request(logtoPost("654321")))
    expect(early.status).toBe(429)
    expect(Number(early.headers.get("retry-after"))).toBeGreaterThan(0)
    expect((await post(request(logtoPost("123456", { to: "+491512340402" })))).status).toBe(503)
    expect((await post(request(logtoPost("123456", { to: "none" })))).status).toBe(400)
  })

  it("refuses a message without a code, or without a number", async () => {
    const type = TemplateType.OrganizationInvitation
    const invitation = await post(request(logtoPost("", { type, payload: { link: "https://id.example" } })))
    expect(invitation.status).toBe(400)
    expect((await post(request(logtoPost("123456", { to: undefined })))).status).toBe(400)
    expect((await post(request({ ...logtoPost("123456"), body: "{" }))).status).toBe(400)
  })

  it("leaves out a language or an address that is none", async () => {
    const odd = logtoPost("123456", { payload: { code: "123456", locale: "??" }, ip: "unknown" })
    expect((await post(request(odd))).status).toBe(200)
  })

  it("takes what its options say of a message", async () => {
    const start = ({ type }: { type: string }) => ({ purpose: type === "SignIn" ? "login" : "other", ttl: 120 })
    const { fetch } = logto({ ...world.options, authorization: LOGTO_AUTHORIZATION, start })
    await fetch(request(logtoPost("123456")))
    const { list } = await world.service.verify.list(world.caller)
    expect(list).toMatchObject([{ purpose: "login" }])
  })

  it("needs an authorization", () => {
    expect(() => logto({ ...world.options, authorization: "" })).toThrow("authorization")
  })
})
