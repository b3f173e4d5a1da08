/**
 * Channels by Twilio's names.
 */
import * as Effect from "effect/Effect"
import { Refused, invalid } from "./Answers.ts"

/** The channel of a `Channel`; null for `auto`, which is the workflow of the service. */
export const read = (given: string, isFlashCalled: boolean): Effect.Effect<string | null, Refused> => {
  switch (given.toLowerCase()) {
    case "auto":
      return Effect.succeed(null)
    case "sms":
      return Effect.succeed("sms")
    case "whatsapp":
      return Effect.succeed("bizchat")
    case "call":
      return isFlashCalled ? Effect.succeed("call") : disabled("call: no channel of this server reads a code aloud")
    case "email":
    case "sna":
      return disabled(given.toLowerCase())
    default:
      return Effect.fail(invalid("Channel must be one of sms, whatsapp, call, auto."))
  }
}

const disabled = (channel: string) =>
  Effect.fail(new Refused({ code: 60223, message: `Delivery channel disabled: ${channel}.` }))

/** The name in answers, whose values are an enumeration: other chats than WhatsApp are named like it. */
export const written = (channel: string): "call" | "sms" | "whatsapp" => {
  switch (channel) {
    case "call":
      return "call"
    case "bizchat":
    case "chatgw":
      return "whatsapp"
    default:
      return "sms"
  }
}

/** The same in `send_code_attempts`, where SMS and calls have capitals. */
export const writtenInAttempts = (channel: string): string => {
  const name = written(channel)
  return name === "whatsapp" ? name : name.toUpperCase()
}
