/**
 * The events of a step, one for each endpoint.
 */
import { nextEventId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Delivery } from "../Delivery.ts"
import type { DeliveryChanged, Event, Fact, Note, Watch } from "../Event.ts"
import type { Open } from "../internal/Requests.ts"

/** A step's news of a delivery. */
export interface News {
  readonly moved: boolean
  readonly note: Note | null
  readonly at: number
}

/** The events of a watched delivery; none of another. */
export const ofDelivery = (delivery: Delivery, { at, moved, note }: News): ReadonlyArray<Event> => {
  const { channel, id, phase, status, watch } = delivery
  if (watch === null) return []
  const { endpoints, version } = watch
  const fact: DeliveryChanged = {
    _tag: "DeliveryChanged",
    channel,
    delivery: id,
    version,
    status: status.name,
    phase,
    moved,
    note
  }
  return toEach(endpoints, delivery, fact, at)
}

/** The events of an open that takes the available balance below a threshold. */
export const ofBalance = (
  { at, delivery }: Open,
  { endpoints, threshold }: NonNullable<Watch["balanceLow"]>,
  before: MicroEuros,
  available: MicroEuros
): ReadonlyArray<Event> =>
  before >= threshold && available < threshold
    ? toEach(endpoints, delivery, { _tag: "BalanceLow", threshold, available }, at)
    : []

const toEach = (
  endpoints: ReadonlyArray<string>,
  { account, mode }: Pick<Delivery, "account" | "mode">,
  fact: Fact,
  at: number
): ReadonlyArray<Event> => endpoints.map((endpoint) => ({ id: nextEventId(at), endpoint, account, mode, fact, at }))
