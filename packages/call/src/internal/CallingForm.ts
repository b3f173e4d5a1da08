/**
 * How users call the service: by a link to a number of their own country, whose call costs them nothing because it is
 * refused before it is answered.
 *
 * Source: RFC 3966 §3.
 */
import type { Gateways } from "@watchword/send/channel/Gateways"
import type { Form } from "@watchword/send/channel/Receiving"
import { sandboxNumbers } from "@watchword/schemas/SandboxPhone"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Service } from "../CallGateway.ts"

export const callingForm = ({ live, sandbox }: Pick<Gateways<Service>, "live" | "sandbox">): Form => ({
  by: "call",
  isWritten: false,
  isNational: true,
  isExclusive: true,
  numbers: (mode) => {
    if (mode === "sandbox") return sandbox === null ? [] : sandboxNumbers.call
    return Option.getOrNull(live)?.receives?.() ?? []
  },
  uri: ({ number }) => Effect.succeed(`tel:${number ?? ""}`)
})
