/**
 * The errors of the interface: one class for each code, each with its HTTP status. They travel as
 * values from where they arise to the edge, which adds the request's id and writes
 * `{"error": CODE, "message": …, "request_id": …}`.
 *
 * What each code means, its status and its reasons are in `errors`. Issues of a value from outside are worded as the
 * correction that is needed, and never contain the value: it may be a code or a text.
 */
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import { RequestId } from "./Ids.ts"
import { type ErrorCode, errors, isErrorCode } from "./internal/errorTable.ts"
import { unknownField } from "./internal/UnknownFields.ts"
import { field, named, optional } from "./Field.ts"

export { areIgnored, distance, ignored, refused, unknownField } from "./internal/UnknownFields.ts"
export { type ErrorCode, entryOf, errors, isErrorCode, nameOf } from "./internal/errorTable.ts"

/** One thing wrong with a request body. */
export const Issue = Schema.Struct({
  path: field(Schema.String, "The field, as a path."),
  message: field(Schema.String, "How to mend it.")
}).annotate({ ...named("Issue"), description: "One thing wrong with a request body: where, and how to mend it." })
export type Issue = typeof Issue.Type

const fields = {
  message: field(Schema.String, "A sentence for people."),
  request_id: optional(RequestId, "The correlation id, which the header has too.")
}

/**
 * The base class of all errors of the interface. `code`, which `_tag` and `name` repeat, is stable and tells them
 * apart; web frameworks answer with the `status` that they find on an error.
 *
 * @example
 * ```ts
 * import { Conflict, WatchwordError } from "@watchword/schemas/Errors"
 *
 * const error: unknown = new Conflict({ message: "This request was revoked already.", reason: "revoked" })
 * if (error instanceof WatchwordError) console.log(error.code, error.status) // CONFLICT 409
 * ```
 */
export abstract class WatchwordError extends Schema.Error<WatchwordError>("WatchwordError")(fields) {
  get code(): string {
    return this.name
  }

  /** The status of the HTTP answer. */
  get status(): number {
    return isErrorCode(this.name) ? errors[this.name].status : 500
  }

  /** The same by the name that Fastify reads. */
  get statusCode(): number {
    return this.status
  }

  /** Whether the message is for the client, which Nest and Koa ask of errors. */
  get expose(): boolean {
    return this.status < 500
  }

