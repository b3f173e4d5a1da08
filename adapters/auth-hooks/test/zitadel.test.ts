import { zitadel } from "@watchword/auth-hooks/zitadel"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { ZITADEL_KEY, type World, openWorld, request, zitadelPost, zitadelSignature } from "./fixture.ts"

let world: World
let post: ReturnType<typeof zitadel>["fetch"]

beforeEach(async () => {
  world = await openWorld()
  post = zitadel({ ...world.options, signingKey: ZITADEL_KEY }).fetch
})

afterEach(() => world.service.dispose())

describe("the SMS provider of ZITADEL", () => {
  it("sends a code of digits over the channels, for as long as it is good", async () => {
    expect((await post(request(zitadelPost("123456")))).status).toBe(200)
    expect(await world.shown()).toMatchObject([{ code: "123456" }])
    const { list } = await world.service.verify.list(world.caller)
    const [sent] = list
    expect(sent).toMatchObject({ purpose: "zitadel-session-otp-sms-challenged" })
    expect(Date.parse(sent?.expires_at ?? "") - Date.parse(sent?.created_at ?? "")).toBe(300_000)
  })

  it("sends a code of letters in ZITADEL's own text", async () => {
    const eventType = "user.human.phone.code.added"
    expect((await post(request(zitadelPost("0M53RF", { eventType })))).status).toBe(200)
    expect(await world.shown()).toMatchObject([{ text: expect.stringContaining("0M53RF is your one-time password") }])
    expect((await world.service.verify.list(world.caller)).total).toBe(0)
  })

  it.each(["123456", "0M53RF"])("sends a repeat of %s once", async (code) => {
    for (const response of await Promise.all([1, 2, 3].map(() => post(request(zitadelPost(code)))))) {
      expect(response.status).toBe(200)
    }
    expect(await world.shown()).toHaveLength(1)
  })

  it("has the status of a refusal, after which ZITADEL tries again", async () => {
    await post(request(zitadelPost("123456")))
    expect((await post(request(zitadelPost("654321")))).status).toBe(429)
  })

  it("takes a signature by one of several keys", async () => {
    const { body } = zitadelPost("123456")
    const signature = zitadelSignature(body, new Date(), ["another", ZITADEL_KEY])
    expect((await post(request({ body, headers: { "zitadel-signature": signature } }))).status).toBe(200)
  })

  it("needs a signing key", () => {
    expect(() => zitadel({ ...world.options, signingKey: "" })).toThrow("signing key")
  })
})
