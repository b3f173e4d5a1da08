/**
 * The chat-gateway channel on the wire: bodies, answers and the delivery record (TDR).
 *
 * Source: the interface's sections "Chat-gateway channel", "Chat-gateway delivery record (TDR)" and
 * "Outcome-reporting endpoints".
 */
import * as Schema from "effect/Schema"
import { clientFacts } from "./internal/ClientFacts.ts"
import { Code, enteredCode } from "./internal/Codes.ts"
import { guardReasons } from "./internal/GuardReasons.ts"
import { field, impersonal, named, optional, personal, request, withDefault } from "./Field.ts"
import { example } from "./internal/example.ts"
import { createdAt, isRefunded, ok, price, remainingBalance, reported, sentTo, to, uuid } from "./SharedFields.ts"
import { ignored } from "./internal/UnknownFields.ts"

export { Code } from "./internal/Codes.ts"

const exampleCode = Code.make("123456")

/** How long a code is valid: 30 to 3600 whole seconds. */
export const Ttl = Schema.Int.check(
  Schema.isBetween({ minimum: 30, maximum: 3600 }, { message: "must be 30 to 3600 seconds" })
)

/** The username of a verified channel of the chat app, with or without the at sign. */
export const SenderUsername = Schema.String.check(
  Schema.isPattern(/^@?[A-Za-z][A-Za-z0-9_]{3,31}$/u, {
    message: "must be 4 to 32 letters, digits and underscores, the first a letter"
  })
).pipe(Schema.brand("SenderUsername"))
export type SenderUsername = typeof SenderUsername.Type

const MAX_URL_BYTES = 256
const encoder = new TextEncoder()

/** Where the gateway is to POST a request's events: https, at most 256 bytes. */
export const CallbackUrl = Schema.String.check(
  Schema.makeFilter(
    (text) => {
      if (encoder.encode(text).length > MAX_URL_BYTES) return `must be at most ${MAX_URL_BYTES} bytes`
      return URL.canParse(text) && new URL(text).protocol === "https:" ? undefined : "must be an https address"
    },
    { toJsonSchema: () => [{ format: "uri", maxLength: MAX_URL_BYTES }, true] }
  )
).pipe(Schema.brand("CallbackUrl"))
export type CallbackUrl = typeof CallbackUrl.Type

/** Body of `POST /chatgw`. */
export const SendCode = request({
  to,
  code: personal(field(Code, "The code, 4 to 8 digits.")),
  ttl: withDefault(Ttl, 300, "Seconds that the code is valid, 30 to 3600; 300 unless given."),
  sender_username: impersonal(
    optional(SenderUsername, "The username of a verified channel; the account's unless given.")
  ),
  callback_url: impersonal(
    optional(
      CallbackUrl,
      "An https address, of at most 256 bytes, that the gateway POSTs events to instead of this service: the record then learns " +
        "of delivery, expiry and refunds by a status check only."
    )
  ),
  ...clientFacts
}).annotate({
  ...ignored,
  identifier: "SendCode",
  description: "A code and whom it is for.",
  examples: [{ to: example.to, code: exampleCode, ttl: 300 }]
})
export type SendCode = typeof SendCode.Type

/** How far a code's message got. All but `sent`, `delivered` and `read` end it. */
export const ChatgwStatus = Schema.Literals(["sent", "delivered", "read", "failed", "expired", "revoked"]).annotate({
  ...named("ChatgwStatus"),
  description: "How far a message got. All but `sent`, `delivered` and `read` end it."
})
export type ChatgwStatus = typeof ChatgwStatus.Type

/** The same of a record: `blocked` was refused by a guard, and not sent. */
export const TdrStatus = Schema.Literals([...ChatgwStatus.literals, "blocked"])
export type TdrStatus = typeof TdrStatus.Type

/** Result of the codes that were entered; null on records without one. */
export const VerificationStatus = Schema.Literals([
  "code_valid",
  "code_invalid",
  "code_max_attempts_exceeded",
  "expired"
]).annotate(named("ChatgwCodeStatus"))
export type VerificationStatus = typeof VerificationStatus.Type

const exampleRequest = "8154871648321456"
const request_id = field(Schema.String, "The gateway's id of the request, for status checks and revocation.")

/** Answer of `POST /chatgw`. */
export const CodeSent = Schema.Struct({
  uuid,
  request_id,
  to: sentTo,
  status: field(ChatgwStatus, "How far the message got."),
  request_cost: price,
  remaining_balance: remainingBalance
}).annotate({
  identifier: "CodeSent",
  description: "The gateway has taken the code.",
  examples: [
    {
      uuid: example.uuid,
      request_id: exampleRequest,
      to: example.to,
      status: "sent",
      request_cost: 0.01,
      remaining_balance: 12.34
    }
  ]
})
export type CodeSent = typeof CodeSent.Type

/** Body of `POST /chatgw/check-send-ability`. */
export const CheckSendAbility = request({ to, ...clientFacts }).annotate({
  ...ignored,
  identifier: "CheckSendAbility",
  examples: [{ to: example.to }]
})
export type CheckSendAbility = typeof CheckSendAbility.Type

