/**
 * The errors that the service answers with, a class for each code. Written by scripts/contract.ts.
 */
import { coded } from "./WatchwordError.ts"

/** 400: The body is malformed, incomplete or has a wrong value; `issues` names each field. */
export class BadRequest extends coded("BAD_REQUEST", 400) {}

/** 401: The key or the account id is missing or wrong, or the address is outside the key's allow-list. */
export class Unauthorized extends coded("UNAUTHORIZED", 401) {}

/** 402: The available balance is smaller than the price. Nothing was sent. */
export class PaymentRequired extends coded("PAYMENT_REQUIRED", 402) {}

/**
 * 403: The key lacks the scope, or a rule of the operator refuses the request; then `reason` names the rule.
 *
 * Its `reason` is one of these:
 *
 * - `account_suspended`: The operator has suspended the account.
 * - `sender_not_allowed`: The account may not send from this sender, or from this username.
 * - `caller_not_allowed`: The account may not call from this number.
 * - `country_not_allowed`: The account does not send to numbers of this country.
 * - `own_text_not_allowed`: The account may not have texts of its own in verifications.
 * - `number_not_allowed`: The account does not send to numbers of this kind.
 * - `prefix_blocked`: Numbers with this prefix are blocked for now.
 * - `denied`: The operator's check denies this send.
 * - `check_failed`: The operator's check before this send failed.
 * - `sandbox_only`: The inbox and the phones of the sandbox are for sandbox keys, and the key is live.
 * - `role_…`: Of operators: the command needs a larger role, which is behind `role_`.
 * - `other_site`: Of operators: a browser sends this from a page that is not the console's own.
 */
export class Forbidden extends coded("FORBIDDEN", 403) {}

/** 404: No such record of this account. */
export class NotFound extends coded("NOT_FOUND", 404) {}

/**
 * 409: A duplicate request, or a change that contradicts the record's final state; `reason` says which. Only
 * `in_flight`, a repeat that came before the first answer, may be tried again.
 *
 * Its `reason` is one of these:
 *
 * - `in_flight`: The first request under this `Idempotency-Key` is not answered yet; try again.
 * - `key_reused`: The `Idempotency-Key` was used with another body.
 * - `duplicate_request`: The `x-request-id` was used with the same body.
 * - `final_status`: A report contradicts the final status of the record.
 * - `revoked`: The code was already revoked.
 * - `failed`: The message of the code to take back has failed.
 * - `expired`: The code to revoke has expired.
 * - `approved`: The verification is approved already.
 * - `ended`: The verification has ended, so no step follows; or the message or the call of a phone has.
 * - `kept`: The phone's carrier still holds the message; it has not arrived.
 * - `offline`: The phone of the sandbox has no network.
 * - `no_account`: The phone of the sandbox has no account on the platform.
 * - `not_asked`: The verification does not wait for a sign-in.
 * - `no_step_left`: The verification has no such step left.
 * - `other_code`: A verification of the number with another code is pending, and `replace` is not given.
 * - `other_bind`: A verification of the number with another amount or payee is pending, and `replace` is not given.
 * - `changed_meanwhile`: Of operators: another one has changed the same since the time of `If-Unmodified-Since`.
 * - `move_under_way`: Of operators: the account is being moved to another installation; `watchword move` continues
 * the move.
 * - `key_ended`: Of operators: the API key to replace has ended.
 * - `application_taken`: Of operators: another account has keys of the application.
 * - `id_reused`: Of operators: the id of the credit or the debit was given to another amount or another account.
 */
export class Conflict extends coded("CONFLICT", 409) {}

/**
 * 429: Too many requests; `reason` names the limit. Try again after `retry_after` seconds, which the header
 * `retry-after` has too; without it waiting does not help.
 *
 * Its `reason` is one of these:
 *
 * - `resend_too_soon`: The code of the verification was sent a moment ago.
 * - `too_many_sends`: The verification has no sends left; waiting does not help.
 * - `no_checks_left`: The verification has no checks left; waiting does not restore them.
 * - `limit_…`: A guard limit is reached; its name follows `limit_`, as in `limit_number`.
 * - `spend`: A guard limit for the account's sends is used up.
 * - `too_many_lists`: Lists of the account that were asked for before are not answered yet.
 * - `too_many_waits`: As many requests of the account, or streams of the process, as may are waiting for messages
 * of the sandbox.
 * - `too_many_sandbox_sends`: As many sandbox sends of the account as may are under way.
 * - `too_many_sign_ins`: For operators: five sign-in attempts from this address failed within a minute.
 * - `too_many_reads`: Of operators: reads of many records that were asked for before are not answered yet.
 * - `too_many_streams`: Of operators: as many streams of the process as may are open.
 */
export class TooManyRequests extends coded("TOO_MANY_REQUESTS", 429) {}

/** 480: The gateway cannot be reached for the moment; retry with exponential back-off. */
export class TemporaryUnavailable extends coded("TEMPORARY_UNAVAILABLE", 480) {}

/** 486: The recipient is busy, or the network rejected the call. */
export class BusyHere extends coded("BUSY_HERE", 486) {}

/** 500: A fault of the service. */
export class InternalServerError extends coded("INTERNAL_SERVER_ERROR", 500) {}

/**
 * 503: The gateway is disconnected, none is configured, or the service is under maintenance; or `reason` says why.
 *
 * Its `reason` is one of these:
 *
 * - `no_route`: No carrier takes messages to this number for the moment: there is no route, or its carriers are all
 * out.
 * - `caller_blocked`: The network blocks calls from this caller id, which it takes for a number that sends spam;
 * the phone has shown nothing. Another channel, or another caller id, may get through.
 */
export class ServiceUnavailable extends coded("SERVICE_UNAVAILABLE", 503) {}

/** 603: The recipient declined the call. */
export class Decline extends coded("DECLINE", 603) {}

/** All of them. */
export const classes = [
  BadRequest,
  Unauthorized,
  PaymentRequired,
  Forbidden,
  NotFound,
  Conflict,
  TooManyRequests,
  TemporaryUnavailable,
  BusyHere,
  InternalServerError,
  ServiceUnavailable,
  Decline
] as const
