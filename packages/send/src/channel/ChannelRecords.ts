/**
 * The records of one channel: find one, list them, report an outcome, each for one principal.
 */
import type { Envelope } from "@watchword/pagination/Envelope"
import type { ListBody } from "@watchword/pagination/ListBody"
import type { ListFields } from "@watchword/pagination/ListFields"
import { type Partition, Records } from "@watchword/records/Records"
import type { ReportedOutcome } from "@watchword/records/ReportedOutcome"
import type { Product } from "@watchword/schemas/Channel"
import type { BadRequest, Conflict, NotFound, TooManyRequests } from "@watchword/schemas/Errors"
import { DeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Principal"
import { SendGuard } from "../SendGuard.ts"
import type { Delivery, Field } from "@watchword/store/Delivery"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export { guardReasons, guardReasonsField } from "../internal/channel/GuardReasons.ts"
export * as Ranks from "../internal/channel/Ranks.ts"

/** How a channel's deliveries look to the account they belong to. */
export interface Format<out Wire> {
  readonly product: Product
  /** The fields that lists can be filtered and sorted by, and the one they are sorted by unless asked otherwise. */
  readonly fields: ListFields<Field>
  readonly toWire: (delivery: Delivery) => Wire
  /** Reads a record's id as the wire has it; by default a delivery's ULID. */
  readonly toId?: (id: string) => Option.Option<DeliveryId>
}

export interface ChannelRecords<out Wire> {
  readonly find: (principal: Principal, id: string) => Effect.Effect<Delivery, NotFound | StoreError>
  readonly get: (principal: Principal, id: string) => Effect.Effect<Wire, NotFound | StoreError>
  readonly list: (
    principal: Principal,
    body: ListBody
  ) => Effect.Effect<Envelope<Wire>, BadRequest | TooManyRequests | StoreError>
  readonly report: (
    principal: Principal,
    id: string,
    outcome: ReportedOutcome
  ) => Effect.Effect<Delivery, NotFound | Conflict | StoreError>
}

export const make = Effect.fnUntraced(function* <Wire>({
  fields,
  product,
  toId = toDeliveryId,
  toWire
}: Format<Wire>): Effect.fn.Return<ChannelRecords<Wire>, never, Records | SendGuard> {
  const records = yield* Records
  const guard = yield* SendGuard

  const partitionOf = ({ account, mode }: Principal): Partition => ({ account: account.id, mode, channel: product })

  const report = Effect.fnUntraced(function* (principal: Principal, id: string, outcome: ReportedOutcome) {
    const { delivery, isVerified } = yield* records.report(partitionOf(principal), toId(id), outcome)
    const { to } = delivery
    if (guard !== null && isVerified && isE164(to)) yield* guard.verified({ principal, to })
    return delivery
  })

  const find = (principal: Principal, id: string) => records.get(partitionOf(principal), toId(id))
  return {
    find,
    get: (principal, id) => Effect.map(find(principal, id), toWire),
    list: (principal, body) => records.list(partitionOf(principal), body, fields, toWire),
    report
  }
})

const isE164 = Schema.is(E164)

const toDeliveryId = Schema.decodeOption(DeliveryId)
