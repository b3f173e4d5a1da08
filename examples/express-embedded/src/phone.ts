/**
 * A user proves a phone number: `POST /phone` sends a code to it, `POST /phone/confirm` takes the code.
 */
import { PhoneVerification, TooManyCodes } from "@watchword/in-process/PhoneVerification"
import express, { type ErrorRequestHandler, type Router } from "express"
import type { Accounts } from "./accounts.ts"

/** Sends a text; rejects with the errors of `service.sms.send`. */
export type Send = (to: string, text: string) => Promise<unknown>

export const phoneRoutes = (accounts: Accounts, send: Send): Router => {
  const verification = new PhoneVerification({ send })
  const router = express.Router()

  router.post("/", async (request, response) => {
    await verification.start(accounts.userOf(request).email, field(request.body, "phone"))
    response.status(202).json({ sent: true })
  })

  router.post("/confirm", (request, response) => {
    const user = accounts.userOf(request)
    const phone = verification.confirm(user.email, field(request.body, "code"))
    if (phone === null) return void response.status(400).json({ error: "the code is wrong, or no longer good" })
    user.phone = phone
    response.json({ phone })
  })

  return router.use(refusals)
}

const refusals: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof TooManyCodes) return void response.status(429).json({ error: "wait an hour for the next code" })
  if (error?._tag === "BAD_REQUEST")
    return void response.status(400).json({ error: "a phone number such as +4915123456789" })
  // No money, no carrier, no route to the number: nothing that the user can mend.
  if (typeof error?._tag === "string") return void response.status(503).json({ error: "no code can be sent now" })
  next(error)
}

const field = (body: unknown, name: string): string => {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined
  return typeof value === "string" ? value : ""
}
