/** The door's refusals in the log of refused requests. */
import { twilioSids } from "@watchword/twilio-verify"
import { afterAll, beforeAll, expect, it } from "vitest"
import { until } from "../../../test/until.ts"
import { PHONE, type World, openWorld, pointed, refusalOf } from "./fixture.ts"

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

it("are there with the service's words, the account and the masked number", async () => {
  const create = (client = world.client) =>
    client.verify.v2.services(world.va).verifications.create({ to: PHONE, channel: "sms" })
  await create()
  expect(await refusalOf(create())).toMatchObject({ status: 429, code: 60212 })
  expect(await refusalOf(create(pointed(twilioSids(world.account).account, "wrong", world.url)))).toMatchObject({
    status: 401
  })
  const { requests } = await until(
    () => world.service.operator.requests(),
    ({ requests }) => requests.length === 2
  )
  const operation = "POST /v2/Services/:sid/Verifications"
  expect(requests).toMatchObject([
    { account_id: null, operation, status: 401, code: "UNAUTHORIZED", to: null },
    {
      account_id: world.account,
      operation,
      status: 429,
      code: "TOO_MANY_REQUESTS",
      reason: "resend_too_soon",
      to: "+491********89"
    }
  ])
  expect(JSON.stringify(requests)).not.toContain(world.key)
})
