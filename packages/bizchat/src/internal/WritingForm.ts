/**
 * How users write to the service in WhatsApp: by a link that opens a chat with its number, with the text to send in it.
 *
 * Source: WhatsApp, "How to use click to chat".
 */
import type { Gateways } from "@watchword/send/channel/Gateways"
import type { Form } from "@watchword/send/channel/Receiving"
import { sandboxNumbers } from "@watchword/schemas/SandboxPhone"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Service } from "../BizchatGateway.ts"

export const writingForm = ({ live, sandbox }: Pick<Gateways<Service>, "live" | "sandbox">): Form => ({
  by: "bizchat",
  isWritten: true,
  isNational: false,
  isExclusive: false,
  numbers: (mode) => {
    if (mode === "sandbox") return sandbox === null ? [] : sandboxNumbers.bizchat
    return Option.getOrNull(live)?.receives ?? []
  },
  uri: ({ number, text }) => Effect.succeed(`https://wa.me/${number?.slice(1) ?? ""}?text=${encodeURIComponent(text)}`)
})
