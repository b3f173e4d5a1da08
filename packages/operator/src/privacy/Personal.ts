/**
 * The redaction that a record needs: the personal data of every send, and the fields that the registry names for the
 * product.
 */
import type { PersonalData, Service as Registry } from "@watchword/schemas/ChannelRegistry"
import type { Product } from "@watchword/schemas/Channel"
import type { Delivery, Details } from "@watchword/store/Delivery"
import { type Redaction, isUnderWay } from "@watchword/store/step"

const HOUR = 60 * 60 * 1000

export interface Personal {
  /** Whether the product of a record is in the registry: only its channel says what in it is about a person. */
  readonly knows: (delivery: Delivery) => boolean
  /** The redaction that takes texts and codes out of a record, and with `person` the number too. */
  readonly redactionOf: (delivery: Delivery, what: "texts" | "person") => Redaction
  /** Whether a record must not be changed at a time. A record that claims to be in progress for an hour is not. */
  readonly isUnderWay: (delivery: Delivery, at: number) => boolean
}

/**
 * The details of any send: its text, the content of a sandbox send, the counters of guards that have counted its price,
 * and the words of a gateway that refused it.
 */
const ofEverySend: Details = {
  text: null,
  inbox_text: null,
  inbox_code: null,
  inbox_from: null,
  guard_spent: null,
  failure_message: "The gateway's message was erased."
}

const nothing: PersonalData = { details: {} }

export const make = ({ products }: Pick<Registry, "products">): Personal => {
  const byProduct = new Map<Product, PersonalData>(products.map(({ name, personal }) => [name, personal ?? nothing]))
  const of = ({ channel }: Delivery): PersonalData => byProduct.get(channel) ?? nothing

  return {
    knows: ({ channel }) => byProduct.has(channel),
    redactionOf: (delivery, what) => {
      const { details, from = false } = of(delivery)
      const isPerson = what === "person"
      return { id: delivery.id, to: isPerson, from: from || isPerson, details: { ...ofEverySend, ...details } }
    },
    isUnderWay: (delivery, at) => {
      if (isUnderWay(delivery)) return true
      const { underWay } = of(delivery)
      const isBusy = underWay !== undefined && (delivery.details[underWay] ?? null) !== null
      return isBusy && delivery.createdAt > at - HOUR
    }
  }
}
