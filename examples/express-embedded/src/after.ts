import { watchword } from "@watchword/express"
import express, { type Express } from "express"
import type { Caller, Watchword } from "watchword"
import { Accounts } from "./accounts.ts"
import { phoneRoutes } from "./phone.ts"

export const makeApp = (service: Watchword, caller: Caller): Express => {
  const app = express()
  const accounts = new Accounts()

  app.use("/v1", watchword(service))
  app.use(express.json())
  app.use(accounts.routes())
  app.use("/phone", accounts.signedIn, phoneRoutes(accounts, service, caller))

  app.get("/me", accounts.signedIn, (request, response) => {
    const { email, phone } = accounts.userOf(request)
    response.json({ email, phone })
  })

  return app
}
