/**
 * A user proves a phone number: `POST /phone` sends a code to it, `POST /phone/confirm` takes the code.
 */
import express, { type ErrorRequestHandler, type Router } from "express"
import { type Caller, type Watchword, isWatchwordError } from "watchword"
import type { Accounts } from "./accounts.ts"

/** @param caller the account that pays for the codes */
export const phoneRoutes = (accounts: Accounts, { verify }: Watchword, caller: Caller): Router => {
  const router = express.Router()

  router.post("/", async (request, response) => {
    const { id } = await verify.start(caller, { to: field(request.body, "phone"), default_country: "DE" })
    accounts.userOf(request).verification = id
    response.status(202).json({ sent: true })
  })

  router.post("/confirm", async (request, response) => {
    const user = accounts.userOf(request)
    const id = user.verification
    if (id === undefined) return void response.status(400).json({ error: "ask for a code first" })
    const { valid } = await verify.check(caller, id, { code: field(request.body, "code") })
    if (!valid) return void response.status(400).json({ error: "the code is wrong, or no longer good" })
    const { to } = await verify.get(caller, id)
    user.phone = to
    response.json({ phone: to })
  })

  return router.use(refusals)
}

const refusals: ErrorRequestHandler = (error, _request, response, next) => {
  if (!isWatchwordError(error)) return next(error)
  switch (error.code) {
    case "BAD_REQUEST":
      return void response.status(400).json({ error: error.issues?.[0]?.message })
    case "CONFLICT":
      return void response.status(400).json({ error: "the code was used already" })
    case "TOO_MANY_REQUESTS":
      return void response.status(429).json({ error: "wait a moment for the next code", seconds: error.retryAfter })
    default:
      // No money, no carrier, no route to the number: nothing that the user can mend.
      return void response.status(503).json({ error: "no code can be sent now" })
  }
}

const field = (body: unknown, name: string): string => {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined
  return typeof value === "string" ? value : ""
}
