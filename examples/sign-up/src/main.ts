/**
 * A sign-up form that proves a phone number: `POST /phone` starts a verification, `POST /code` checks what its user has
 * typed. The server that sends the codes is another process, whose address and key are in the environment.
 */
import { WatchwordError, createClient } from "@watchword/client"
import express, { type ErrorRequestHandler } from "express"
import { askForCode, askForNumber, done } from "./pages.ts"

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

/** Where numbers without a calling code are dialled. */
const COUNTRY = process.env["COUNTRY"] ?? "DE"

const app = express()
app.use(express.urlencoded({ extended: false }))

app.get("/", (_request, response) => void response.send(askForNumber()))

app.post("/phone", async (request, response) => {
  const { id } = await otp.verify.start({ to: field(request.body, "phone"), default_country: COUNTRY })
  response.send(askForCode(id))
})

app.post("/code", async (request, response) => {
  const id = field(request.body, "id")
  const { valid } = await otp.verify.check({ verification_id: id, code: field(request.body, "code") })
  if (!valid) return void response.status(400).send(askForCode(id, "That is not the code."))
  const { to } = await otp.verify.get(id)
  response.send(done(to))
})

const refused: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof WatchwordError)) return next(error)
  const says =
    error.code === "BAD_REQUEST" ? `Please check the number: ${sentenceOf(error)}` : "Please try again in a moment."
  response.status(error.code === "BAD_REQUEST" ? 400 : 503).send(askForNumber(says))
}
app.use(refused)

const sentenceOf = ({ issues = [] }: WatchwordError): string => `it ${issues[0]?.message ?? "cannot be used"}.`

const field = (body: unknown, name: string): string => {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined
  return typeof value === "string" ? value : ""
}

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
