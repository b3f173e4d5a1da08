/**
 * The chat-gateway channel on the wire: bodies, answers and the delivery record (TDR).
 *
 * Source: the interface's sections "Chat-gateway channel", "Chat-gateway delivery record (TDR)" and
 * "Outcome-reporting endpoints".
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { clientFacts } from "./ClientFacts.ts"
import { guardReasons } from "./GuardReasons.ts"
import { DeliveryId } from "./Ids.ts"
import { E164 } from "./PhoneNumber.ts"
import { ignored } from "./UnknownFields.ts"

/** 4 to 8 digits. Leading zeros count. */
export const Code = Schema.String.check(Schema.isPattern(/^[0-9]{4,8}$/u, { message: "must be 4 to 8 digits" })).pipe(
  Schema.brand("Code")
)
export type Code = typeof Code.Type

/** How long a code is valid: 30 to 3600 whole seconds. */
export const Ttl = Schema.Int.check(
  Schema.isBetween({ minimum: 30, maximum: 3600 }, { message: "must be 30 to 3600 seconds" })
)

const DEFAULT_TTL = 300

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
export const SendCode = Schema.Struct({
  to: E164,
  code: Code,
  ttl: Ttl.pipe(Schema.withDecodingDefaultKey(Effect.succeed(DEFAULT_TTL))),
  sender_username: Schema.optionalKey(SenderUsername),
  callback_url: Schema.optionalKey(CallbackUrl),
  ...clientFacts
}).annotate(ignored)
export type SendCode = typeof SendCode.Type

/** How far a code's message got. All but `sent`, `delivered` and `read` end it. */
export const ChatStatus = Schema.Literals(["sent", "delivered", "read", "failed", "expired", "revoked"])
export type ChatStatus = typeof ChatStatus.Type

/** The same of a record: `blocked` was refused by a guard, and not sent. */
export const TdrStatus = Schema.Literals([...ChatStatus.literals, "blocked"])
export type TdrStatus = typeof TdrStatus.Type

/** Result of the codes that were entered; null on records without one. */
export const VerificationStatus = Schema.Literals([
  "code_valid",
  "code_invalid",
  "code_max_attempts_exceeded",
  "expired"
])
export type VerificationStatus = typeof VerificationStatus.Type

/** Answer of `POST /chatgw`. Money in EUR. */
export const CodeSent = Schema.Struct({
  uuid: DeliveryId,
  /** The gateway's id of the request, for status checks and revocation. */
  request_id: Schema.String,
  to: Schema.String,
  status: ChatStatus,
  request_cost: Schema.Finite,
  /** The account's available balance after the charge. */
  remaining_balance: Schema.Finite
})
export type CodeSent = typeof CodeSent.Type

/** Body of `POST /chatgw/check-send-ability`. */
export const CheckSendAbility = Schema.Struct({ to: E164, ...clientFacts }).annotate(ignored)
export type CheckSendAbility = typeof CheckSendAbility.Type

/** A status and since when, in Unix seconds. */
const since = <S extends Schema.Top>(status: S) => Schema.Struct({ status, updated_at: Schema.Int })

/** Answer of `POST /chatgw/check-send-ability`. `is_refunded`: the number has no account, and the probe cost nothing. */
export const SendAbility = Schema.Struct({
  request_id: Schema.String,
  phone_number: Schema.String,
  request_cost: Schema.Finite,
  is_refunded: Schema.Boolean,
  remaining_balance: Schema.Finite,
  delivery_status: since(ChatStatus)
})
export type SendAbility = typeof SendAbility.Type

const RequestId = Schema.NonEmptyString.check(Schema.isMaxLength(256, { message: "must have at most 256 characters" }))

/** Body of `POST /chatgw/check-verification-status`. */
export const CheckVerification = Schema.Struct({ request_id: RequestId, code: Schema.optionalKey(Code) }).annotate(
  ignored
)
export type CheckVerification = typeof CheckVerification.Type

/** Answer of `POST /chatgw/check-verification-status`; null before a code was entered. */
export const Verification = Schema.Struct({
  request_id: Schema.String,
  verification_status: Schema.NullOr(since(VerificationStatus))
})
export type Verification = typeof Verification.Type

/** Body of `POST /chatgw/revoke-verification`. */
export const RevokeVerification = Schema.Struct({ request_id: RequestId }).annotate(ignored)
export type RevokeVerification = typeof RevokeVerification.Type

/** Answer of `POST /chatgw/revoke-verification`. `is_refunded`: it was not read yet, and its charge is returned. */
export const Revoked = Schema.Struct({
  request_id: Schema.String,
  is_refunded: Schema.Boolean,
  remaining_balance: Schema.Finite
})
export type Revoked = typeof Revoked.Type

/** A chat-gateway delivery record. */
export const Tdr = Schema.Struct({
  uuid: DeliveryId,
  request_id: Schema.NullOr(Schema.String),
  to: Schema.String,
  /** The delivery status in upper case. */
  status: Schema.String,
  delivery_status: TdrStatus,
  verification_status: Schema.NullOr(VerificationStatus),
  /** In EUR. */
  request_cost: Schema.Finite,
  is_refunded: Schema.Boolean,
  /** English name of the recipient's country; null for numbers of none. */
  country: Schema.NullOr(Schema.String),
  /** ISO 8601 in UTC. */
  created_at: Schema.String,
  ...guardReasons
})
export type Tdr = typeof Tdr.Type

/** Outcome of a message as the account reports it. */
export const ChatOutcome = Schema.Literals(["Success", "Failed"])
export type ChatOutcome = typeof ChatOutcome.Type

/** Body of `POST /chatgw/webhook`. */
export const ReportChat = Schema.Struct({ id: Schema.String, status: ChatOutcome }).annotate(ignored)
export type ReportChat = typeof ReportChat.Type

/** Answer of `POST /chatgw/webhook`: the status now on the record, in upper case. */
export const ChatReported = Schema.Struct({ message: Schema.Literal("OK"), id: DeliveryId, status: Schema.String })
export type ChatReported = typeof ChatReported.Type
