/**
 * The redaction that a record needs: the products of the registry say which parts of their records are about a person.
 */
import type { PersonalData, Service as Registry } from "@watchword/schemas/ChannelRegistry"
import type { Product } from "@watchword/schemas/Channel"
import type { Delivery } from "@watchword/store/Delivery"
import * as Redaction from "@watchword/store/Redaction"

const HOUR = 60 * 60 * 1000

export interface Personal {
  /** The redaction that takes texts and codes out of a record, and with `person` the number too. */
  readonly redactionOf: (delivery: Delivery, what: "texts" | "person") => Redaction.Redaction
  /** Whether a record is to be left alone at a time. What is said to be under way for an hour is not. */
  readonly isUnderWay: (delivery: Delivery, at: number) => boolean
}

const nothing: PersonalData = { details: {} }

export const make = ({ products }: Pick<Registry, "products">): Personal => {
  const byProduct = new Map<Product, PersonalData>(products.map(({ name, personal }) => [name, personal ?? nothing]))
  const of = ({ channel }: Delivery): PersonalData => byProduct.get(channel) ?? nothing

  return {
    redactionOf: (delivery, what) => {
      const { details, from = false } = of(delivery)
      const isPerson = what === "person"
      return { id: delivery.id, to: isPerson, from: from || isPerson, details }
    },
    isUnderWay: (delivery, at) => {
      if (Redaction.isUnderWay(delivery)) return true
      const { underWay } = of(delivery)
      const isBusy = underWay !== undefined && (delivery.details[underWay] ?? null) !== null
      return isBusy && delivery.createdAt > at - HOUR
    }
  }
}
