/**
 * The description of a provider with an HTTP API as data, such as a JSON file. `generic` of `@watchword/sms/http` takes
 * it.
 *
 * A path names a field of an answer or a receipt: property names and positions, apart by dots. `*` matches every
 * element of an array: `messages.*.id`.
 */
import { fromSchemaError } from "@watchword/schemas/Errors"
import { SmsStatus } from "@watchword/schemas/Sms"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SmsHttpOptionsError } from "./Options.ts"
import { reasons } from "./Provider.ts"

const Path = Schema.String.check(
  Schema.isPattern(/^[^.\s]{1,64}(\.[^.\s]{1,64}){0,9}$/, { message: "must be a path such as messages.*.id" })
)

const HeaderName = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9-]{1,64}$/, { message: "must be the name of a header" })
)

const Texts = Schema.Record(Schema.String, Schema.String)

const AuthenticationScheme = Schema.Union([
  Schema.Struct({ scheme: Schema.Literals(["none", "bearer"]) }),
  Schema.Struct({ scheme: Schema.Literal("basic"), user: Schema.String }),
  Schema.Struct({ scheme: Schema.Literal("header"), name: HeaderName })
])

const Answers = Schema.Struct({
  /** The id of the message, or of each part. An answer below 300 with an id means that the text was taken. */
  id: Path,
  /** A further condition: all values at the path are among these. */
  accepted: Schema.optionalKey(Schema.Struct({ at: Path, values: Schema.Array(Schema.String) })),
  /** The code of an error. */
  error: Schema.optionalKey(Path),
  /** Codes that say for certain that the text was not taken, whatever the status, and why. */
  refused: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(reasons))),
  /** Codes that ask for fewer requests, in addition to the status 429. */
  throttled: Schema.optionalKey(Schema.Array(Schema.String)),
  /**
   * Whether the provider guarantees that it did not accept a throttled text, so that it may be sent again; false by
   * default.
   */
  throttledIsNotTaken: Schema.optionalKey(Schema.Boolean),
  parts: Schema.optionalKey(Path),
  price: Schema.optionalKey(Path),
  currency: Schema.optionalKey(Path)
})

const SignatureScheme = Schema.Union([
  Schema.Struct({ scheme: Schema.Literal("standard-webhooks") }),
  Schema.Struct({
    /** Of the body's bytes, under the shared secret. */
    scheme: Schema.Literal("hmac-sha256"),
    header: HeaderName,
    encoding: Schema.Literals(["hex", "base64"]),
    /** The prefix of the signature in the header, such as `sha256=`. */
    prefix: Schema.optionalKey(Schema.String)
  })
])

const ReceiptFields = Schema.Struct({
  signature: SignatureScheme,
  /** Where the receipts of a request are; the body itself by default. */
  each: Schema.optionalKey(Path),
  id: Path,
  status: Path,
  /** The provider's words with their meanings; others are kept on the record, noted in the log, and mean nothing. */
  statuses: Schema.Record(Schema.String, SmsStatus),
  error: Schema.optionalKey(Path),
  to: Schema.optionalKey(Path),
  reference: Schema.optionalKey(Path),
  /** Where it hands `{{delivery}}` back, by which a text is known again whose answer was lost. */
  delivery: Schema.optionalKey(Path),
  time: Schema.optionalKey(Path),
  parts: Schema.optionalKey(Path),
  price: Schema.optionalKey(Path),
  currency: Schema.optionalKey(Path),
  /** Whether a long text has a receipt for each part or one for all, which is the default. */
  of: Schema.optionalKey(Schema.Literals(["part", "text"]))
})

/** Texts of users, posted to the address of receipts and signed like them. */
const TextFields = Schema.Struct({
  /** Where the texts of a request are; the body itself by default. */
  each: Schema.optionalKey(Path),
  from: Path,
  to: Path,
  text: Path
})

export const Description = Schema.Struct({
  /** As `/readyz` and the log have it. */
  name: Schema.String.check(
    Schema.isPattern(/^[\w.-]{1,40}$/, { message: "must be 1 to 40 letters, digits and . _ -" })
  ),
  url: Schema.String,
  method: Schema.optionalKey(Schema.Literals(["POST", "PUT"])),
  authentication: AuthenticationScheme,
  /** With placeholders, such as `"idempotency-key": "{{delivery}}"`. */
  headers: Schema.optionalKey(Texts),
  encoding: Schema.optionalKey(Schema.Literals(["json", "form"])),
  /** With placeholders, such as `"to": "{{to}}"`. */
  body: Schema.Record(Schema.String, Schema.Unknown),
  /** The most characters of a text. */
  longestText: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))),
  answer: Answers,
  /** Without them no receipt is taken. */
  receipts: Schema.optionalKey(ReceiptFields),
  /** Without them no text of a user is taken. An item with a text, and without a status, is one. */
  texts: Schema.optionalKey(TextFields)
}).check(
  Schema.makeFilter(({ receipts, texts }) =>
    texts !== undefined && receipts === undefined
      ? { path: ["texts"], issue: "needs receipts, whose signature such requests have" }
      : undefined
  )
)
export type Description = typeof Description.Type

const decode = Schema.decodeUnknownResult(Description)

/**
 * Checks a description, such as the content of a JSON file. The error names the field.
 *
 * @example
 * ```ts
 * import { readDescription } from "@watchword/sms/options"
 * import * as Result from "effect/Result"
 *
 * console.log(Result.isFailure(readDescription({ name: "acme" }))) // true
 * ```
 */
export const read = (value: unknown): Result.Result<Description, SmsHttpOptionsError> =>
  Result.mapError(decode(value, { errors: "all", onExcessProperty: "error" }), (error) => {
    const [issue = { path: "", message: "is no description" }] = fromSchemaError(error)
    const setting = issue.path === "" ? "description" : `description.${issue.path}`
    return new SmsHttpOptionsError({ setting, message: `${setting} ${issue.message}.` })
  })
