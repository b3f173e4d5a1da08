/**
 * The UUID under which the SMS interface names a message.
 *
 * A ULID made before the year 2109 leaves its six highest bits zero, and a UUIDv8 leaves 122 bits to
 * its maker: so one is the other written differently, in the same order, and no second identifier
 * has to be stored or indexed.
 *
 * Source: RFC 9562 §5.8; https://github.com/ulid/spec.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { DeliveryId } from "./Ids.ts"

/** A message's identifier on the wire: a UUID, lower case. */
export const MessageId = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, {
    message: "must be a UUID that POST /sms returned"
  })
).pipe(Schema.brand("MessageId"))
export type MessageId = typeof MessageId.Type

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const VERSION = 8n
const VARIANT = 0b10n

const bitsOfUlid = (ulid: string): bigint => {
  let bits = 0n
  for (const digit of ulid) bits = (bits << 5n) | BigInt(CROCKFORD.indexOf(digit))
  return bits
}

const ulidOfBits = (bits: bigint): string => {
  let ulid = ""
  for (let shift = 125n; shift >= 0n; shift -= 5n) ulid += CROCKFORD[Number((bits >> shift) & 31n)]
  return ulid
}

/**
 * The UUID of a delivery.
 *
 * @example
 * ```ts
 * import { DeliveryId } from "@watchword/schemas/Ids"
 * import * as MessageId from "@watchword/schemas/MessageId"
 *
 * MessageId.fromDeliveryId(DeliveryId.make("01KAJ3T8ZZ0000000000000000"))
 * ```
 */
export const fromDeliveryId = (id: DeliveryId): MessageId => {
  const bits = bitsOfUlid(id)
  const high = bits >> 74n // 48 bits
  const middle = (bits >> 62n) & 0xfffn // 12 bits
  const low = bits & 0x3fff_ffff_ffff_ffffn // 62 bits
  const uuid = ((high & 0xffff_ffff_ffffn) << 80n) | (VERSION << 76n) | (middle << 64n) | (VARIANT << 62n) | low
  const hex = uuid.toString(16).padStart(32, "0")
  return MessageId.make(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  )
}

const isMessageId = Schema.is(MessageId)

/** The delivery that a UUID names, or none when no message can have that UUID. Upper case is accepted. */
export const toDeliveryId = (uuid: string): Option.Option<DeliveryId> => {
  const text = uuid.toLowerCase()
  if (!isMessageId(text)) return Option.none()
  const bits = BigInt(`0x${text.replaceAll("-", "")}`)
  const high = bits >> 80n
  const middle = (bits >> 64n) & 0xfffn
  const low = bits & 0x3fff_ffff_ffff_ffffn
  return Option.some(DeliveryId.make(ulidOfBits((high << 74n) | (middle << 62n) | low)))
}
