/**
 * Users who act first, on the wire: they write to the service, call it or sign in, instead of entering a code.
 */
import * as Schema from "effect/Schema"
import { field, named, optional, time } from "../Field.ts"

/** The ways in which a user can act first, in the order in which documents name them. */
export const receiveForms = ["telegram_login", "sms", "call", "bizchat"] as const

/** A way in which a user acts first. */
export const ReceiveForm = Schema.Literals(receiveForms).annotate({
  ...named("ReceiveForm"),
  description:
    "A way in which a user acts first: `telegram_login` signs in with Telegram, `sms` writes a text to a number of the " +
    "service, `call` calls one, `bizchat` writes to it in WhatsApp."
})
export type ReceiveForm = typeof ReceiveForm.Type

/** How sure it is that the user holds the number, weakest first. */
export const assurances = ["claimed", "network", "account"] as const

export const Assurance = Schema.Literals(assurances).annotate({
  ...named("Assurance"),
  description:
    "How sure it is that the user holds the number: `account`, a platform has verified it; `network`, the user's own network " +
    "vouches for it; `claimed`, a caller or a sender without any proof. `account` is the strongest."
})
export type Assurance = typeof Assurance.Type

/** The forms of a step, each once. */
export const ReceiveForms = Schema.Array(ReceiveForm).check(
  Schema.isMinLength(1, { message: "must have a form" }),
  Schema.isUnique({ message: "must have each form once" })
)

/** The instructions for one form, which an app shows its user. */
export const Presented = Schema.Struct({
  by: field(ReceiveForm, "The form."),
  number: field(
    Schema.NullOr(Schema.String),
    "The number to write to or to call, in E.164 with the plus sign; null for a form without a number."
  ),
  uri: field(
    Schema.String,
    "The link to open: `sms:`, `tel:`, `https://wa.me/…`, or the page of a provider to sign in at."
  ),
  text: field(
    Schema.NullOr(Schema.String),
    "The text to send as it is, which the link has already; null for a form without one."
  ),
  qr: optional(
    Schema.String,
    "The link as a QR code, an SVG for a page on another screen; only where `qr` asked for it."
  ),
  expires_at: time("Until when it counts.")
}).annotate({
  ...named("Presented"),
  description: "The instructions for one form of a `receive` step, which an app shows its user."
})
export type Presented = typeof Presented.Type

/** The result of a user's action. */
export const ReceivedResult = Schema.Literals([
  "approved",
  "replied",
  "other_number",
  "not_shared",
  "weak",
  "ambiguous",
  "not_replied"
]).annotate({
  ...named("ReceivedResult"),
  description:
    "`approved`; `replied`: a code was sent back, which the user enters; `other_number`: it came from another number, and the " +
    "form no longer works; `not_shared`: it came without a number; `weak`: less sure than `least_assurance`; `ambiguous`: " +
    "the text had the tokens of several verifications; `not_replied`: a guard kept the reply back."
})
export type ReceivedResult = typeof ReceivedResult.Type

/** An action of a user, and its result. */
export const Received = Schema.Struct({
  by: field(ReceiveForm, "The form."),
  at: time("When it came."),
  result: field(ReceivedResult, "Its result."),
  assurance: field(Assurance, "How sure it is that the number is the user's.")
}).annotate({
  ...named("Received"),
  description: "An action of a user for a verification, and its result."
})
export type Received = typeof Received.Type
