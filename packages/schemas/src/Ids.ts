/**
 * Identifiers. Everything that is stored is named by a ULID, so that new rows land at the end of an
 * index; accounts and keys carry a prefix that tells a person what they are looking at.
 *
 * Source: https://github.com/ulid/spec; RFC 9562 §5.8 (UUIDv8).
 */
import * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { codeOf } from "./Crockford.ts"

const ULID = "[0-7][0-9A-HJKMNP-TV-Z]{25}"

/** A delivery's identifier: a ULID, 26 characters of Crockford's base 32. */
export const DeliveryId = Schema.String.check(
  Schema.isPattern(new RegExp(`^${ULID}$`), { message: "must be a ULID" })
).pipe(Schema.brand("DeliveryId"))
export type DeliveryId = typeof DeliveryId.Type

/** An account's identifier, `acc_` and a ULID. */
export const AccountId = Schema.String.check(
  Schema.isPattern(new RegExp(`^acc_${ULID}$`), { message: "must be an account id" })
).pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** An API key's public identifier, `key_` and a ULID. It is no secret. */
export const KeyId = Schema.String.check(
  Schema.isPattern(new RegExp(`^key_${ULID}$`), { message: "must be a key id" })
).pipe(Schema.brand("KeyId"))
export type KeyId = typeof KeyId.Type

/** A ledger entry's identifier, a ULID. */
export const EntryId = Schema.String.check(
  Schema.isPattern(new RegExp(`^${ULID}$`), { message: "must be a ULID" })
).pipe(Schema.brand("EntryId"))
export type EntryId = typeof EntryId.Type

/** The identifier of one run of a server process, a ULID. */
export const ProcessId = Schema.String.check(
  Schema.isPattern(new RegExp(`^${ULID}$`), { message: "must be a ULID" })
).pipe(Schema.brand("ProcessId"))
export type ProcessId = typeof ProcessId.Type

/** A correlation id that a client sends as `x-request-id`: any UUID. */
export const RequestId = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, { message: "must be a UUID" })
).pipe(Schema.brand("RequestId"))
export type RequestId = typeof RequestId.Type

const TIME_DIGITS = 10
const DIGITS = 26
const TIME_MAX = 2 ** 48 - 1

/** The last ULID of this process, as values of its digits, and its time. */
const last = new Uint8Array(DIGITS)
let lastAt = Number.NEGATIVE_INFINITY

// The same as character codes. It is no typed array: those are copied on their way into a text.
const codes = Array.from(last, codeOf)

// Random bytes are had by the thousand: asking for them costs more than the rest of an id.
const pool = new Uint8Array(4096)
let drawn = pool.length

/** A random digit, 0 to 31. */
const randomDigit = (): number => {
  if (drawn === pool.length) {
    crypto.getRandomValues(pool)
    drawn = 0
  }
  return (pool[drawn++] ?? 0) & 31
}

const write = (place: number, digit: number): void => {
  last[place] = digit
  codes[place] = codeOf(digit)
}

const begin = (at: number): void => {
  if (!(at >= 0 && at <= TIME_MAX)) throw new RangeError(`no ULID has the time ${at}`)
  lastAt = at
  let time = Math.floor(at)
  for (let place = TIME_DIGITS - 1; place >= 0; place--) {
    write(place, time % 32)
    time = Math.floor(time / 32)
  }
  for (let place = TIME_DIGITS; place < DIGITS; place++) write(place, randomDigit())
}

const increment = (): void => {
  let place = DIGITS - 1
  while (last[place] === 31) write(place--, 0)
  write(place, (last[place] ?? 0) + 1)
}

/**
 * The next ULID of this process, greater than every one before it: the next number where the time has not moved on.
 *
 * @param at milliseconds since the epoch
 */
export const nextUlid = (at: number): string => {
  if (at <= lastAt) increment()
  else begin(at)
  return String.fromCharCode(...codes)
}

const ids =
  <B>(prefix: string, brand: (text: string) => B) =>
  (at: number): B =>
    brand(prefix + nextUlid(at))

export const nextDeliveryId = ids("", Brand.nominal<DeliveryId>())
export const nextAccountId = ids("acc_", Brand.nominal<AccountId>())
export const nextKeyId = ids("key_", Brand.nominal<KeyId>())
export const nextEntryId = ids("", Brand.nominal<EntryId>())
export const nextProcessId = ids("", Brand.nominal<ProcessId>())
