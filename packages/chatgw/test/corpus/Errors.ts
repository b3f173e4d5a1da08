/**
 * Errors of the Telegram Gateway as answers to a code and to a probe. Its page documents none
 * (core.telegram.org/gateway/api, changes of 2025-02-26): they were observed, and other clients have tables of them.
 */
import type { ErrorCode } from "@watchword/schemas/Errors"

export interface Row {
  readonly from: string
  readonly source: string
  readonly error: string
  /** The HTTP status; errors come with 200 and with others. */
  readonly status: number
  /** The answer to a client that sends a code. */
  readonly answered: ErrorCode
  /** Whether the send is rejected, so that its price is released, or may have been made. */
  readonly price: "released" | "held"
  readonly probe: "Unreachable" | "Rejected" | "Unknown"
  /** The level of the worst line in the log; null for none. */
  readonly level: "Error" | null
  /** Whether the next send to the number is refused without asking the gateway. */
  readonly rests: boolean
  readonly isUnknown: boolean
}

const TGATEWAY = "deus-developer/tgateway@28cadaa tgateway/exceptions.py"
const OBSERVED = "observed at gatewayapi.telegram.org"

const usual = {
  from: "Telegram Gateway",
  source: TGATEWAY,
  status: 200,
  price: "released",
  probe: "Rejected",
  level: null,
  rests: false,
  isUnknown: false
} as const satisfies Omit<Row, "error" | "answered">

const request = { ...usual, answered: "BAD_REQUEST" } as const
const recipient = { ...usual, answered: "NOT_FOUND", probe: "Unreachable" } as const
const passing = { ...usual, answered: "TEMPORARY_UNAVAILABLE" } as const
const operator = { ...usual, answered: "SERVICE_UNAVAILABLE", level: "Error" } as const

export const rows: ReadonlyArray<Row> = [
  { ...request, error: "CODE_INVALID" },
  { ...request, error: "CODE_EXPIRED", source: OBSERVED },
  { ...request, error: "CODE_MAX_ATTEMPTS_EXCEEDED", source: OBSERVED },
  { ...request, error: "CODE_LENGTH_REQUIRED" },
  { ...request, error: "CODE_LENGTH_INVALID" },
  { ...request, error: "PHONE_NUMBER_INVALID" },
  { ...request, error: "PHONE_NUMBER_INVALID", status: 400, source: OBSERVED },
  { ...request, error: "TTL_INVALID" },
  { ...request, error: "CALLBACK_URL_INVALID" },
  { ...request, error: "SENDER_USERNAME_INVALID" },
  { ...request, error: "SENDER_NOT_VERIFIED" },
  { ...request, error: "SENDER_NOT_OWNED" },
  { ...recipient, error: "PHONE_NUMBER_NOT_FOUND" },
  { ...recipient, error: "PHONE_NUMBER_NOT_AVAILABLE", source: OBSERVED },
  {
    ...recipient,
    from: "Telegram API, whose words the gateway uses",
    error: "PHONE_NUMBER_UNOCCUPIED",
    source: "core.telegram.org/method/auth.signIn, possible errors: 400"
  },
  { ...passing, error: "PHONE_NUMBER_MISMATCH", source: OBSERVED },
  { ...passing, error: "REQUEST_ID_INVALID" },
  { ...passing, error: "REQUEST_ID_REQUIRED" },
  { ...passing, error: "FLOOD_WAIT", rests: true, source: OBSERVED },
  { ...passing, error: "FLOOD_WAIT_30", rests: true },
  {
    ...passing,
    from: "Telegram API, whose words the gateway uses",
    error: "FLOOD_PREMIUM_WAIT_30",
    rests: true,
    source: "@tgsnake/core 1.13.15 lib/src/errors/exceptions/Flood420.js, FLOOD_PREMIUM_WAIT_X"
  },
  { ...passing, error: "FLOOD_WAIT_30", status: 429, rests: true, source: OBSERVED },
  { ...operator, error: "ACCESS_TOKEN_INVALID" },
  { ...operator, error: "ACCESS_TOKEN_INVALID", status: 401, source: OBSERVED },
  { ...operator, error: "ACCESS_TOKEN_REQUIRED" },
  { ...operator, error: "BALANCE_NOT_ENOUGH" },
  { ...operator, error: "PAYLOAD_INVALID" },
  { ...operator, error: "UNKNOWN_METHOD" },
  { ...passing, error: "MESSAGE_ALREADY_SENT", price: "held", probe: "Unknown", source: OBSERVED },
  {
    ...passing,
    error: "ACCESS_TOKEN_INVALID",
    status: 503,
    price: "held",
    probe: "Unknown",
    source: "RFC 9110 15.6.4"
  },
  { ...operator, error: "SOMETHING_NEW", isUnknown: true, source: "an error that no table has" },
  { ...operator, error: "no word: 123456", isUnknown: true, source: "an error that no table has" }
]
