/**
 * A service's channels' words for the fate of a send.
 */
import type { Delivery } from "@watchword/store/Delivery"
import type { Any } from "@watchword/send/channel/Features"

export interface Words {
  /** The network's report after the gateway accepted a message; null if there is no report. */
  readonly said: (delivery: Delivery) => string | null
  /** Whether the phone shows a message or a call, or did. */
  readonly isShown: (delivery: Delivery) => boolean
}

export const make = (features: ReadonlyArray<Any<unknown>>): Words => {
  const byProduct = new Map(features.flatMap((feature) => feature.products.map(({ name }) => [name, feature] as const)))
  return {
    said: (delivery) => byProduct.get(delivery.channel)?.said(delivery) ?? null,
    isShown: (delivery) => {
      const arrival = byProduct.get(delivery.channel)?.code?.arrival(delivery)
      return arrival === "arrived" || arrival === "shown"
    }
  }
}
