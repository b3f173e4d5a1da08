/**
 * An app as Twilio's guides have it: two routes of Express, which start and check a verification. `VERIFY_URL` is the
 * line that it has for the door.
 */
import express, { type Express } from "express"
import twilio from "twilio"

export const signUp = (env: Readonly<Record<string, string>>): Express => {
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, VERIFY_SERVICE_SID = "", VERIFY_URL = "" } = env
  const client = twilio(TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN)
  client.verify.baseUrl = VERIFY_URL // the line

  const app = express()
  app.use(express.urlencoded({ extended: false }))

  app.post("/start-verify", async (request, response) => {
    const { channel = "sms", locale = "en", to } = request.body
    if (!to?.trim()) {
      response.status(400).json({ success: false, error: "Missing 'to' parameter; please provide a phone number." })
      return
    }
    try {
      const verification = await client.verify.v2
        .services(VERIFY_SERVICE_SID)
        .verifications.create({ to, channel, locale })
      response.json({ success: true, status: verification.status, sends: verification.sendCodeAttempts.length })
    } catch (error) {
      response.status(400).json({ success: false, error: error instanceof Error ? error.message : "unknown" })
    }
  })

  app.post("/check-verify", async (request, response) => {
    const { code, to } = request.body
    try {
      const check = await client.verify.v2.services(VERIFY_SERVICE_SID).verificationChecks.create({ to, code })
      const message = check.status === "approved" ? "Verification success." : "Incorrect token."
      response.json({ success: check.status === "approved", message })
    } catch (error) {
      const code = error instanceof twilio.RestException ? error.code : undefined
      const message = code === 20404 ? "The code has expired. Request a new one." : "Something went wrong."
      response.status(400).json({ success: false, code, message })
    }
  })
  return app
}
