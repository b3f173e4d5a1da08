/**
 * A sign-up that proves a phone number with the form of `@watchword/form`. Another process sends the codes; its address
 * and its key are in the environment.
 */
import { randomUUID } from "node:crypto"
import { createClient } from "@watchword/client"
import { formHandler, nodeListener } from "@watchword/form/handler"
import express from "express"
import { signUp, style, welcome } from "./pages.ts"

const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: start the app with "watchword dev -- …".`)
  return value
}

const otp = createClient({
  baseUrl: setting("WATCHWORD_URL"),
  apiKey: setting("WATCHWORD_API_KEY"),
  accountId: setting("WATCHWORD_ACCOUNT_ID")
})

/** The proved number of each session, or null. Your app keeps them in its database. */
const sessions = new Map<string, string | null>()

const sessionOf = (cookie: string | null | undefined): string | null => {
  const [, id = ""] = /\bsid=([\w-]+)/.exec(cookie ?? "") ?? []
  return sessions.has(id) ? id : null
}

const form = formHandler(otp, {
  session: (request) => sessionOf(request.headers.get("cookie")),
  onApproved: ({ session, to }) => void sessions.set(session, to),
  country: process.env["COUNTRY"] ?? "DE",
  location: "/welcome"
})

const app = express()

app.get("/", (request, response) => {
  if (sessionOf(request.headers.cookie) === null) {
    const id = randomUUID()
    sessions.set(id, null)
    response.cookie("sid", id, { httpOnly: true, sameSite: "lax" })
  }
  response.send(signUp())
})

app.all("/phone", nodeListener(form))

app.get("/welcome", (request, response) => {
  const number = sessions.get(sessionOf(request.headers.cookie) ?? "")
  if (number == null) return void response.redirect("/")
  response.send(welcome(number))
})

app.get("/style.css", (_request, response) => void response.type("css").send(style))

const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  const address = server.address()
  console.log(`The sign-up is at http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`)
})
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    server.close()
    server.closeAllConnections()
  })
}
