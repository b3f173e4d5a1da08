/**
 * Options that all providers over HTTP have, and how they are checked.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import { type Secret, callbackOf, redacted, textOf } from "@watchword/send/gateway"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as OwnNumbers from "../texts/OwnNumbers.ts"

/** Other secrets are read for each request and each receipt, so that getters may give others later. */
export interface CommonOptions {
  /**
   * Where the provider reaches the webhook of this gateway, if that is not `/sms/events` behind the service's
   * `publicUrl`. Without both, requests do not say where to post receipts; the provider may have a setting of its own
   * for that.
   */
  readonly callbackUrl?: string | undefined
  /** Another address of the provider's API, such as that of a region. */
  readonly baseUrl?: string | undefined
  /** Messages a second that the account may send; null, the default, for as many as the provider takes. */
  readonly rate?: number | null | undefined
  /** Seconds for each request, from the first byte to the last; 10 by default. */
  readonly timeout?: number | undefined
  /** Seconds that a message may wait for its turn, in all; 10 by default. */
  readonly deadline?: number | undefined
  /**
   * The numbers of ours whose texts the provider posts to the same address as receipts, for verifications in which the
   * user writes first, each in E.164; others are dropped.
   */
  readonly receives?: ReadonlyArray<string> | undefined
}

/** An option that cannot be used. `message` is a sentence that names it, and never repeats a secret. */
export class SmsHttpOptionsError extends Schema.TaggedError<SmsHttpOptionsError>()("SmsHttpOptionsError", {
  setting: Schema.String,
  message: Schema.String
}) {}

/** The fault of an option: the end of the sentence "rate must be …". */
export const invalid = (setting: string, must: string): Effect.Effect<never, SmsHttpOptionsError> =>
  Effect.fail(new SmsHttpOptionsError({ setting, message: `${setting} ${must}.` }))

/** A secret of printable characters, as headers can have it. */
export const secret = (
  setting: string,
  value: Secret | undefined
): Effect.Effect<Redacted.Redacted, SmsHttpOptionsError> =>
  value !== undefined && /^[\x21-\x7e]+$/.test(textOf(value))
    ? Effect.succeed(redacted(value))
    : invalid(setting, "must be a text without spaces and letters beyond ASCII")

/** An identifier, which a pattern describes. */
export const named = (setting: string, value: unknown, pattern: RegExp, must: string) =>
  typeof value === "string" && pattern.test(value) ? Effect.succeed(value) : invalid(setting, must)

/** An http address without a user, a query and a fragment. */
export const address = (setting: string, value: unknown): Effect.Effect<string, SmsHttpOptionsError> => {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : null
  return url !== null &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === ""
    ? Effect.succeed(String(value).replace(/\/+$/, ""))
    : invalid(setting, "must be an http or https address without a user, a query and a fragment")
}

/** The numbers of ours; an empty list if the option is not set. */
export const numbersOf = ({ receives }: CommonOptions): ReadonlyArray<E164> =>
  receives === undefined ? [] : Result.getOrElse(OwnNumbers.read(receives), () => [])

/**
 * Refuses numbers of ours whose texts would never be taken, because requests with them could not be verified, or read.
 *
 * @param need the missing option, as the end of the sentence "receives needs …"
 */
export const takesTexts = (
  { receives }: CommonOptions,
  isReady: boolean,
  need: string
): Effect.Effect<void, SmsHttpOptionsError> =>
  receives === undefined || isReady ? Effect.void : invalid("receives", `needs ${need}`)

/**
 * Checks the options of all providers, and gives the address that receipts are posted to; undefined if it is not set.
 */
export const callback = ({
  callbackUrl,
  deadline,
  rate,
  receives,
  timeout
}: CommonOptions): Effect.Effect<string | undefined, SmsHttpOptionsError> => {
  if (rate !== undefined && rate !== null && !(rate > 0))
    return invalid("rate", "must be more than 0 messages a second")
  for (const [setting, seconds] of Object.entries({ timeout, deadline })) {
    const isValid = seconds === undefined || (Number.isFinite(seconds) && seconds > 0)
    if (!isValid) return invalid(setting, "must be a number of seconds greater than 0")
  }
  const numbers = receives === undefined ? null : OwnNumbers.read(receives)
  if (numbers !== null && Result.isFailure(numbers)) return invalid("receives", numbers.failure)
  return callbackUrl === undefined ? callbackOf("sms") : address("callbackUrl", callbackUrl)
}
