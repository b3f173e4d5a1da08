import { watchword } from "@watchword/express"
import express, { type Express } from "express"
import type { Watchword } from "watchword"
import { Accounts } from "./accounts.ts"
import { type Send, phoneRoutes } from "./phone.ts"

export const makeApp = (service: Watchword, send: Send): Express => {
  const app = express()
  const accounts = new Accounts()

  app.use("/v1", watchword(service))
  app.use(express.json())
  app.use(accounts.routes())
  app.use("/phone", accounts.signedIn, phoneRoutes(accounts, send))

  app.get("/me", accounts.signedIn, (request, response) => {
    const { email, phone } = accounts.userOf(request)
    response.json({ email, phone })
  })

  return app
}
