/**
 * The outcomes of messages by carrier that this process has seen: entered codes, and receipts. The quality figures are
 * computed from them.
 */
import { isVerified } from "@watchword/records/Records"
import type { Product } from "@watchword/schemas/Channel"
import { E164, countryOf } from "@watchword/schemas/PhoneNumber"
import type { Delivery } from "@watchword/store/Delivery"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import { type DeliveryChange, DeliveryChanges, isReported } from "../pipeline/DeliveryChanges.ts"
import { by, counter, countryLabel } from "../pipeline/Metrics.ts"
import type { Arrival } from "../internal/channel/Codes.ts"
import { Figures, type Kind } from "./Figures.ts"

export interface Conversions {
  readonly figures: Figures
  /** A carrier has taken a message. */
  readonly sent: (delivery: Delivery) => void
}

/** A message of the last hour. */
interface Sent {
  readonly carrier: string
  readonly country: string
  readonly at: number
  isApproved: boolean
  hasReceipt: boolean
}

/** Messages that are remembered; beyond it the oldest is forgotten. */
const CAPACITY = 50_000

const MESSAGES = counter(
  "watchword_carrier_messages_total",
  "Messages of carriers with names by channel, carrier, country and fate: sent, delivered, lost, and approved."
)

/** The country of numbers such as +800…. */
export const NO_COUNTRY = "no country"

export const countryNameOf = (to: E164): string => countryOf(to) ?? NO_COUNTRY

/** @param arrival says of a record whether its message has arrived */
export const make = Effect.fnUntraced(function* (
  channel: Product,
  arrival: (delivery: Delivery) => Arrival | null
): Effect.fn.Return<Conversions, never, Scope> {
  const figures = new Figures()
  const metric = by("channel", by("carrier", by("country", by("fate", MESSAGES))))(yield* Effect.context<never>())(
    channel
  )
  const note = ({ at, carrier, country }: Pick<Sent, "at" | "carrier" | "country">, fate: Kind): void => {
    figures.add(carrier, country, fate, at)
    metric(carrier)(countryLabel(country === NO_COUNTRY ? null : country))(fate)(1)
  }
  const byDelivery = new Map<string, Sent>()
  /** The last message of a verification: its code is the entered one. */
  const byVerification = new Map<string, Sent>()

  const sent = ({ createdAt, details, id, to }: Delivery): void => {
    const { carrier, verification } = details
    if (typeof carrier !== "string" || byDelivery.has(id) || !isE164(to)) return
    const country = countryNameOf(to)
    const message: Sent = { carrier, country, at: createdAt, isApproved: false, hasReceipt: false }
    note(message, "sent")
    remember(byDelivery, id, message)
    if (typeof verification === "string") remember(byVerification, verification, message)
  }

  const approve = (message: Sent | undefined): void => {
    if (message === undefined || message.isApproved) return
    message.isApproved = true
    note(message, "approved")
  }

  const receipt = (delivery: Delivery): void => {
    const message = byDelivery.get(delivery.id)
    const arrived = arrival(delivery)
    if (message === undefined || message.hasReceipt || (arrived !== "arrived" && arrived !== "lost")) return
    message.hasReceipt = true
    note(message, arrived === "arrived" ? "delivered" : "lost")
  }

  const hear = ({ delivery }: DeliveryChange): Effect.Effect<void> => {
    if (delivery.channel === channel) {
      receipt(delivery)
      if (isVerified(delivery)) approve(byDelivery.get(delivery.id))
    } else if (delivery.channel === "verify" && delivery.status.name === "approved") {
      approve(byVerification.get(delivery.id))
    }
    return Effect.void
  }

  const changes = yield* Effect.serviceOption(DeliveryChanges)
  if (Option.isSome(changes)) yield* changes.value.onChange(isReported, hear)
  return { figures, sent }
})

const isE164 = Schema.is(E164)

const remember = (messages: Map<string, Sent>, id: string, message: Sent): void => {
  messages.delete(id)
  messages.set(id, message)
  if (messages.size <= CAPACITY) return
  for (const oldest of messages.keys()) return void messages.delete(oldest)
}
