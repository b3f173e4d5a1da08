/**
 * Verifications on the wire: bodies, answers and the verification itself.
 *
 * Source: the interface's section "Verifications"; WICG sms-one-time-codes (origin-bound codes); Android's SMS
 * Retriever.
 */
import * as Schema from "effect/Schema"
import { Locale } from "./Bizchat.ts"
import { clientFacts } from "./internal/ClientFacts.ts"
import { LongCode, enteredLongCode } from "./internal/Codes.ts"
import { guardReasons } from "./internal/GuardReasons.ts"
import { DeliveryId } from "./Ids.ts"
import { field, impersonal, named, optional, personal, request, time, timeOrNull, withDefault } from "./Field.ts"
import { example } from "./internal/example.ts"
import { createdAt, price, sentTo } from "./SharedFields.ts"
import { Assurance, Presented, ReceiveForm, Received } from "./internal/ReceiveFields.ts"
import { Name, StepChannel, Workflow, between } from "./internal/Steps.ts"
import { AppHash, Bind, LimitKeys, Metadata, OwnText, OwnVariables, WebOrigin } from "./internal/StartFields.ts"
import { defaultCountry, optionalTypedTo, takesTyped, typedTo } from "./internal/TypedNumbers.ts"

export { LongCode } from "./internal/Codes.ts"
export { Name, RECEIVE, Step, StepChannel, Steps, Workflow, stepChannels } from "./internal/Steps.ts"
export {
  Assurance,
  Presented,
  ReceiveForm,
  Received,
  ReceivedResult,
  assurances,
  receiveForms
} from "./internal/ReceiveFields.ts"
export { Bind, LimitKeys, Metadata, Variables } from "./internal/StartFields.ts"

/** A verification's identifier: `vrf_` and a ULID. */
export const VerificationId = Schema.String.check(
  Schema.isPattern(/^vrf_[0-7][0-9A-HJKMNP-TV-Z]{25}$/u, { message: "must be an id that POST /verifications returned" })
).pipe(Schema.brand("VerificationId"))
export type VerificationId = typeof VerificationId.Type

const exampleId = VerificationId.make("vrf_01KAJ3T8ZZ0000000000000000")
const exampleCode = LongCode.make("123456")

/** Body of `POST /verifications`. */
export const StartVerification = request({
  to: typedTo,
  default_country: defaultCountry,
  workflow: impersonal(
    optional(
      Workflow,
      "1 to 4 steps in their order, or the name of a workflow of the account; unless given the account's, else the channels that " +
        "are configured, the cheapest first and a call last."
    )
  ),
  purpose: impersonal(
    withDefault(
      Name,
      "default",
      'The purpose, by which verifications of one number are kept apart: one of each is pending at a time; "default" unless given.'
    )
  ),
  code_length: withDefault(
    between(4, 10, "digits"),
    6,
    "The length of the code, 4 to 10 digits; 6 unless given. More than 8 are not sent in calls and by the chat gateway."
  ),
  ttl: withDefault(between(60, 3600, "seconds"), 600, "Seconds that the code is valid, 60 to 3600; 600 unless given."),
  max_checks: withDefault(between(1, 10), 5, "How many wrong codes may be entered, 1 to 10; 5 unless given."),
  max_sends: withDefault(between(1, 10), 5, "How often the code may be sent, 1 to 10; 5 unless given."),
  locale: impersonal(optional(Locale, "The language of the text, as a BCP 47 tag.")),
  template: impersonal(optional(Name, "The name of a template of the account.")),
  variables: personal(
    optional(OwnVariables, "Values for the template's own places: up to 10, of up to 100 characters each."),
    { variables: "{}" }
  ),
  text: personal(
    optional(
      OwnText,
      "A text of your own with `{{code}}` in it, of at most 160 characters, instead of a template: only for accounts with texts " +
        "of their own."
    ),
    { own_text: null }
  ),
  bind: personal(
    optional(
      Bind,
      "The payment that an approval is for. Templates have it as `{{amount}}` and `{{payee}}`, and the check must repeat it."
    ),
    { bind_amount: null, bind_payee: null }
  ),
  app_hash: impersonal(
    optional(AppHash, "The hash of an Android app, 11 characters, by which its SMS Retriever finds the text.")
  ),
  web_origin: impersonal(optional(WebOrigin, "The https origin of the page to which browsers offer the code.")),
  code: personal(
    optional(
      LongCode,
      "A code of your own, 4 to 10 digits; without one the service makes it. Started again after `max_checks` wrong codes, it has " +
        "all its checks again: make another one for each verification."
    ),
    { sealed: null }
  ),
  replace: optional(
    Schema.Boolean,
    "Whether a pending verification of the number ends, and this one starts instead of it: without `code` with a new code, " +
      "with `code` unless that is the code of the pending one. False unless given: then the pending one is sent again, or " +
      "another `code` is a conflict. No earlier than 30 seconds after the pending one has started."
  ),
  switch_channel: optional(
    Schema.Boolean,
    "Whether a pending verification of the number is sent by the first channel of this workflow instead of its own channel: " +
      "it gets a step of that channel if it has none. Its code, and the checks and the sends that are left, stay. False unless given."
  ),
  least_assurance: optional(
    Assurance,
    "How sure it must be that the number is the user's where the user acts first, weakest first `claimed`, `network`, " +
      "`account`; `claimed` unless given. A weaker proof does not approve."
  ),
  qr: optional(Schema.Boolean, "Whether `present` has QR codes. False unless given."),
  ...clientFacts,
  limit_keys: personal(
    optional(
      LimitKeys,
      'Up to 5 values of your own, by which guards count under `limit_key:` and the name, such as `{"session": "abc"}`: names of ' +
        "up to 64 letters, digits, dots, hyphens and underscores, values of up to 200 characters. Only their codes are kept."
    ),
    { limit_keys: null }
  ),
  metadata: personal(
    optional(
      Metadata,
      "Up to 10 short texts of your own, which come back with the verification: names of up to 40 characters, values of up to 100."
    ),
    { metadata: "{}" }
  )
}).annotate({
  ...takesTyped,
  identifier: "StartVerification",
  description: "Whom to verify, and by which steps.",
  examples: [
    {
      to: example.to,
      workflow: [
        { channel: "chatgw", timeout: 30 },
        { channel: "sms", timeout: 60 },
        { channel: "call", timeout: 60 }
      ],
      purpose: "default",
      code_length: 6,
      ttl: 600,
      max_checks: 5,
      max_sends: 5,
      locale: Locale.make("de"),
      client_ip: "192.0.2.7",
      client_ref: "user 7"
    }
  ]
})
export type StartVerification = typeof StartVerification.Type

