/**
 * Requests as the store opens them: the record, its price, and the claims by which a repeat is recognised.
 */
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { type MicroEuros, difference, zero } from "@watchword/schemas/Money"
import type { Delivery, Details } from "@watchword/store/Delivery"
import type { Open } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { make as makeClaims, spending } from "../Claims.ts"
import { kept } from "../pipeline/Content.ts"
import { Heartbeat } from "../pipeline/Heartbeat.ts"
import { InstallationSecret } from "../pipeline/InstallationSecret.ts"
import type { Prepaid, Request } from "./Request.ts"

/** A request with its price, and the endpoints that learn of its delivery. */
export interface Priced {
  readonly request: Request
  readonly watch: Open["watch"]
  /** Its price where nothing is prepaid. */
  readonly full: MicroEuros
  /** The delivery that it spends; null for none. */
  readonly prepaid: Prepaid | null
}

/**
 * The opening of a send.
 *
 * @param details of the record, in addition to the details of the request and of its way
 * @param at milliseconds since the epoch
 */
export type Opening = (priced: Priced, details: Details, at: number) => Open

/** Makes the openings of this process. */
export const make: Effect.Effect<Opening, never, Heartbeat | InstallationSecret> = Effect.gen(function* () {
  const { process } = yield* Heartbeat
  const claims = makeClaims(yield* InstallationSecret)
  // References repeat after 65,536 messages; a random start keeps processes apart, even if they start together.
  let reference = yield* Random.nextIntBetween(0, 0xffff)

  const claimsOf = ({ channel, keys, body, shared }: Request, prepaid: Prepaid | null, at: number) => {
    const made = claims.claims(channel, keys, body, at)
    if (shared != null) made.push(...claims.shared(channel, shared, at))
    if (prepaid !== null) made.push(spending(prepaid.id, at))
    return made
  }

  return ({ full, prepaid, request, watch }, details, at) => {
    const { principal, channel, statuses, to, from, units, keys } = request
    reference = (reference + 1) & 0xffff
    const open: Open = {
      delivery: {
        id: keys.origin?.id ?? nextDeliveryId(at),
        account: principal.account.id,
        mode: principal.mode,
        channel,
        to,
        from,
        status: statuses.pending,
        price: priceAfter(full, prepaid),
        parts: units,
        reference,
        details: detailsOf(request, details)
      },
      claims: claimsOf(request, prepaid, at),
      owner: process,
      at
    }
    const whole = keys.origin?.whole?.open
    const watched = watch === undefined ? open : { ...open, watch }
    return whole === undefined ? watched : { ...watched, whole }
  }
})

/** The price that a send has to pay itself. */
export const priceAfter = (full: MicroEuros, prepaid: Prepaid | null): MicroEuros => {
  if (prepaid === null) return full
  return full > prepaid.price ? difference(full, prepaid.price) : zero
}

/** Whether a delivery was opened by a step, and not before it under the same id. */
export const isOpenedBy = ({ at, delivery: { reference } }: Open, delivery: Delivery): boolean =>
  delivery.createdAt === at && delivery.reference === reference

const detailsOf = ({ content, details, keys, principal, way }: Request, more: Details): Details => ({
  ...details,
  ...way?.details,
  ...more,
  ...keys.origin?.details,
  ...(content !== null && principal.mode === "sandbox" ? kept(content) : {})
})