/** A status and since when, in Unix seconds. */
const since = <S extends Schema.Top>(status: S) =>
  Schema.Struct({
    status: field(status, "The status."),
    updated_at: field(Schema.Int, "When the status was reached, in Unix seconds.")
  })

/** Answer of `POST /chatgw/check-send-ability`. */
export const SendAbility = Schema.Struct({
  request_id,
  phone_number: field(Schema.String, "The number, in E.164."),
  request_cost: price,
  is_refunded: isRefunded,
  remaining_balance: remainingBalance,
  delivery_status: field(since(ChatgwStatus), "How far the message got.")
}).annotate({
  identifier: "SendAbility",
  description: "Where `is_refunded` is true the number has no account on the chat app, and the probe cost nothing.",
  examples: [
    {
      request_id: exampleRequest,
      phone_number: example.to,
      request_cost: 0.01,
      is_refunded: false,
      remaining_balance: 99.99,
      delivery_status: { status: "sent", updated_at: 1_769_860_800 }
    }
  ]
})
export type SendAbility = typeof SendAbility.Type

const sentRequest = impersonal(
  field(
    Schema.NonEmptyString.check(Schema.isMaxLength(256, { message: "must have at most 256 characters" })),
    "The `request_id` of the send."
  )
)

/** Body of `POST /chatgw/check-verification-status`. */
export const CheckVerification = request({
  request_id: sentRequest,
  code: personal(Schema.optionalKey(enteredCode(" Without it the status is only looked up.")))
}).annotate({
  ...ignored,
  identifier: "CheckChatgwCode",
  description: "The code that the user entered.",
  examples: [{ request_id: exampleRequest, code: exampleCode }]
})
export type CheckVerification = typeof CheckVerification.Type

const verificationStatus = "The result of the codes that were entered; null before."

/** Answer of `POST /chatgw/check-verification-status`. */
export const Verification = Schema.Struct({
  request_id,
  verification_status: field(Schema.NullOr(since(VerificationStatus)), verificationStatus)
}).annotate({
  identifier: "ChatgwCodeChecked",
  description: "The status is null before a code was entered.",
  examples: [
    {
      request_id: exampleRequest,
      verification_status: { status: "code_valid", updated_at: 1_767_225_600 }
    }
  ]
})
export type Verification = typeof Verification.Type

/** Body of `POST /chatgw/revoke-verification`. */
export const RevokeVerification = request({ request_id: sentRequest }).annotate({
  ...ignored,
  ...named("RevokeCode"),
  identifier: "RevokeVerification",
  examples: [{ request_id: exampleRequest }]
})
export type RevokeVerification = typeof RevokeVerification.Type

/** Answer of `POST /chatgw/revoke-verification`. */
export const Revoked = Schema.Struct({
  request_id,
  is_refunded: isRefunded,
  remaining_balance: remainingBalance
}).annotate({
  identifier: "Revoked",
  description: "Where `is_refunded` is true the message had not been read, and its charge is returned.",
  examples: [{ request_id: exampleRequest, is_refunded: true, remaining_balance: 100 }]
})
export type Revoked = typeof Revoked.Type

/** A chat-gateway delivery record. */
export const Tdr = Schema.Struct({
  uuid,
  request_id: field(Schema.NullOr(Schema.String), "The gateway's id of the request; null if it accepted no request."),
  to: sentTo,
  status: field(Schema.String, "The delivery status in upper case."),
  delivery_status: field(
    TdrStatus,
    "How far the message got; `blocked` was refused by a guard, and not sent. All but `sent`, `delivered` and `read` end it."
  ),
  verification_status: field(Schema.NullOr(VerificationStatus), verificationStatus),
  request_cost: price,
  is_refunded: isRefunded,
  country: field(
    Schema.NullOr(Schema.String),
    "The English name of the recipient's country; null for numbers of none."
  ),
  created_at: createdAt,
  ...guardReasons
}).annotate({
  identifier: "Tdr",
  description: "The delivery record of a chat code.",
  examples: [
    {
      uuid: example.uuid,
      request_id: exampleRequest,
      to: example.to,
      status: "READ",
      delivery_status: "read",
      verification_status: "code_valid",
      request_cost: 0.01,
      is_refunded: false,
      country: "Germany",
      created_at: example.time
    }
  ]
})
export type Tdr = typeof Tdr.Type

/** Outcome of a message as the account reports it. */
export const ChatgwOutcome = Schema.Literals(["Success", "Failed"])
export type ChatgwOutcome = typeof ChatgwOutcome.Type

/** Body of `POST /chatgw/webhook`. */
export const ReportChatgw = request({
  id: reported("message"),
  status: field(ChatgwOutcome, "What you know of the message.")
}).annotate({ ...ignored, identifier: "ReportChatgw", examples: [{ id: example.uuid, status: "Success" }] })
export type ReportChatgw = typeof ReportChatgw.Type

/** Answer of `POST /chatgw/webhook`: the status now on the record, in upper case. */
export const ChatgwReported = Schema.Struct({
  message: ok,
  id: uuid,
  status: field(Schema.String, "The status now on the record, in upper case.")
}).annotate({
  identifier: "ChatgwReported",
  description: "The status now on the record.",
  examples: [{ message: "OK", id: example.uuid, status: "READ" }]
})
export type ChatgwReported = typeof ChatgwReported.Type
