/** The door's refusals in the log of refused requests. */
import { expect, it } from "vitest"
import { until } from "../../../test/until.ts"
import { LANDLINE, MESSAGE, openWorld } from "./World.ts"

it("are there with the service's words, the account and the masked number", async () => {
  const world = await openWorld()
  const body = { phoneNumber: LANDLINE, message: MESSAGE }
  expect((await world.ask({ call: "send-code", body })).status).toBe(403)
  expect((await world.ask({ call: "send-code", body, authorization: null })).status).toBe(401)
  const { requests } = await until(
    () => world.kit.service.operator.requests(),
    ({ requests }) => requests.length === 2
  )
  const operation = "POST /one-time-password-sms/v1/send-code"
  expect(requests).toMatchObject([
    { account_id: null, operation, status: 401, code: "UNAUTHORIZED" },
    {
      account_id: world.kit.account,
      operation,
      status: 403,
      code: "FORBIDDEN",
      reason: "number_not_allowed",
      to: "+493*******23"
    }
  ])
  await world.dispose()
})