  /** For `console.log`: the stack, and each issue. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    const issues = "issues" in this && Array.isArray(this.issues) ? this.issues : []
    return [this.stack ?? String(this), ...issues.map(({ message, path }) => `    ${path} ${message}`)].join("\n")
  }
}

/** The types of a code and its status, for exhaustive switches. */
interface Coded<Code extends ErrorCode> {
  readonly code: Code
  readonly status: (typeof errors)[Code]["status"]
}

/** The class of a code, with the status and the description that the table gives it. */
const coded =
  <Self>() =>
  <const Code extends ErrorCode, const Fields extends Schema.Struct.Fields>(code: Code, more: Fields) =>
    WatchwordError.extend<Self, {}, Coded<Code>>(code)(
      { _tag: Schema.tag(code).annotateKey({ description: "The stable code of the error." }), ...more },
      { httpApiStatus: errors[code].status, description: errors[code].description }
    )

const issues = optional(Schema.Array(Issue), "Each field that is wrong, and how to mend it.")
const reason = "Why, as a word for programs."

/** The body is malformed, incomplete or has a wrong value; `issues` names each field. */
export class BadRequest extends coded<BadRequest>()("BAD_REQUEST", { issues }) {}

/** The key or the account id is missing or wrong, or the client's address is outside the key's allow-list. */
export class Unauthorized extends coded<Unauthorized>()("UNAUTHORIZED", {}) {}

/** The account's available balance is smaller than the price. Nothing was sent. */
export class PaymentRequired extends coded<PaymentRequired>()("PAYMENT_REQUIRED", {}) {}

/**
 * The key is valid and lacks the scope, or a rule of the operator refuses the request: then `reason` names the rule,
 * for example `account_suspended`.
 */
export class Forbidden extends coded<Forbidden>()("FORBIDDEN", { reason: optional(Schema.String, reason) }) {}

/** The 403 of a suspended account. */
export const accountSuspended = (): Forbidden =>
  new Forbidden({ message: "The account is suspended.", reason: "account_suspended" })

/** No such path, or no such record of this account in this mode. */
export class NotFound extends coded<NotFound>()("NOT_FOUND", {}) {}

/**
 * A duplicate request, or a change that contradicts the record's final state; `reason` says which. Of these only
 * `in_flight`, the first request under an `Idempotency-Key` that is not answered yet, passes by itself.
 */
export class Conflict extends coded<Conflict>()("CONFLICT", { reason: field(Schema.String, reason) }) {}

/** The 409 of a repeat that comes before the first request under its `Idempotency-Key` is answered. */
export const inFlight = (): Conflict =>
  new Conflict({ message: "The first request of this kind is still in flight.", reason: "in_flight" })

/** The 409 of an `Idempotency-Key` that another request has used. */
export const keyReused = (): Conflict =>
  new Conflict({ message: "This Idempotency-Key was used with another body.", reason: "key_reused" })

/** The 409 of a correlation id that comes again with the same body. */
export const duplicateRequest = (): Conflict =>
  new Conflict({
    message: "This request was made already; use another x-request-id to make it again.",
    reason: "duplicate_request"
  })

/**
 * Too many requests: `reason` names the limit, for example `resend_too_soon`, and `retryAfter` is the number of seconds
 * after which the same request may succeed. Without it the limit is not one of time. `remaining` has the rest of each
 * guard limit by its reason, in sends, or in EUR for `spend`.
 */
export class TooManyRequests extends coded<TooManyRequests>()("TOO_MANY_REQUESTS", {
  reason: field(Schema.String, reason),
  retryAfter: optional(Schema.Int, "Seconds after which the same request may succeed."),
  remaining: optional(
    Schema.Record(Schema.String, Schema.Finite),
    "The remainder of each guard limit, by its reason: a number of sends, or EUR for `spend`."
  )
}) {}

/** The gateway cannot be reached for the moment; retry with exponential back-off. */
export class TemporaryUnavailable extends coded<TemporaryUnavailable>()("TEMPORARY_UNAVAILABLE", {}) {}

/** The recipient is busy, or the network rejected the call. */
export class BusyHere extends coded<BusyHere>()("BUSY_HERE", {}) {}

/** A fault of the service. */
export class InternalServerError extends coded<InternalServerError>()("INTERNAL_SERVER_ERROR", {}) {}

/**
 * The gateway is disconnected, none is configured, or the service is under maintenance. `reason` is `no_route` where no
 * carrier takes messages to the number for the moment, and `caller_blocked` where the network blocks calls from the
 * caller id.
 */
export class ServiceUnavailable extends coded<ServiceUnavailable>()("SERVICE_UNAVAILABLE", {
  reason: optional(Schema.String, reason)
}) {}

/** The recipient declined the call. */
export class Decline extends coded<Decline>()("DECLINE", {}) {}

/** Failures of a delivery: a gateway's refusal or silence. */
export type DeliveryFailure =
  | BadRequest
  | PaymentRequired
  | NotFound
  | TemporaryUnavailable
  | BusyHere
  | ServiceUnavailable
  | Decline

/** Every error that an answer can carry. */
export type ApiError = DeliveryFailure | Unauthorized | Forbidden | Conflict | TooManyRequests | InternalServerError

const deliveryFailures = {
  BAD_REQUEST: BadRequest,
  PAYMENT_REQUIRED: PaymentRequired,
  NOT_FOUND: NotFound,
  TEMPORARY_UNAVAILABLE: TemporaryUnavailable,
  BUSY_HERE: BusyHere,
  SERVICE_UNAVAILABLE: ServiceUnavailable,
  DECLINE: Decline
}

const isDeliveryFailureCode = (code: string): code is keyof typeof deliveryFailures =>
  Object.hasOwn(deliveryFailures, code)

/** The failure of a code, for example when a stored answer is given again; none for any other code. */
export const deliveryFailure = (code: string, message: string, reason?: string): Option.Option<DeliveryFailure> => {
  if (!isDeliveryFailureCode(code)) return Option.none()
  return Option.some(new deliveryFailures[code](reason === undefined ? { message } : { message, reason }))
}

/** The status that an error's class, or a schema built from it, is annotated with; 500 without one. */
export const statusOf = (error: Schema.Constraint): number => {
  const status = Schema.resolveAnnotations(error)?.["httpApiStatus"]
  return Predicate.isNumber(status) ? status : 500
}

/** Every status that an error can be answered with. */
export const errorStatuses: ReadonlySet<number> = new Set(Object.values(errors).map(({ status }) => status))

/** Whether a failure is an error that an answer can carry. */
export const isApiError = (error: unknown): error is ApiError => error instanceof WatchwordError

/** So that an answer is not many times as long as the body that it is about. */
const MOST = 20

/** One issue for each field, in the order of the schema, and twenty at most. `path` is written `filter.status[0]`. */
export const fromSchemaError = (error: Schema.SchemaError): ReadonlyArray<Issue> => {
  const issues = new Map<string, Issue>()
  for (const { message, path = [] } of format(error.issue).issues) {
    const field = written(path)
    if (issues.size === MOST) break
    if (!issues.has(field)) issues.set(field, { path: field, message: worded(message, path) })
  }
  return [...issues.values()]
}

/** The 400 for a value that does not fit its schema. Its message names each field, unless another one is given. */
export const badRequest = (error: Schema.SchemaError, message?: string): BadRequest =>
  invalid(fromSchemaError(error), message)

/** The 400 for a value with these issues. */
export const invalid = (issues: ReadonlyArray<Issue>, message = sentenceOf(issues)): BadRequest =>
  new BadRequest({ message, issues })

/** Issues in a sentence, for programs whose developers see only the message. */
export const sentenceOf = (issues: ReadonlyArray<Issue>): string =>
  `${issues.map(({ message, path }) => `${path === "" ? "the argument" : path} ${message}`).join("; ")}.`

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    switch (issue._tag) {
      case "MissingKey":
        return "is required"
      case "UnexpectedKey":
        return `${UNKNOWN}${fieldsOf(issue.ast).join(",")}`
      default:
        return SchemaIssue.defaultLeafHook(issue)
    }
  }
})

