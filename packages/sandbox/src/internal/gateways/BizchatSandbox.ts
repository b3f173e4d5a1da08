/**
 * The sandbox's business messaging platform, with a delivery status for each text.
 */
import type { BizchatEvent, Service, TextMessage } from "@watchword/bizchat/BizchatGateway"
import type { BizchatStatus } from "@watchword/schemas/Bizchat"
import type { DeliveryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Texts from "./Texts.ts"

/** The platform's report on a text. */
interface Notice {
  readonly ref: string
  readonly status: BizchatStatus
}

/** A platform that lives as long as the scope. */
export const make = Texts.make<TextMessage, Notice, BizchatEvent, Service>({
  product: "bizchat",
  words: { gateway: "messaging platform", noAccount: "The number is not on the messaging platform." },
  busy: "The sandbox's messaging platform is too busy to take the text.",
  targetOf: ({ delivery: id, to }) => ({ id, to, reference: null, parts: 1 }),
  refsOf: ({ id }) => [refOf(id)],
  noticesOf: ({ id }, end) => [{ ref: refOf(id), status: end === "delivered" || end === "read" ? end : "failed" }],
  eventOf: ({ ref, status }, now) => ({
    _tag: "Status",
    ref,
    of: null,
    status,
    at: Math.floor(now / 1000),
    errorCode: null,
    notOnPlatform: false
  }),
  followers: { sent: ["delivered", "read", "failed"], delivered: ["read"] },
  gatewayOf: (network) => ({ ...network, check: () => Effect.void, webhook: null })
})

const refOf = (delivery: DeliveryId): string => `sandbox-${delivery}`
