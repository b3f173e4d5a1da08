/**
 * Originators: the sender, the caller or the username by which a phone shows who a message or a call is from. An account's
 * lists bound those that its live sends may have.
 */
import * as Schema from "effect/Schema"
import type { Originators } from "../Account.ts"
import { SenderUsername } from "../Chat.ts"
import { boundsOf } from "./callerRange.ts"
import { E164 } from "../PhoneNumber.ts"
import { Sender } from "../Sms.ts"

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

/** Lists as an operator gives them; those that are left out stay as they are. None is empty: no send would pass it. */
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
 * import { permits } from "@watchword/schemas/internal/Originators"
 *
 * const lists = { senders: ["Acme"], callers: ["+4930901820000-+4930901820099"], usernames: null }
 * permits(lists, "senders", "Acme") // true
 * permits(lists, "callers", "+4930901820100") // false
 * ```
 */
export const permits = (lists: Originators, kind: Kind, originator: string): boolean =>
  lists[kind]?.some((entry) => matches[kind](entry, originator)) ?? true
