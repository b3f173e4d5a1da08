/**
 * The records of one channel: get one, list them, report an outcome, each for one principal. The services of all
 * channels get these three methods and their operations from here.
 *
 * @example
 * ```ts
 * import { ReportSms, type Sdr, type SmsReported } from "@watchword/schemas/Sms"
 * import * as ChannelRecords from "@watchword/send/channel/ChannelRecords"
 *
 * // The three methods that the service of every channel has.
 * type Service = ChannelRecords.ChannelRecords<Sdr, ReportSms, SmsReported>
 *
 * const operations = (service: Service) => ChannelRecords.operations(ReportSms, service)
 * ```
 */
import type { Envelope, ListBody } from "@watchword/pagination/Page"
import type { ListFields } from "@watchword/pagination/Fields"
import { type Partition, Records, type ReportedOutcome } from "@watchword/records/Records"
import type { Product } from "@watchword/schemas/Channel"
import type { BadRequest, Conflict, NotFound, TooManyRequests } from "@watchword/schemas/Errors"
import { DeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import * as Operation from "./Operation.ts"
import { SendGuard } from "../SendGuard.ts"
import type { Delivery, Field } from "@watchword/store/Delivery"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export { guardReasons, guardReasonsField } from "../internal/channel/GuardReasons.ts"
export { ACCEPTED, ARRIVED, OVER, PENDING } from "../internal/channel/Ranks.ts"
export { joined, textOf } from "../internal/channel/details.ts"

/** How a channel's deliveries look to the account they belong to. */
export interface Format<out Wire> {
  readonly product: Product
  /** The fields that lists can be filtered and sorted by, and the default field to sort by. */
  readonly fields: ListFields<Field>
  readonly toWire: (delivery: Delivery) => Wire
  /** Reads a record's id as it is on the wire; by default a delivery's ULID. */
  readonly toId?: (id: string) => Option.Option<DeliveryId>
}

/** How an account reports the outcome that it saw. */
export interface Reports<in Report, out Reported> {
  /** The record's id as it is on the wire. */
  readonly idOf: (body: Report) => string
  readonly outcomeOf: (body: Report) => ReportedOutcome
  /** The answer, by the record with the outcome. */
  readonly toReported: (delivery: Delivery, body: Report) => Reported
}

/** The part of a channel's service that reads its records. */
export interface ChannelRecords<out Wire, in Report, out Reported> {
  /** A record, by the id from the answer to the send. */
  readonly get: (principal: Principal, id: string) => Effect.Effect<Wire, NotFound | StoreError>

  /** A page of records, the newest first unless asked otherwise. */
  readonly list: (
    principal: Principal,
    body: ListBody
  ) => Effect.Effect<Envelope<Wire>, BadRequest | TooManyRequests | StoreError>

  /** Records the outcome that the account saw. */
  readonly report: (principal: Principal, body: Report) => Effect.Effect<Reported, NotFound | Conflict | StoreError>
}

/** Looks deliveries up, as the store has them. */
export type Find = (principal: Principal, id: string) => Effect.Effect<Delivery, NotFound | StoreError>

/** The records of a channel, and the look-up of deliveries behind them. */
export interface Made<out Wire, in Report, out Reported> {
  readonly find: Find
  readonly records: ChannelRecords<Wire, Report, Reported>
}

export const make = Effect.fnUntraced(function* <Wire, Report, Reported>(
  format: Format<Wire>,
  { idOf, outcomeOf, toReported }: Reports<Report, Reported>
): Effect.fn.Return<Made<Wire, Report, Reported>, never, Records | SendGuard> {
  const { product, toId = toDeliveryId, toWire } = format
  const records = yield* Records
  const guard = yield* SendGuard
  const partition = partitionOf(product)

  const report = Effect.fnUntraced(function* (principal: Principal, body: Report) {
    const { delivery, isVerified } = yield* records.report(partition(principal), toId(idOf(body)), outcomeOf(body))
    const { to } = delivery
    if (guard !== null && isVerified && isE164(to)) yield* guard.verified({ principal, to })
    return toReported(delivery, body)
  })

  const find: Find = (principal, id) => records.get(partition(principal), toId(id))
  const get = (principal: Principal, id: string) => Effect.map(find(principal, id), toWire)
  return { find, records: { get, list: yield* lists(format), report } }
})

/** Only the lists, for records whose outcomes accounts do not report. */
export const lists = <Wire>({
  fields,
  product,
  toWire
}: Format<Wire>): Effect.Effect<ChannelRecords<Wire, never, never>["list"], never, Records> =>
  Effect.map(Records, (records) => {
    const partition = partitionOf(product)
    return (principal, body) => records.list(partition(principal), body, fields, toWire)
  })

/** The operations of records. */
export interface RecordOperations<out Wire, out Input, out Reported> {
  readonly get: Operation.Read<Wire, NotFound | StoreError>
  readonly list: Operation.List<Envelope<Wire>, BadRequest | TooManyRequests | StoreError>
  readonly report: Operation.Body<Input, Reported, NotFound | Conflict | StoreError>
}

/** @param report the body of a report */
export const operations = <Wire, Report, Input, Reported>(
  report: Schema.ConstraintCodec<Report, Input>,
  service: ChannelRecords<Wire, Report, Reported>
): RecordOperations<Wire, Input, Reported> => ({
  get: Operation.read(service.get),
  list: Operation.list(service.list),
  report: Operation.body(report, service.report)
})

const partitionOf =
  (channel: Product) =>
  ({ account, mode }: Principal): Partition => ({ account: account.id, mode, channel })

const isE164 = Schema.is(E164)

const toDeliveryId = Schema.decodeOption(DeliveryId)
