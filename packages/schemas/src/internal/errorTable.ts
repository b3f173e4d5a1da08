/**
 * Every error of the interface: its status, meaning, an example, and its reasons. The classes here and in the client,
 * the OpenAPI document and the page of reasons are generated from it.
 *
 * Source: the interface's table of errors; RFC 9110 §15, RFC 6585 §4 (429), RFC 3261 §21 (480, 486, 603).
 */
interface Entry {
  readonly status: number
  readonly description: string
  /** A message as it may travel. */
  readonly example: string
  /** The values of `reason` with their meanings. Reasons of limits contain the limit's name. */
  readonly reasons?: Readonly<Record<string, string>>
  /** Fields of the example in addition to its message. */
  readonly more?: object
}

export const errors = {
  BAD_REQUEST: {
    status: 400,
    description: "The body is malformed, incomplete or has a wrong value; `issues` names each field.",
    example: "The request has a wrong value.",
    more: { issues: [{ path: "to", message: "must be a phone number in E.164 form" }] }
  },
  UNAUTHORIZED: {
    status: 401,
    description: "The key or the account id is missing or wrong, or the address is outside the key's allow-list.",
    example: "The API key or the account id is missing or wrong."
  },
  PAYMENT_REQUIRED: {
    status: 402,
    description: "The available balance is smaller than the price. Nothing was sent.",
    example: "The balance is smaller than the price."
  },
  FORBIDDEN: {
    status: 403,
    description:
      "The key lacks the scope, or a rule of the operator refuses the request; then `reason` names the rule.",
    example: "The account is suspended.",
    more: { reason: "account_suspended" },
    reasons: {
      account_suspended: "The operator has suspended the account.",
      sender_not_allowed: "The account may not send from this sender, or from this username.",
      caller_not_allowed: "The account may not call from this number.",
      country_not_allowed: "The account does not send to numbers of this country.",
      own_text_not_allowed: "The account may not have texts of its own in verifications.",
      number_not_allowed: "The account does not send to numbers of this kind.",
      prefix_blocked: "Numbers with this prefix are blocked for now.",
      denied: "The operator's check denies this send.",
      check_failed: "The operator's check before this send failed.",
      sandbox_only: "The inbox and the phones of the sandbox are for sandbox keys, and the key is live.",
      "role_…": "Of operators: the command needs a larger role, which is behind `role_`.",
      other_site: "Of operators: a browser sends this from a page that is not the console's own."
    }
  },
  NOT_FOUND: {
    status: 404,
    description: "No such record of this account.",
    example: "There is no such record."
  },
  CONFLICT: {
    status: 409,
    description:
      "A duplicate request, or a change that contradicts the record's final state; `reason` says which. Only " +
      "`in_flight`, a repeat that came before the first answer, may be tried again.",
    example: "The first request of this kind is still in flight.",
    more: { reason: "in_flight" },
    reasons: {
      in_flight: "The first request under this `Idempotency-Key` is not answered yet; try again.",
      key_reused: "The `Idempotency-Key` was used with another body.",
      duplicate_request: "The `x-request-id` was used with the same body.",
      final_status: "A report contradicts the final status of the record.",
      revoked: "The code was already revoked.",
      failed: "The message of the code to take back has failed.",
      expired: "The code to revoke has expired.",
      approved: "The verification is approved already.",
      ended: "The verification has ended, so no step follows; or the message or the call of a phone has.",
      kept: "The phone's carrier still holds the message; it has not arrived.",
      offline: "The phone of the sandbox has no network.",
      no_account: "The phone of the sandbox has no account on the platform.",
      not_asked: "The verification does not wait for a sign-in.",
      no_step_left: "The verification has no such step left.",
      other_code: "A verification of the number with another code is pending, and `replace` is not given.",
      other_bind: "A verification of the number with another amount or payee is pending, and `replace` is not given.",
      changed_meanwhile: "Of operators: another one has changed the same since the time of `If-Unmodified-Since`.",
      move_under_way:
        "Of operators: the account is being moved to another installation; `watchword move` continues the move.",
      key_ended: "Of operators: the API key to replace has ended.",
      application_taken: "Of operators: another account has keys of the application.",
      id_reused: "Of operators: the id of the credit or the debit was given to another amount or another account."
    }
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    description:
      "Too many requests; `reason` names the limit. Try again after `retry_after` seconds, which the header `retry-after` " +
      "has too; without it waiting does not help.",
    example: "The code was sent a moment ago.",
    more: { reason: "resend_too_soon", retry_after: 30 },
    reasons: {
      resend_too_soon: "The code of the verification was sent a moment ago.",
      too_many_sends: "The verification has no sends left; waiting does not help.",
      no_checks_left: "The verification has no checks left; waiting does not restore them.",
      "limit_…": "A guard limit is reached; its name follows `limit_`, as in `limit_number`.",
      spend: "A guard limit for the account's sends is used up.",
      too_many_lists: "Lists of the account that were asked for before are not answered yet.",
      too_many_waits:
        "As many requests of the account, or streams of the process, as may are waiting for messages of the sandbox.",
      too_many_sandbox_sends: "As many sandbox sends of the account as may are under way.",
      too_many_sign_ins: "For operators: five sign-in attempts from this address failed within a minute.",
      too_many_reads: "Of operators: reads of many records that were asked for before are not answered yet.",
      too_many_streams: "Of operators: as many streams of the process as may are open."
    }
  },
  TEMPORARY_UNAVAILABLE: {
    status: 480,
    description: "The gateway cannot be reached for the moment; retry with exponential back-off.",
    example: "The carrier cannot be reached for the moment."
  },
  BUSY_HERE: {
    status: 486,
    description: "The recipient is busy, or the network rejected the call.",
    example: "The recipient is busy."
  },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    description: "A fault of the service.",
    example: "The service has a fault."
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    description:
      "The gateway is disconnected, none is configured, or the service is under maintenance; or `reason` says why.",
    example: "The carrier is disconnected.",
    reasons: {
      no_route:
        "No carrier takes messages to this number for the moment: there is no route, or its carriers are all out.",
      caller_blocked:
        "The network blocks calls from this caller id, which it takes for a number that sends spam; the phone has shown nothing. " +
        "Another channel, or another caller id, may get through."
    }
  },
  DECLINE: {
    status: 603,
    description: "The recipient declined the call.",
    example: "The recipient declined the call."
  }
} as const satisfies Readonly<Record<string, Entry>>

/** A stable code, as the body's `error` carries it. */
export type ErrorCode = keyof typeof errors

/** The entry of a code. */
export const entryOf = (code: ErrorCode): Entry => errors[code]

/** The name of the class of a code: `BadRequest` of `BAD_REQUEST`. */
export const nameOf = (code: ErrorCode): string =>
  code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code)
