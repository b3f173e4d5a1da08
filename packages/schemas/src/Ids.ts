/**
 * Identifiers: ULIDs, so that new rows land at the end of an index. Account and key ids have a prefix for human
 * readers.
 *
 * Source: https://github.com/ulid/spec; RFC 9562 §5.8 (UUIDv8).
 */
import * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { decodeTime, encodeTime, monotonicFactory } from "ulid"

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

/** An API key's public identifier, `key_` and a ULID. It is not secret. */
export const KeyId = Schema.String.check(
  Schema.isPattern(new RegExp(`^key_${ULID}$`), { message: "must be a key id" })
).pipe(Schema.brand("KeyId"))
export type KeyId = typeof KeyId.Type

/** The identifier of an operator's token, `opr_` and a ULID. It is not secret. */
export const OperatorId = Schema.String.check(
  Schema.isPattern(new RegExp(`^opr_${ULID}$`), { message: "must be the id of an operator's token" })
).pipe(Schema.brand("OperatorId"))
export type OperatorId = typeof OperatorId.Type

/** A ledger entry's identifier: a ULID, or any text under which an operator can repeat a credit or a debit. */
export const EntryId = Schema.String.check(
  Schema.isPattern(/^(?=.*\S)[^\p{Cc}\p{Surrogate}]{1,100}$/u, {
    message: "must have 1 to 100 characters and no control characters"
  })
).pipe(Schema.brand("EntryId"))
export type EntryId = typeof EntryId.Type

/** The identifier of one run of a server process, a ULID. */
export const ProcessId = Schema.String.check(
  Schema.isPattern(new RegExp(`^${ULID}$`), { message: "must be a ULID" })
).pipe(Schema.brand("ProcessId"))
export type ProcessId = typeof ProcessId.Type

/** An event's identifier, a ULID: it stays the same however often the event is sent. */
export const EventId = Schema.String.check(
  Schema.isPattern(new RegExp(`^${ULID}$`), { message: "must be a ULID" })
).pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

/** A correlation id that a client sends as `x-request-id`: any UUID. */
export const RequestId = Schema.String.annotate({ format: "uuid" })
  .check(
    Schema.isPattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, { message: "must be a UUID" })
  )
  .pipe(Schema.brand("RequestId"))
export type RequestId = typeof RequestId.Type

// Made on first use: Workers allow no randomness while a module loads.
let factory: ((at?: number) => string) | undefined

// Random bytes are drawn by the thousand: a draw costs more than the rest of an id.
const pool = new Uint8Array(4096)
let drawn = pool.length

/** A number from 0 up to 1; a ULID uses 5 bits of it. */
const random = (): number => {
  if (drawn === pool.length) {
    crypto.getRandomValues(pool)
    drawn = 0
  }
  return (pool[drawn++] ?? 0) / 256
}

/**
 * The next ULID of this process, greater than every one before it: the next number where the time has not moved on.
 *
 * @param at milliseconds since the epoch
 */
export const nextUlid = (at: number): string => (factory ??= monotonicFactory(random))(Math.max(at, EARLIEST))

// At 0, where the mocked clocks of some test runners begin, the factory continues from an id that there is not.
const EARLIEST = 1

const ids =
  <B>(prefix: string, brand: (text: string) => B) =>
  (at: number): B =>
    brand(prefix + nextUlid(at))

export const nextDeliveryId = ids("", Brand.nominal<DeliveryId>())
export const nextAccountId = ids("acc_", Brand.nominal<AccountId>())
export const nextKeyId = ids("key_", Brand.nominal<KeyId>())
export const nextOperatorId = ids("opr_", Brand.nominal<OperatorId>())
export const nextEntryId = ids("", Brand.nominal<EntryId>())
export const nextProcessId = ids("", Brand.nominal<ProcessId>())
export const nextEventId = ids("", Brand.nominal<EventId>())

/**
 * The smallest ULID of a time: ULIDs of earlier times are smaller, and no ULID of this time is. A time outside the
 * range of ULIDs is clamped to it.
 */
export const firstUlid = (at: number): string => encodeTime(Math.min(Math.max(at, 0), LATEST), 10) + "0".repeat(16)

// A ULID's time has 48 bits (ULID specification, "Components").
const LATEST = 2 ** 48 - 1

/** The time of a ULID, in milliseconds since the epoch. */
export const timeOfUlid = (ulid: string): number => decodeTime(ulid)
