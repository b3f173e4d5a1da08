/**
 * Test numbers of an account: exact numbers that no gateway is asked for, each with a code that is right until a time.
 * Reviewers of app stores and tests of live systems use them.
 *
 * A number that has ended is no test number any more, and gives its place to the next one that is added.
 */
import { parseTime } from "@watchword/pagination/Time"
import { Code } from "@watchword/schemas/Chat"
import { BadRequest, NotFound } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import { badRequest } from "@watchword/schemas/Issues"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { Settings } from "@watchword/settings/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { testNumbers } from "../VerifySettings.ts"

export interface TestNumber {
  readonly number: string
  readonly code: string
  /** When it ends: at most 90 days from now when it is added. */
  readonly until: Date
}

/** A test number of an account, and whether its time is over. */
export interface Listed extends TestNumber {
  readonly ended: boolean
}

/** In milliseconds: the longest time of a test number. A way around the code must not be forgotten. */
const LONGEST = 90 * 24 * 60 * 60 * 1000

const NewTestNumber = Schema.Struct({ number: E164, code: Code, until: Schema.Date })

const decode = Schema.decodeUnknownEffect(NewTestNumber, { errors: "all", onExcessProperty: "error" })

const INVALID = "The test number is not valid."

/** All test numbers of an account, in the order of their digits. */
export const list = Effect.fnUntraced(function* (
  account: AccountId
): Effect.fn.Return<ReadonlyArray<Listed>, StoreError, Settings> {
  const settings = yield* Settings
  const now = yield* Clock.currentTimeMillis
  const all = yield* settings.all(account, testNumbers)
  return [...all].map(([number, { code, until }]) => {
    const end = Option.getOrElse(parseTime(until), () => 0)
    return { number, code, until: new Date(end), ended: end <= now }
  })
})

/** Adds a test number, or changes the code and the end of one. */
export const add = Effect.fnUntraced(function* (
  account: AccountId,
  wanted: TestNumber
): Effect.fn.Return<TestNumber, BadRequest | NotFound | StoreError, Settings> {
  const settings = yield* Settings
  const { code, number, until } = yield* Effect.mapError(decode(wanted), (error) => badRequest(error, INVALID))
  const now = yield* Clock.currentTimeMillis
  const end = until.getTime()
  if (!(end > now && end <= now + LONGEST)) {
    const message = "must be in the future, and at most 90 days from now"
    return yield* new BadRequest({ message: INVALID, issues: [{ path: "until", message }] })
  }
  for (const { ended, number: old } of yield* list(account)) {
    if (ended) yield* settings.remove(account, testNumbers.of(old))
  }
  yield* settings.set(account, testNumbers.of(number), { code, until: until.toISOString() })
  return { number, code, until }
})

/** Takes a test number away; from then on it is a number like others. */
export const remove = Effect.fnUntraced(function* (
  account: AccountId,
  number: string
): Effect.fn.Return<void, NotFound | StoreError, Settings> {
  const settings = yield* Settings
  if (!(yield* settings.remove(account, testNumbers.of(number)))) {
    return yield* new NotFound({ message: "The account has no such test number." })
  }
})
