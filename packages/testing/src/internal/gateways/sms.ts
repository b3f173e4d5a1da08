/**
 * The scripted SMS gateway.
 */
import { type Gateway, EventHub } from "@watchword/send/gateway"
import { type Message, type SmsEvent, SmsGateway } from "@watchword/sms/SmsGateway"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Network } from "../Network.ts"
import { take } from "./taking.ts"

export const sms = (network: Network): Gateway<SmsGateway> =>
  Layer.sync(SmsGateway, () => {
    const hub = new EventHub<SmsEvent, StoreError>()
    const send = (message: Message) =>
      take(network, "sms", message, () => {
        const { delivery, reference, text, to } = message
        const refs = text.parts.map((_, index) => `kit-${delivery}-${index + 1}`)
        const receipt = (arrived: boolean) =>
          Effect.forEach(
            refs,
            (ref) =>
              hub.publish({
                _tag: "Receipt",
                refs: [ref],
                to,
                reference,
                status: arrived ? "delivered" : "undelivered",
                carrierStatus: arrived ? "DELIVRD" : "UNDELIV",
                carrierError: null
              }),
            { discard: true }
          )
        return { refs, receipt }
      })
    return {
      send: (message) => Effect.sync(() => send(message)),
      events: (handle) => hub.subscribe(handle),
      health: Effect.succeed([])
    }
  })
