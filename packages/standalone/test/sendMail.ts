/**
 * Sends one mail as alarms do, from a process of its own, whose environment says which certificates it trusts; prints
 * `sent`, or the code of the error.
 */
import * as Redacted from "effect/Redacted"
import { mailer } from "../src/Mail.ts"

const [url = ""] = process.argv.slice(2)
const send = mailer({ from: "Watchword <otp@example.com>", server: Redacted.make(url) })
await send({ to: ["anna@example.com"], subject: "Watchword", text: "Since noon.\n", id: "alm_1_raised_1" }).then(
  () => console.log("sent"),
  (error: unknown) => console.log(String(Object(error).code ?? error))
)
