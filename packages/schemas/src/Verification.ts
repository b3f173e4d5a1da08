/**
 * Verifications on the wire: bodies, answers and the verification itself.
 *
 * Source: the interface's section "Verifications"; WICG sms-one-time-codes (origin-bound codes); Android's SMS Retriever.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { Locale } from "./BusinessChat.ts"
import { Code } from "./Chat.ts"
import { clientFacts } from "./ClientFacts.ts"
import { guardReasons } from "./GuardReasons.ts"
import { DeliveryId } from "./Ids.ts"
import { shortText } from "./internal/shortText.ts"
import { E164 } from "./PhoneNumber.ts"

/** A verification's identifier: `vrf_` and a ULID. */
export const VerificationId = Schema.String.check(
  Schema.isPattern(/^vrf_[0-7][0-9A-HJKMNP-TV-Z]{25}$/u, { message: "must be an id that POST /verifications returned" })
).pipe(Schema.brand("VerificationId"))
export type VerificationId = typeof VerificationId.Type

/** The channels that a verification may go by. */
export const StepChannel = Schema.Literals(["chatgw", "sms", "call", "bizchat"])
export type StepChannel = typeof StepChannel.Type

const between = (minimum: number, maximum: number, unit = "") =>
  Schema.Int.check(
    Schema.isBetween({ minimum, maximum }, { message: `must be ${minimum} to ${maximum}${unit && ` ${unit}`}` })
  )

const withDefault = <S extends Schema.Top>(schema: S, value: S["Encoded"]) =>
  schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(value)))

/** A name that an operator or a client gives: of a workflow, a template, a purpose. */
export const Name = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9_-]{0,63}$/u, {
    message: "must be 1 to 64 lower-case letters, digits, hyphens or underscores"
  })
)

/** One step of a workflow. Where nothing was heard for `timeout` seconds, the next one is taken. */
export const Step = Schema.Struct({ channel: StepChannel, timeout: between(10, 900, "seconds") })
export type Step = typeof Step.Type

/** The steps of a workflow in their order. */
export const Steps = Schema.Array(Step).check(
  Schema.isMinLength(1, { message: "must have a step" }),
  Schema.isMaxLength(4, { message: "must have at most 4 steps" })
)
export type Steps = typeof Steps.Type

/** The steps of a verification, or the name of a workflow that is set on the account. */
export const Workflow = Schema.Union([Steps, Name])
export type Workflow = typeof Workflow.Type

/** The hash by which Android's SMS Retriever finds the texts of an app. */
export const AppHash = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9+/]{11}$/u, { message: "must be the 11 characters of an app's hash" })
)

/** An https origin such as `https://shop.example`, to whose pages browsers offer the code. */
export const WebOrigin = Schema.String.check(
  Schema.makeFilter(
    (text) => (isWebOrigin(text) ? undefined : "must be an https origin, such as https://shop.example"),
    { toJsonSchema: () => [{ format: "uri" }, true] }
  )
)

// The last line of a text names the host alone, so there is no port.
const isWebOrigin = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { origin, port, protocol } = new URL(text)
  return protocol === "https:" && port === "" && origin === text
}

const MOST_ENTRIES = 10

// A key that a record's own schema refuses would be left out without a word.
const entries = (key: number, value: number) => {
  const isKey = Schema.is(shortText(1, key))
  return Schema.Record(Schema.String, shortText(0, value)).check(
    Schema.isMaxProperties(MOST_ENTRIES, { message: `must have at most ${MOST_ENTRIES} entries` }),
    Schema.makeFilter((record) =>
      Object.keys(record).every(isKey) ? undefined : `must have names of 1 to ${key} characters, in one line each`
    )
  )
}

/** Up to ten short texts of the client's own, which come back with the verification. */
export const Metadata = entries(40, 100)
export type Metadata = typeof Metadata.Type

/** Values for a template's own places. */
export const Variables = entries(40, 100)
export type Variables = typeof Variables.Type

/** The places of a template that the service fills. */
export const reservedVariables: ReadonlyArray<string> = ["code", "minutes", "brand"]

const OwnVariables = Variables.check(
  Schema.makeFilter((variables) =>
    reservedVariables
      .filter((name) => Object.hasOwn(variables, name))
      .map((name) => ({ path: [name], issue: "must not be there: the service fills this place itself" }))
  )
)

