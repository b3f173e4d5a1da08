/**
 * The ways in of a process: a number to write to and to call.
 */
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Form } from "@watchword/send/channel/Receiving"
import * as Effect from "effect/Effect"

export const OURS = E164.make("+4930901830000")
/** The ways in of each process. */
export const forms: ReadonlyArray<Form> = [
  {
    by: "sms",
    isWritten: true,
    isNational: false,
    isExclusive: false,
    numbers: () => [OURS],
    uri: ({ number, text }) => Effect.succeed(`sms:${number}?body=${encodeURIComponent(text)}`)
  },
  {
    by: "call",
    isWritten: false,
    isNational: false,
    isExclusive: true,
    numbers: () => [OURS],
    uri: ({ number }) => Effect.succeed(`tel:${number}`)
  }
]
