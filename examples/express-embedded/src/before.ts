import express, { type Express } from "express"
import { Accounts } from "./accounts.ts"

export const makeApp = (): Express => {
  const app = express()
  const accounts = new Accounts()

  app.use(express.json())
  app.use(accounts.routes())

  app.get("/me", accounts.signedIn, (request, response) => {
    const { email } = accounts.userOf(request)
    response.json({ email })
  })

  return app
}