/** Body of `POST /verifications`. */
export const StartVerification = Schema.Struct({
  to: E164,
  workflow: Schema.optionalKey(Workflow),
  purpose: withDefault(Name, "default"),
  code_length: withDefault(between(4, 8, "digits"), 6),
  ttl: withDefault(between(60, 3600, "seconds"), 600),
  max_attempts: withDefault(between(1, 10), 5),
  max_sends: withDefault(between(1, 10), 5),
  locale: Schema.optionalKey(Locale),
  template: Schema.optionalKey(Name),
  variables: Schema.optionalKey(OwnVariables),
  app_hash: Schema.optionalKey(AppHash),
  web_origin: Schema.optionalKey(WebOrigin),
  /**
   * A code of the client's own; without one the service makes it. Started again after `max_attempts`, it has as many guesses
   * anew.
   */
  code: Schema.optionalKey(Code),
  /**
   * Whether a pending verification of the number with another code ends, and this one starts in its place; false by
   * default, and then it is a conflict. For clients that make codes themselves and take only the last one.
   */
  replace: Schema.optionalKey(Schema.Boolean),
  ...clientFacts,
  metadata: Schema.optionalKey(Metadata)
})
export type StartVerification = typeof StartVerification.Type

/** How a verification stands; all but `pending` are final. */
export const VerificationStatus = Schema.Literals(["pending", "approved", "failed", "expired", "canceled", "blocked"])
export type VerificationStatus = typeof VerificationStatus.Type

/** One send of the code, and its price in EUR. Its record is in the lists of its channel. */
export const Attempt = Schema.Struct({
  delivery_id: Schema.NullOr(DeliveryId),
  channel: StepChannel,
  status: Schema.String,
  reason: Schema.NullOr(Schema.String),
  at: Schema.String,
  price: Schema.Finite
})
export type Attempt = typeof Attempt.Type

/** A verification as its account sees it, always without the code. Times are ISO 8601 in UTC. */
export const Verification = Schema.Struct({
  id: VerificationId,
  to: Schema.String,
  country: Schema.NullOr(Schema.String),
  purpose: Schema.String,
  status: VerificationStatus,
  /** Why it failed (`max_attempts`, `undeliverable`) or is blocked; null otherwise. */
  reason: Schema.NullOr(Schema.String),
  channel: StepChannel,
  /** The number of the current step, from 1 on. */
  step: Schema.Int,
  attempts: Schema.Array(Attempt),
  /** The step that is taken by itself, and when; null where none will be. */
  next: Schema.NullOr(Schema.Struct({ channel: StepChannel, at: Schema.String })),
  resend_at: Schema.String,
  sends_left: Schema.Int,
  checks_left: Schema.Int,
  expires_at: Schema.String,
  approved_at: Schema.NullOr(Schema.String),
  /** Whether the number is one of the account's test numbers, to which nothing is sent. */
  test_number: Schema.Boolean,
  client_ref: Schema.NullOr(Schema.String),
  metadata: Metadata,
  created_at: Schema.String,
  ...guardReasons
})
export type Verification = typeof Verification.Type

/** All spaces of Unicode, the hyphen of keyboards and those of Unicode: what is copied from a text may have them. */
const SEPARATORS = "[\\p{Zs}\\-\\u2010\\u2011]*"
const separators = new RegExp(SEPARATORS, "gu")

/** A code as a user has typed or pasted it: 4 to 8 digits. Spaces and hyphens before, between and behind them are left out. */
export const EnteredCode = Schema.String.annotate({
  description: "4 to 8 digits. Spaces and hyphens before, between and behind them are left out."
})
  .check(
    Schema.isPattern(new RegExp(`^${SEPARATORS}(?:[0-9]${SEPARATORS}){4,8}$`, "u"), {
      message: "must be 4 to 8 digits, which spaces and hyphens may separate"
    })
  )
  .pipe(
    Schema.decodeTo(Code, {
      decode: SchemaGetter.transform((entered) => entered.replace(separators, "")),
      encode: SchemaGetter.passthrough()
    })
  )

/** Body of `POST /verifications/check`. The verification is named by its id, or by its number and purpose. */
export const CheckVerification = Schema.Struct({
  code: EnteredCode,
  verification_id: Schema.optionalKey(VerificationId),
  to: Schema.optionalKey(E164),
  purpose: Schema.optionalKey(Name)
}).check(
  Schema.makeFilter(({ to, verification_id: id }) => {
    if (id === undefined)
      return to === undefined ? { path: ["verification_id"], issue: "must be there, or else to" } : undefined
    return to === undefined ? undefined : { path: ["to"], issue: "must not be there beside verification_id" }
  })
)
export type CheckVerification = typeof CheckVerification.Type

/** Answer of `POST /verifications/check`. A wrong code is no error. */
export const VerificationChecked = Schema.Struct({
  valid: Schema.Boolean,
  status: VerificationStatus,
  checks_left: Schema.Int,
  verification_id: VerificationId,
  channel: StepChannel
})
export type VerificationChecked = typeof VerificationChecked.Type

/** Body of `POST /verifications/:id/next`: a channel that was used already is a resend, none is the next step. */
export const NextStep = Schema.Struct({ channel: Schema.optionalKey(StepChannel) })
export type NextStep = typeof NextStep.Type

/** Body of `POST /verifications/:id/report`: the outcome that a client saw by means of its own. */
export const ReportVerification = Schema.Struct({ status: Schema.Literals(["approved", "failed"]) })
export type ReportVerification = typeof ReportVerification.Type
