/**
 * Test numbers of an account: exact numbers that no gateway is asked for, each with a code that is right until a time.
 * Reviewers of app stores and tests of live systems use them.
 *
 * An expired number is no longer a test number, and the next number that is added takes its slot.
 */
import { parseTime } from "@watchword/pagination/Fields"
import { Code } from "@watchword/schemas/Chatgw"
import { BadRequest, NotFound, type ServiceUnavailable, badRequest } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { type InstallationSecret, makeSeals } from "@watchword/send/pipeline"
import { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TestCodes from "../internal/TestCodes.ts"
import { type TestNumber as Kept, testNumbers } from "../internal/VerifySettings.ts"

export interface TestNumber {
  readonly number: string
  readonly code: string
  /** When it ends: at most 90 days from now when it is added. */
  readonly until: Date
}

/** A test number of an account, and whether its time is over. */
export interface Listed extends TestNumber {
  readonly ended: boolean
  /** Whether too many wrong codes were entered: no code is right until the number is added again. */
  readonly locked: boolean
}

/** In milliseconds: the longest time of a test number. A way around the code must not be forgotten. */
const LONGEST = 90 * 24 * 60 * 60 * 1000

/** Codes of older ones may be shorter. The budget of wrong guesses leaves one in 50,000 of six digits. */
const FixedCode = Code.check(Schema.isMinLength(6, { message: "must be 6 to 8 digits" }))

const NewTestNumber = Schema.Struct({ number: E164, code: FixedCode, until: Schema.Date })

const decode = Schema.decodeUnknownEffect(NewTestNumber, { errors: "all", onExcessProperty: "error" })

const INVALID = "The test number is not valid."

/** All test numbers of an account, in the order of their digits. */
export const list = Effect.fnUntraced(function* (
  account: AccountId
): Effect.fn.Return<ReadonlyArray<Listed>, ServiceUnavailable | StoreError, InstallationSecret | Settings> {
  const seals = yield* makeSeals
  return yield* Effect.forEach(yield* keptOf(account), ({ kept, ...listed }) =>
    Effect.map(TestCodes.opened(seals, account, listed.number, kept), (code) => ({ ...listed, code }))
  )
})

/** The same without their codes, which need the secret of the installation. */
export const listNumbers = (
  account: AccountId
): Effect.Effect<ReadonlyArray<Omit<Listed, "code">>, StoreError, Settings> =>
  Effect.map(keptOf(account), (all) =>
    all.map(({ ended, locked, number, until }) => ({ number, until, ended, locked }))
  )

const keptOf = Effect.fnUntraced(function* (account: AccountId) {
  const now = yield* Clock.currentTimeMillis
  const all = yield* (yield* Settings).all(account, testNumbers)
  return [...all].map(([number, kept]) => {
    const end = Option.getOrElse(parseTime(kept.until), () => 0)
    return { number, until: new Date(end), ended: end <= now, locked: kept.locked === true, kept }
  })
})

/**
 * Adds a test number, or changes the code and the end of one, which gives it another budget of wrong guesses.
 *
 * @param anyway even if the account has sent to the number in the last 90 days: it is a user's, who could be signed in
 *   as
 */
export const add = Effect.fnUntraced(function* (
  account: AccountId,
  wanted: TestNumber,
  anyway = false
): Effect.fn.Return<
  TestNumber,
  BadRequest | NotFound | ServiceUnavailable | StoreError,
  InstallationSecret | Settings | Store
> {
  const settings = yield* Settings
  const { code, number, until } = yield* Effect.mapError(decode(wanted), (error) => badRequest(error, INVALID))
  const now = yield* Clock.currentTimeMillis
  const end = until.getTime()
  if (!(end > now && end <= now + LONGEST)) {
    const message = "must be in the future, and at most 90 days from now"
    return yield* new BadRequest({ message: INVALID, issues: [{ path: "until", message }] })
  }
  if (!anyway && (yield* isInUse(account, number, now))) {
    const message =
      "has live sends of the last 90 days: it is a user's, and its code would sign in as that user; set anyway"
    return yield* new BadRequest({ message: INVALID, issues: [{ path: "number", message }] })
  }
  for (const { ended, number: old } of yield* listNumbers(account)) {
    if (ended) yield* settings.remove(account, testNumbers.of(old))
  }
  const kept = yield* TestCodes.kept(yield* makeSeals, account, number, code)
  yield* settings.set(account, testNumbers.of(number), { ...kept, until: until.toISOString(), added: now })
  return { number, code, until }
})

/** How many records of a number are looked at. */
const MOST_RECORDS = 500

/** Whether an account has sent to a number, other than verifications of it as a test number. */
const isInUse = Effect.fnUntraced(function* (
  account: AccountId,
  number: string,
  now: number
): Effect.fn.Return<boolean, StoreError, Store> {
  const store = yield* Store
  const found = yield* store.deliveriesTo({ to: number, since: now - LONGEST, until: now, limit: MOST_RECORDS })
  const ofUsers = found.filter(
    (each) => each.account === account && each.mode === "live" && each.details["test_number"] !== true
  )
  return ofUsers.length > 0
})

/** Seals the unsealed codes of an account's test numbers under the installation's secret. */
export const seal = Effect.fnUntraced(function* (
  account: AccountId,
  secret: string
): Effect.fn.Return<void, BadRequest | NotFound | StoreError, InstallationSecret | Settings> {
  const settings = yield* Settings
  const seals = yield* makeSeals
  const renewed = Effect.fnUntraced(function* (number: string, code: string, { added, locked, until }: Kept) {
    const kept = yield* TestCodes.kept(seals, account, number, code)
    yield* settings.set(account, testNumbers.of(number), {
      ...kept,
      until,
      ...(added === undefined ? {} : { added }),
      ...(locked === undefined ? {} : { locked })
    })
  })
  for (const [number, kept] of yield* settings.all(account, testNumbers)) {
    if (kept.sealed?.secret === secret) continue
    yield* TestCodes.opened(seals, account, number, kept).pipe(
      Effect.flatMap((code) => renewed(number, code, kept)),
      Effect.catchTag("SERVICE_UNAVAILABLE", ({ message }) =>
        Effect.logError("the code of a test number cannot be read; add the number again", { account, message })
      )
    )
  }
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