/** How a verification stands; all but `pending` are final. */
export const VerificationStatus = Schema.Literals([
  "pending",
  "approved",
  "failed",
  "expired",
  "canceled",
  "blocked"
]).annotate({ ...named("VerificationStatus"), description: "How a verification stands; all but `pending` are final." })
export type VerificationStatus = typeof VerificationStatus.Type

/** One send of the code. Its record is in the lists of its channel. */
export const Attempt = Schema.Struct({
  delivery_id: field(Schema.NullOr(DeliveryId), "The id of its delivery record; null if nothing was sent."),
  channel: field(StepChannel, "The channel that the code was sent by."),
  status: field(Schema.String, "What became of it, such as `accepted`, `delivered` or `undelivered`."),
  reason: field(Schema.NullOr(Schema.String), "Why it failed, as a word for programs; null otherwise."),
  at: time("When it was sent."),
  price
}).annotate({
  ...named("Attempt"),
  description: "One send of the code, an ordinary delivery in the lists of its channel."
})
export type Attempt = typeof Attempt.Type

const id = field(VerificationId, "The id of the verification.")
const checksLeft = field(Schema.Int, "How many wrong codes may still be entered.")
const channel = field(StepChannel, "The channel of the current step.")

/** A verification as its account sees it. */
export const Verification = Schema.Struct({
  id,
  to: sentTo,
  country: field(
    Schema.NullOr(Schema.String),
    "The number's country as an ISO 3166-1 code; null for numbers without a country."
  ),
  purpose: field(Schema.String, "The purpose given at the start."),
  status: field(VerificationStatus, "Its state; every status except `pending` is final."),
  reason: field(
    Schema.NullOr(Schema.String),
    "Why it failed (`max_checks`, `undeliverable`) or is blocked; null otherwise."
  ),
  channel,
  step: field(Schema.Int, "The number of the current step, from 1 on."),
  attempts: field(Schema.Array(Attempt), "The sends of the code, oldest first."),
  next: field(
    Schema.NullOr(
      Schema.Struct({
        channel: field(StepChannel, "The channel of the step."),
        at: time("When it runs.")
      })
    ),
    "The next automatic step; null if there is none."
  ),
  resend_at: time("The earliest time for sending the code again."),
  sends_left: field(Schema.Int, "How many more times the code may be sent."),
  checks_left: checksLeft,
  expires_at: time("When it expires."),
  approved_at: timeOrNull("When it was approved; null until then."),
  by: optional(ReceiveForm, "How the user acted first; left out for an approval by only a code."),
  assurance: optional(Assurance, "How sure it is that the number is the user's, where the user acted first."),
  present: optional(
    Schema.Array(Presented),
    "The instructions for the user, one for each form of a `receive` step. In answers about one verification, while it is " +
      "at that step; never in lists and events."
  ),
  received: optional(
    Schema.Array(Received),
    "The user's actions at `receive` steps, oldest first; left out if there are no actions."
  ),
  test_number: field(
    Schema.Boolean,
    "Whether the number is one of the account's test numbers, to which nothing is sent."
  ),
  client_ref: field(Schema.NullOr(Schema.String), "Your name for the user or the session; null without one."),
  bind: optional(Bind, "The payment that an approval is for, if the start named one; left out once it is erased."),
  metadata: field(Metadata, "The texts given at the start."),
  created_at: createdAt,
  ...guardReasons
}).annotate({
  identifier: "Verification",
  description: "A verification, always without its code.",
  examples: [
    {
      id: exampleId,
      to: example.to,
      country: "DE",
      purpose: "default",
      status: "pending",
      reason: null,
      channel: "sms",
      step: 2,
      attempts: [
        {
          delivery_id: null,
          channel: "chatgw",
          status: "undelivered",
          reason: "NO_ACCOUNT",
          at: "2026-01-01T00:00:00.000Z",
          price: 0
        },
        {
          delivery_id: DeliveryId.make("01KAJ3T8ZZ0000000000000001"),
          channel: "sms",
          status: "accepted",
          reason: null,
          at: "2026-01-01T00:00:00.200Z",
          price: 0.05
        }
      ],
      next: { channel: "call", at: "2026-01-01T00:01:00.200Z" },
      resend_at: "2026-01-01T00:00:30.200Z",
      sends_left: 4,
      checks_left: 5,
      expires_at: "2026-01-01T00:10:00.000Z",
      approved_at: null,
      test_number: false,
      client_ref: "user 7",
      metadata: {},
      created_at: "2026-01-01T00:00:00.000Z"
    }
  ]
})
export type Verification = typeof Verification.Type

