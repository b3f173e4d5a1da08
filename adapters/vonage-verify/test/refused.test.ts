/** The door's refusals in the log of refused requests. */
import { expect, it } from "vitest"
import { until } from "../../../test/until.ts"
import { PHONE, openWorld, send, tokenOf } from "./fixture.ts"

it("are there with the account of a token, the status of the door and the service's code", async () => {
  const world = await openWorld()
  const body = { brand: "Acme", workflow: [{ channel: "sms", to: PHONE }], locale: "?" }
  const refused = await send(world, "POST", "/v2/verify", { authorization: `Bearer ${await tokenOf(world)}`, body })
  expect(refused.status).toBe(422)
  expect((await send(world, "POST", "/v2/verify", { authorization: "Bearer wrong", body })).status).toBe(401)
  const { requests } = await until(
    () => world.service.operator.requests(),
    ({ requests }) => requests.length === 2
  )
  expect(requests).toMatchObject([
    { account_id: null, operation: "POST /v2/verify", status: 401, code: "UNAUTHORIZED" },
    { account_id: world.account, operation: "POST /v2/verify", status: 422, code: "BAD_REQUEST" }
  ])
  await world[Symbol.asyncDispose]()
})
