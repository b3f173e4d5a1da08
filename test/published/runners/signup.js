/** A sign-up by phone: `POST /signup` sends a code, `POST /signup/ID` takes it. */
import express from "express"

const workflow = [
  { channel: "sms", timeout: 60 },
  { channel: "call", timeout: 60 }
]

export const makeApp = ({ verify }, caller) => {
  const app = express().use(express.json())
  app.post("/signup", async ({ body }, response) => {
    const { id } = await verify.start(caller, { to: body.phone, workflow })
    response.status(202).json({ id })
  })
  app.post("/signup/:id", async ({ body, params }, response) => {
    const { valid } = await verify.check(caller, { verification_id: params.id, code: body.code })
    response.status(valid ? 200 : 400).json({ valid })
  })
  return app
}
