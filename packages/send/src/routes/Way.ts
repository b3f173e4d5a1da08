/**
 * The way of one send: the carriers of its gateway that may take it, and its route's terms.
 */
import type { Principal } from "@watchword/schemas/Account"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Sender } from "@watchword/schemas/Sms"
import type { Delivery, Details } from "@watchword/store/Delivery"
import type { RequestKeys } from "../Claims.ts"

export interface Way {
  /** The names of the carriers that may be asked, in this order; null if the gateway has no choice of carriers. */
  readonly carriers: ReadonlyArray<string> | null
  readonly terms: Terms
  /** Of the record, from its opening on. */
  readonly details: Details
  /** Run with the record of a message that was taken; left out if no figures are computed from it. */
  readonly taken?: (delivery: Delivery) => void
}

/** The defaults of a route's messages for omitted fields of their requests. */
export interface Terms {
  readonly sender: Sender | null
  /** In seconds. */
  readonly ttl: number | null
  /** By hexadecimal tags. */
  readonly tlvs: Readonly<Record<string, string>> | null
}

export const noTerms: Terms = { sender: null, ttl: null, tlvs: null }

/** A send whose way is asked for. */
export interface Sending {
  readonly principal: Principal
  readonly to: E164
  /** They lead to the earlier sends of the same code. */
  readonly keys: RequestKeys
}

/** The way of all sends by a gateway that has no carriers to choose among: by its own, where it names one. */
export const only = ({ carrier }: { readonly carrier?: string }): Way => ({
  carriers: null,
  terms: noTerms,
  details: carrier === undefined ? {} : { carrier }
})
