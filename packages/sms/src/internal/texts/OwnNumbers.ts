/**
 * The numbers of ours that users write to: `receives` of a carrier's options.
 */
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Address, senderOf } from "./Originator.ts"

/** Numbers of one carrier. */
const MOST = 100

/** The end of the sentence "receives must be …". */
export const MUST =
  `must be 1 to ${MOST} different numbers of yours that users write to, each in E.164 with the plus sign and the ` +
  "calling code, such as +491713920000"

const isE164 = Schema.is(E164)

/** Reads a list of numbers; the failure is the end of a sentence with the list as its subject. */
export const read = (given: unknown): Result.Result<ReadonlyArray<E164>, string> => {
  const numbers: ReadonlyArray<unknown> = Array.isArray(given) ? given : []
  const valid = numbers.filter(isE164)
  const isFine = valid.length > 0 && valid.length <= MOST && valid.length === numbers.length
  return isFine && new Set(valid).size === valid.length ? Result.succeed(valid) : Result.fail(MUST)
}

/** Digits at the end that say which of our numbers is worth reading an address for. */
const COMPARED = 4

/**
 * The number of ours that an address is; null for any other. The address may be in the national form of that number's
 * country.
 */
export const writtenTo = (address: Address, ours: ReadonlyArray<E164>): E164 | null => {
  const digits = address.address.replace(/^\+/, "")
  const end = digits.slice(-COMPARED)
  for (const number of ours) {
    if (digits === number.slice(1)) return number
    if (number.endsWith(end) && senderOf(address, number) === number) return number
  }
  return null
}