const LONGEST_WAIT = 25

/** Parameters of `GET /verifications/:id`. */
export const VerificationQuery = request({
  wait: optional(
    between(0, LONGEST_WAIT, "seconds"),
    `How many seconds to wait, 0 to ${LONGEST_WAIT}, where the user acts first: the answer comes once the verification has ` +
      "changed. 0 unless given. If no user is waited for, the answer comes at once.",
    { default: 0, examples: [LONGEST_WAIT] }
  ),
  qr: optional(Schema.Boolean, "Whether `present` has QR codes. False unless given.")
}).annotate(named("VerificationQuery"))
export type VerificationQuery = typeof VerificationQuery.Type

/** Body of `POST /verifications/check`. The verification is named by its id, or by its number and purpose. */
export const CheckVerification = request({
  code: personal(enteredLongCode().annotateKey({})),
  verification_id: impersonal(optional(VerificationId, "The `id` of the verification.")),
  to: optionalTypedTo("The number of the verification instead of its id"),
  default_country: defaultCountry,
  purpose: impersonal(optional(Name, 'The purpose of the verification; "default" unless given.')),
  bind: personal(
    optional(
      Bind,
      "The payment that the user approves, the same as at the start; without it no code of that start is right."
    )
  )
})
  .annotate({
    description: "The verification is named by its id, or by its number and purpose.",
    examples: [
      { code: exampleCode, verification_id: exampleId },
      { code: exampleCode, to: example.to }
    ]
  })
  .check(
    Schema.makeFilter(({ default_country: country, to, verification_id: id }) => {
      if (id === undefined)
        return to === undefined ? { path: ["verification_id"], issue: "must be there, or else to" } : undefined
      if (to !== undefined) return { path: ["to"], issue: "must not be set together with verification_id" }
      return country === undefined ? undefined : { path: ["default_country"], issue: "must not be there without to" }
    })
  )
  .annotate({ ...takesTyped, identifier: "CheckVerification" })
export type CheckVerification = typeof CheckVerification.Type

/** Answer of `POST /verifications/check`. A wrong code is not an error. */
export const VerificationChecked = Schema.Struct({
  valid: field(Schema.Boolean, "Whether the code is right."),
  status: field(VerificationStatus, "How the verification stands; all but `pending` are final."),
  checks_left: checksLeft,
  verification_id: id,
  channel,
  reason: optional(
    Schema.Literal("bind_mismatch"),
    "`bind_mismatch` if `bind` is not the payment of the start, whatever the code is; left out otherwise."
  )
}).annotate({
  identifier: "VerificationChecked",
  description: "Whether the code is right. A wrong code is no error: it takes one of its checks.",
  examples: [{ valid: true, status: "approved", checks_left: 4, verification_id: exampleId, channel: "sms" }]
})
export type VerificationChecked = typeof VerificationChecked.Type

/** Body of `POST /verifications/:id/next`: a channel that was used already is a resend, none is the next step. */
export const NextStep = request({
  channel: impersonal(
    optional(StepChannel, "The current channel to send the code again, another one to go there; none is the next step.")
  )
}).annotate({
  identifier: "NextStep",
  description: "Where to send the code next.",
  examples: [{ channel: "sms" }, {}]
})
export type NextStep = typeof NextStep.Type

/** Body of `POST /verifications/:id/report`: the outcome that a client saw by means of its own. */
export const ReportVerification = request({
  status: field(Schema.Literals(["approved", "failed"]), "The result of your own comparison of the code.")
}).annotate({ identifier: "ReportVerification", examples: [{ status: "approved" }] })
export type ReportVerification = typeof ReportVerification.Type
