import { supabase } from "@watchword/auth-hooks/supabase"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { PHONE, SUPABASE_SECRET, type World, openWorld, request, supabaseHeaders, supabasePost } from "./fixture.ts"

let world: World
let post: ReturnType<typeof supabase>["fetch"]

beforeEach(async () => {
  world = await openWorld()
  post = supabase({ ...world.options, secret: SUPABASE_SECRET }).fetch
})

afterEach(async () => {
  vi.useRealTimers()
  await world.service.dispose()
})

const later = (seconds: number): void => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1_000 })
}

describe("the hook of Supabase Auth", () => {
  it("sends the server's code, and answers in JSON", async () => {
    const response = await post(request(supabasePost("123456")))
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(await response.json()).toEqual({})
    expect(await world.shown()).toMatchObject([{ code: "123456" }])
    const { list } = await world.service.verify.list(world.caller)
    expect(list).toMatchObject([{ to: PHONE, purpose: "supabase-sms", status: "pending" }])
  })

  it("sends a repeat once, whose id and timestamp differ, one after the other and at once", async () => {
    const repeats = () => [1, 2, 3].map(() => post(request(supabasePost("123456"))))
    for (const response of await Promise.all(repeats())) expect(await response.json()).toEqual({})
    later(60)
    for (const response of await Promise.all(repeats())) expect(await response.json()).toEqual({})
    expect(await world.shown()).toHaveLength(1)
  })

  it("sends the next code in place of the one before, at the earliest half a minute later", async () => {
    await post(request(supabasePost("123456")))
    const early = await post(request(supabasePost("654321")))
    expect(early.status).toBe(200)
    expect(early.headers.has("retry-after")).toBe(false)
    expect(await early.json()).toMatchObject({ error: { http_code: 429, message: expect.stringContaining("seconds") } })
    later(31)
    expect(await (await post(request(supabasePost("654321")))).json()).toEqual({})
    expect((await world.shown()).map(({ code }) => code)).toEqual(["654321", "123456"])
    const { list } = await world.service.verify.list(world.caller)
    expect(list.map(({ status }) => status)).toEqual(["pending", "canceled"])
  })

  it("sends the code of a second factor beside that of a sign-in", async () => {
    await post(request(supabasePost("123456")))
    await post(request(supabasePost("654321", { sms: { sms_type: "mfa" } })))
    expect(await world.shown()).toHaveLength(2)
  })

  it("takes the number of the message before that of the user, which is the old one of a change", async () => {
    await post(request(supabasePost("123456", { phone: "4915111111111", sms: { phone: PHONE.slice(1) } })))
    expect(await world.shown()).toMatchObject([{ code: "123456" }])
    expect(await world.shown("+4915111111111")).toEqual([])
  })

  it("passes refusals on to the app, and says in the log what the operator has to mend", async () => {
    const refusal = async (phone: string) => {
      const response = await post(request(supabasePost("123456", { phone })))
      expect(response.status).toBe(200)
      return response.json()
    }
    expect(await refusal("123")).toMatchObject({ error: { http_code: 400 } })
    expect(await refusal("491512340402")).toMatchObject({ error: { http_code: 503 } })
    expect(await refusal("491512340480")).toMatchObject({ error: { http_code: 503 } })
    expect(world.log.join()).toContain("PAYMENT_REQUIRED")
    expect(world.log.join()).not.toMatch(/491512340402|123456/)
  })

  it("tries anew what has failed", async () => {
    const busy = () => post(request(supabasePost("123456", { phone: "491512340480" })))
    expect(await (await busy()).json()).toMatchObject({ error: { http_code: 503 } })
    await busy()
    const { list } = await world.service.verify.list(world.caller)
    expect(list.map(({ status }) => status)).toEqual(["failed", "failed"])
  })

  it("takes both secrets while one replaces the other", async () => {
    const next = "v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    const body = supabasePost("123456").body
    const headers = supabaseHeaders(body, new Date(), [next, SUPABASE_SECRET])
    expect((await post(request({ body, headers }))).status).toBe(200)
    const both = supabase({ ...world.options, secret: `${SUPABASE_SECRET}|${next}` }).fetch
    expect((await both(request(supabasePost("123456", { secret: next })))).status).toBe(200)
    expect((await post(request(supabasePost("123456", { secret: next })))).status).toBe(401)
  })

  it("refuses a secret that is not of its form", () => {
    for (const secret of ["", "whsec_", "v1,whsec_*", "secret", []]) {
      expect(() => supabase({ ...world.options, secret })).toThrow("v1,whsec_")
    }
  })
})
