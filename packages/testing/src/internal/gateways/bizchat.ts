/**
 * The scripted gateway of business chat.
 */
import { type BizchatEvent, BizchatGateway, type TextMessage } from "@watchword/bizchat/BizchatGateway"
import { type Gateway, EventHub } from "@watchword/send/gateway"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Network } from "../Network.ts"
import { take } from "./taking.ts"

export const bizchat = (network: Network): Gateway<BizchatGateway> =>
  Layer.sync(BizchatGateway, () => {
    const hub = new EventHub<BizchatEvent, StoreError>()
    const send = ({ delivery, to }: TextMessage) =>
      take(network, "bizchat", { delivery, to, from: null }, () => {
        const ref = `kit-${delivery}`
        const receipt = (arrived: boolean) =>
          Effect.suspend(() =>
            hub.publish({
              _tag: "Status",
              ref,
              of: null,
              status: arrived ? "delivered" : "failed",
              at: Math.floor(network.now() / 1000),
              errorCode: null,
              notOnPlatform: false
            })
          )
        return { refs: [ref], receipt }
      })
    return {
      check: () => Effect.void,
      send: (message) => Effect.sync(() => send(message)),
      events: (handle) => hub.subscribe(handle),
      health: Effect.succeed([]),
      webhook: null
    }
  })
