/**
 * Fields of answers and receipts, read with care: any of them may be missing, or be of another kind.
 */
import { DeliveryId } from "@watchword/schemas/Ids"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { Details } from "@watchword/store/Delivery"

/** The property of a value; undefined if it has no such property. */
export const at = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return /^\d{1,4}$/.test(name) ? value[Number(name)] : undefined
  return Predicate.hasProperty(value, name) && Object.hasOwn(value, name) ? value[name] : undefined
}

const LONGEST_ID = 128

/** The id of a message; null if the value is not a valid id. */
export const idOf = (value: unknown): string | null => {
  const id = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value
  return typeof id === "string" && id.length > 0 && id.length <= LONGEST_ID ? id : null
}

/** A status or an error code as records and logs have it: but not words of texts, numbers or addresses. */
export const codeOf = (value: unknown): string | null => {
  const code = typeof value === "number" ? String(value) : value
  return typeof code === "string" && /^[A-Za-z0-9._-]{1,40}$/.test(code) && !/\d{7}/.test(code) ? code : null
}

/** A recipient with its plus sign; null if the value is not a number. */
export const numberOf = (value: unknown): string | null => {
  const digits = typeof value === "number" ? String(value) : value
  return typeof digits === "string" && /^\+?\d{3,15}$/.test(digits) ? `+${digits.replace("+", "")}` : null
}

/** The reference of a message; null if the value is not a valid reference. */
export const referenceOf = (value: unknown): number | null => {
  const reference = typeof value === "string" && /^\d{1,5}$/.test(value) ? Number(value) : value
  return typeof reference === "number" && Number.isInteger(reference) && reference >= 0 && reference <= 0xffff
    ? reference
    : null
}

const decodeDelivery = Schema.decodeUnknownOption(DeliveryId)

/** The delivery of a message, as the request named it; null for any other value. */
export const deliveryOf = (value: unknown): DeliveryId | null => Option.getOrNull(decodeDelivery(value))

/** A carrier's optional facts in addition to the status, each null or undefined if missing. */
interface Said {
  readonly parts?: unknown
  readonly price?: unknown
  readonly currency?: unknown
  readonly time?: unknown
}

/**
 * The details of a record from a carrier's facts: `carrier_parts`, `carrier_price`, `carrier_currency`, `carrier_time`.
 */
export const detailsOf = ({ currency, parts, price, time }: Said): Details => ({
  ...(isWritten(parts, /^[1-9]\d{0,2}$/) ? { carrier_parts: Number(parts) } : {}),
  ...(isWritten(price, /^-?\d{1,9}(\.\d{1,9})?$/) ? { carrier_price: String(price) } : {}),
  ...(isWritten(currency, /^[A-Z]{3}$/) ? { carrier_currency: String(currency) } : {}),
  ...(isWritten(time, /^[\dTZ:.+ -]{8,35}$/) ? { carrier_time: String(time) } : {})
})

const isWritten = (value: unknown, pattern: RegExp): boolean =>
  (typeof value === "string" || typeof value === "number") && pattern.test(String(value))