/** Begins the placeholder for an unknown field until its name is known, which is only in the path. */
const UNKNOWN = "Unknown field of "

const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []

// Effect's own words are "Expected string" or "Expected "a" | "b"".
const worded = (message: string, path: Path): string => {
  if (message.startsWith(UNKNOWN)) {
    return unknownField(keyOf(path.at(-1) ?? ""), message.slice(UNKNOWN.length).split(",").filter(Boolean))
  }
  if (!message.startsWith("Expected ")) return message
  const expected = message.slice("Expected ".length)
  if (expected.includes(" | ")) return `must be one of ${expected.replaceAll(" | ", ", ")}`
  // Some of them have their article.
  const article = /^an? /.test(expected) ? "" : /^[aeio]/.test(expected) ? "an " : "a "
  return `must be ${article}${expected}`
}

type Segment = PropertyKey | { readonly key: PropertyKey }

type Path = ReadonlyArray<Segment>

const keyOf = (segment: Segment): string => String(typeof segment === "object" ? segment.key : segment)

const written = (path: Path): string =>
  path
    .map((segment, index) => {
      const key = keyOf(segment)
      if (typeof segment === "number") return `[${key}]`
      // An answer repeats a name from the request, but not one of any length.
      const name = key.length > LONGEST ? `${key.slice(0, LONGEST)}…` : key
      return index === 0 ? name : `.${name}`
    })
    .join("")

const LONGEST = 64
