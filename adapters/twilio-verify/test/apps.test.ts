/** Apps that were written for Twilio, which differ by one line. */
import { createServer } from "node:http"
import { twilioSids } from "@watchword/twilio-verify"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { secondFactor } from "./apps/secondFactor.ts"
import { signUp } from "./apps/signUp.ts"
import { PHONE, type World, openWorld } from "./fixture.ts"

let world: World

beforeEach(async () => {
  world = await openWorld()
})

afterEach(() => world.close())

const environment = () => ({
  TWILIO_ACCOUNT_SID: twilioSids(world.account).account,
  TWILIO_AUTH_TOKEN: world.key,
  VERIFY_SERVICE_SID: world.va,
  VERIFY_URL: world.url
})

const wrongFor = (code: string) => (code === "000000" ? "000001" : "000000")

describe("an app of two routes", () => {
  it("signs a user up", async () => {
    const server = createServer(signUp(environment()))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
    const post = async (path: string, fields: Record<string, string>): Promise<unknown> =>
      (await fetch(`${url}${path}`, { method: "POST", body: new URLSearchParams(fields) })).json()

    expect(await post("/start-verify", { to: "" })).toMatchObject({ success: false })
    expect(await post("/start-verify", { to: "hello" })).toMatchObject({
      success: false,
      error: expect.stringMatching(/^Invalid parameter: To must be/)
    })
    expect(await post("/start-verify", { to: PHONE })).toEqual({ success: true, status: "pending", sends: 1 })
    const code = await world.code()
    expect(await post("/check-verify", { to: PHONE, code: wrongFor(code) })).toEqual({
      success: false,
      message: "Incorrect token."
    })
    expect(await post("/check-verify", { to: PHONE, code })).toEqual({
      success: true,
      message: "Verification success."
    })
    expect(await post("/check-verify", { to: PHONE, code })).toMatchObject({
      code: 20404,
      message: "The code has expired. Request a new one."
    })
    await new Promise((resolve) => (server.closeAllConnections(), server.close(resolve)))
  })
})

describe("an app's second factor", () => {
  it("signs in, locks, gives up and counts", async () => {
    const app = secondFactor(environment())
    const sidOf = async () => {
      const challenge = await app.challenge({ phone: PHONE })
      return "sid" in challenge ? challenge.sid : challenge.wait
    }
    const first = await sidOf()
    expect(await sidOf()).toBe("A code is on its way.")
    expect(await app.answer(first, await world.code())).toBe("signed in")
    world.pass(31_000)
    const second = await sidOf()
    const code = await world.code()
    for (let guess = 0; guess < 5; guess++) expect(await app.answer(second, wrongFor(code))).toBe("wrong code")
    expect(await app.answer(second, code)).toBe("locked")
    world.pass(600_000)
    expect(await app.answer(second, code)).toBe("start again")
    const third = await sidOf()
    expect(await app.giveUp(third)).toBe("canceled")
    expect(await app.conversion()).toBe("1 of 3")
    for (let send = 0; send < 5; send++) {
      world.pass(31_000)
      await sidOf()
    }
    world.pass(31_000)
    expect(await sidOf()).toBe("Too many codes; try again in ten minutes.")
  })
})
