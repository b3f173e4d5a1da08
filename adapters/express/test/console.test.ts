/**
 * The operators' API in an Express app, behind its own sign-in.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import express from "express"
import { afterEach, beforeEach, expect, it } from "vitest"
import { type ConsoleOperator, type Watchword, createWatchword, memory, watchwordConsole } from "watchword"
import { watchword } from "@watchword/express"
import { type Listening, listen } from "./fixture.ts"

let service: Watchword
let app: Listening

beforeEach(async () => {
  service = await createWatchword({ store: memory() })
  const operator = new AsyncLocalStorage<ConsoleOperator | null>()
  const ops = watchword(watchwordConsole(service, { authorize: () => operator.getStore() ?? null }))
  app = await listen(
    express()
      .use(express.json())
      .use("/ops", (request, response, next) => {
        const user = request.headers["x-user"] === "anna" ? ({ name: "anna", role: "operator" } as const) : null
        operator.run(user, () => ops(request, response, next))
      })
  )
})

afterEach(async () => {
  await app.close()
  await service.dispose()
})

const asked = async (path: string, headers: Readonly<Record<string, string>>, body?: object) => {
  const response = await fetch(`${app.url}/ops/operator/v1/${path}`, {
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", connection: "close", ...headers },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
  })
  return [response.status, await response.json()]
}

it("the app says who asks, and its parser may have read the body", async () => {
  expect(await asked("me", { "x-user": "anna" })).toEqual([
    200,
    { name: "anna", role: "operator", signed_in_by: "host" }
  ])
  expect(await asked("me", {})).toMatchObject([401, { error: "UNAUTHORIZED" }])
  const block = { place: "+49151", for: "1h" }
  expect(await asked("guard/block", {}, block)).toMatchObject([401, {}])
  expect(await asked("guard/block", { "x-user": "anna" }, block)).toMatchObject([200, { place: "+49151" }])
  expect(await asked("account/create", { "x-user": "anna" }, { name: "Acme" })).toMatchObject([
    403,
    { reason: "role_admin" }
  ])
})
