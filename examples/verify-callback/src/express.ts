/**
 * A receiver in Express. `express.json()` leaves nothing of the raw body, so the callback's route comes
 * before it and has `express.raw()` instead.
 */
import { type CallbackEvent, CallbackSignatureError, verifyCallback } from "@watchword/callback-signature"
import express from "express"

export const receiver = (accessToken: string, onEvent: (event: CallbackEvent) => void): express.Express => {
  const app = express()

  app.post("/callback", express.raw({ type: () => true }), async (request, response) => {
    const rawBody: unknown = request.body
    try {
      // Without a body, nothing was read.
      onEvent(await verifyCallback(Buffer.isBuffer(rawBody) ? rawBody : "", request.headers, { accessToken }))
      response.sendStatus(200)
    } catch (error) {
      if (!(error instanceof CallbackSignatureError)) throw error
      response.status(401).json({ error: error.code })
    }
  })

  // Every other route of the app continues as ever.
  app.use(express.json())
  app.post("/echo", (request, response) => {
    response.json(request.body)
  })

  return app
}
