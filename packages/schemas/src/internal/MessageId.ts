/**
 * The UUID under which the SMS interface names a message.
 *
 * A ULID made before the year 2109 leaves its six highest bits zero, and a UUIDv8 leaves 122 bits to
 * its maker: so one is the other written differently, in the same order, and no second identifier
 * has to be stored or indexed.
 *
 * Source: RFC 9562 §5.8; https://github.com/ulid/spec.
 */
import * as Brand from "effect/Brand"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { codeOf, valueAt } from "./Crockford.ts"
import type { DeliveryId } from "../Ids.ts"

/** A message's identifier on the wire: a UUID, lower case. */
export const MessageId = Schema.String.annotate({ format: "uuid" })
  .check(
    Schema.isPattern(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, {
      message: "must be a UUID that POST /sms returned"
    })
  )
  .pipe(Schema.brand("MessageId"))
export type MessageId = typeof MessageId.Type

/** Where the bits of a ULID go in a UUID: four at each x, two at the y, next to the two of the variant. */
const LAYOUT = "xxxxxxxx-xxxx-8xxx-yxxx-xxxxxxxxxxxx"
const widths = Uint8Array.from(LAYOUT, (place) => (place === "x" ? 4 : place === "y" ? 2 : 0))
const VARIANT_PLACE = LAYOUT.indexOf("y")
const VARIANT = 0b1000

/** A ULID's first five bits are always zero, and so are three of the second five. */
const FIRST = 1
const FIRST_WIDTH = 2
const DIGITS = 26

const hexCodes = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0))

// Character codes of the result. Plain arrays: String.fromCharCode copies typed ones.
const uuidCodes = Array.from(LAYOUT, (place) => place.charCodeAt(0))
const ulidCodes = Array.from({ length: DIGITS }, () => codeOf(0))

const brandedMessageId = Brand.nominal<MessageId>()
const brandedDeliveryId = Brand.nominal<DeliveryId>()

/**
 * The UUID of a delivery.
 *
 * @example
 * ```ts
 * import { DeliveryId } from "@watchword/schemas/Ids"
 * import * as MessageId from "@watchword/schemas/Sms"
 *
 * MessageId.fromDeliveryId(DeliveryId.make("01KAJ3T8ZZ0000000000000000"))
 * ```
 */
export const fromDeliveryId = (id: DeliveryId): MessageId => {
  let next = FIRST
  let bits = valueAt(id, next++)
  let count = FIRST_WIDTH
  for (let place = 0; place < LAYOUT.length; place++) {
    const width = widths[place] ?? 0
    if (width === 0) continue
    if (count < width) {
      bits = (bits << 5) | valueAt(id, next++)
      count += 5
    }
    count -= width
    const nibble = (bits >> count) & ((1 << width) - 1)
    uuidCodes[place] = hexCodes[place === VARIANT_PLACE ? VARIANT | nibble : nibble] ?? 0
  }
  return brandedMessageId(String.fromCharCode(...uuidCodes))
}

const isMessageId = Schema.is(MessageId)

/** The delivery that a UUID names, or none when no message can have that UUID. Upper case is accepted. */
export const toDeliveryId = (uuid: string): Option.Option<DeliveryId> => {
  const text = uuid.toLowerCase()
  if (!isMessageId(text)) return Option.none()
  let next = FIRST
  let bits = 0
  let count = 5 - FIRST_WIDTH
  for (let place = 0; place < LAYOUT.length; place++) {
    const width = widths[place] ?? 0
    if (width === 0) continue
    bits = (bits << width) | (hexCodes.indexOf(text.charCodeAt(place)) & ((1 << width) - 1))
    count += width
    if (count < 5) continue
    count -= 5
    ulidCodes[next++] = codeOf((bits >> count) & 31)
  }
  return Option.some(brandedDeliveryId(String.fromCharCode(...ulidCodes)))
}
