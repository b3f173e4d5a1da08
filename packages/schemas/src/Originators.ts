/**
 * Originators: the sender, the caller or the username by which a phone shows who a message or a call is from. An
 * account's lists restrict the originators of its live sends, and a caller pool has the numbers from which flash calls
 * draw their callers.
 */
import * as Schema from "effect/Schema"
import type { Originators } from "./Account.ts"
import { SenderUsername } from "./Chatgw.ts"
import { boundsOf } from "./internal/callerRange.ts"
import { E164 } from "./PhoneNumber.ts"
import { Sender } from "./Sms.ts"

/** The list that an originator has to be in. */
export type Kind = keyof Originators

const isNumber = Schema.is(E164)

/** A number, or a range of numbers of one length: `+4930901820000-+4930901820099`, both ends included. */
export const CallerRange = Schema.String.check(
  Schema.makeFilter((text) => {
    const [first, last] = boundsOf(text)
    const isRange = isNumber(first) && isNumber(last) && first.length === last.length && first <= last
    return isRange && text.split("-").length <= 2
      ? undefined
      : "must be a phone number in E.164 form, or two of one length with - in between, the smaller first"
  })
)

const MOST = 1_000

const list = <S extends Schema.Top>(entry: S) =>
  Schema.Array(entry).check(
    Schema.isMinLength(1, { message: "must have at least one entry" }),
    Schema.isMaxLength(MOST, { message: `must have at most ${MOST} entries` })
  )

/** Numbers and ranges, at least one. */
export const CallerRanges = list(CallerRange)

/** Lists from an operator; omitted lists stay as they are. No list may be empty, because no send would pass it. */
export const Lists = Schema.Struct({
  senders: Schema.optionalKey(list(Sender)),
  callers: Schema.optionalKey(CallerRanges),
  usernames: Schema.optionalKey(list(SenderUsername))
})

const matches: { readonly [K in Kind]: (entry: string, originator: string) => boolean } = {
  senders: (entry, sender) => entry === sender,
  callers: (entry, caller) => {
    const [first, last] = boundsOf(entry)
    return caller.length === first.length && first <= caller && caller <= last
  },
  usernames: (entry, username) => plain(entry) === plain(username)
}

/** A username without the at sign; the chat app takes capitals for small letters. */
const plain = (username: string): string => username.replace(/^@/, "").toLowerCase()

/**
 * Whether an account's lists let an originator through. A list that is null lets all through.
 *
 * @example
 * ```ts
 * import { permits } from "@watchword/schemas/Originators"
 *
 * const lists = { senders: ["Acme"], callers: ["+4930901820000-+4930901820099"], usernames: null }
 * permits(lists, "senders", "Acme") // true
 * permits(lists, "callers", "+4930901820100") // false
 * ```
 */
export const permits = (lists: Originators, kind: Kind, originator: string): boolean =>
  lists[kind]?.some((entry) => matches[kind](entry, originator)) ?? true

/** Numbers by their digits, both ends included. */
interface Range {
  readonly first: number
  readonly last: number
}

/**
 * A pool of callers, in which each number is once: flash calls come from its numbers, where the last digits of the
 * caller are the code.
 *
 * The odds of a guess depend only on the pool: an attacker who knows it guesses one of its endings. So a pool of few
 * endings is a weak code, however long it is.
 */
export interface CallerPool {
  readonly ranges: ReadonlyArray<Range>
  /** How many numbers there are. */
  readonly size: number
}

/** With fewer endings than this, calls verify only where an account says so. */
export const FEWEST_ENDINGS = 1_000

/**
 * The pool of numbers and ranges, which are written as {@link CallerRange} has them.
 *
 * @example
 * ```ts
 * import { poolOfCallers, drawCaller, endingsOf } from "@watchword/schemas/Originators"
 *
 * const pool = poolOfCallers(["+4930901820000-+4930901821999", "+4930555555"])
 * pool.size // 2001
 * endingsOf(pool, 4) // 2000: +4930555555 ends like one of the others
 * drawCaller(pool, Math.random())
 * ```
 */
export const poolOfCallers = (entries: ReadonlyArray<string>): CallerPool => poolOf(entries.map(rangeOf))

const rangeOf = (entry: string): Range => {
  const [first, last] = boundsOf(entry)
  return { first: digits(first), last: digits(last) }
}

const digits = (number: string): number => Number(number.slice(1))

const sizeOf = ({ first, last }: Range): number => last - first + 1

/** Sorts ranges and merges touching or overlapping ones: no number is drawn more often than another. */
const poolOf = (given: ReadonlyArray<Range>): CallerPool => {
  const ranges: Array<Range> = []
  for (const range of given.toSorted((one, other) => one.first - other.first)) {
    const before = ranges.at(-1)
    if (before === undefined || range.first > before.last + 1) ranges.push(range)
    else if (range.last > before.last) ranges[ranges.length - 1] = { first: before.first, last: range.last }
  }
  return { ranges, size: ranges.reduce((sum, range) => sum + sizeOf(range), 0) }
}

/** The numbers that are in both pools. */
export const commonPool = (one: CallerPool, other: CallerPool): CallerPool =>
  poolOf(
    one.ranges.flatMap((a) =>
      other.ranges
        .map((b) => ({ first: Math.max(a.first, b.first), last: Math.min(a.last, b.last) }))
        .filter(({ first, last }) => first <= last)
    )
  )

/**
 * A number of the pool, or null if the pool is empty.
 *
 * @param random evenly from 0 up to 1, less than 1
 */
export const drawCaller = ({ ranges, size }: CallerPool, random: number): E164 | null => {
  let place = Math.floor(random * size)
  for (const range of ranges) {
    if (place < sizeOf(range)) return numberOf(range.first + place)
    place -= sizeOf(range)
  }
  return null
}

// The ends of a range are phone numbers. A number between them is not a phone number only if the range spans calling
// codes.
const numberOf = (digits: number): E164 | null => {
  const number = `+${digits}`
  return isNumber(number) ? number : null
}

/** Whether a number is in a pool. */
export const hasCaller = ({ ranges }: CallerPool, number: string): boolean => {
  const place = digits(number)
  return ranges.some(({ first, last }) => first <= place && place <= last)
}

/** How many different last digits the numbers of a pool have. */
export const endingsOf = ({ ranges }: CallerPool, length: number): number => {
  const all = 10 ** length
  // A range's endings are one stretch of a circle, or all of it; stretches may overlap.
  const stretches: Array<readonly [from: number, to: number]> = []
  for (const range of ranges) {
    const from = range.first % all
    const to = from + sizeOf(range)
    if (sizeOf(range) >= all) return all
    if (to <= all) stretches.push([from, to])
    else stretches.push([from, all], [0, to - all])
  }
  let count = 0
  let end = 0
  for (const [from, to] of stretches.toSorted(([a], [b]) => a - b)) {
    count += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return count
}
