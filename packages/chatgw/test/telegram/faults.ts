/**
 * Faults of a Telegram Gateway, and the failures that its errors become.
 */
import type { ErrorCode } from "@watchword/schemas/Errors"
import { telegramError } from "@watchword/sandbox/http"
import { type Fault, answer } from "../../../../test/provider.ts"

/** Faults after which the gateway may have acted. */
export const uncertain: ReadonlyArray<readonly [name: string, fault: Fault]> = [
  ["a connection that is dropped", "drop"],
  ["an answer that breaks off", "break off"],
  ["an answer that does not come", "silence"],
  ["broken JSON", answer(200, '{"ok":true,"result":')],
  ["another JSON", answer(200, '{"status":"fine"}')],
  ["a result without a request id", answer(200, '{"ok":true,"result":{}}')],
  ["a page", answer(200, "<html></html>", { "content-type": "text/html" })],
  ["a redirection", answer(307, "", { location: "/elsewhere" })],
  ["MESSAGE_ALREADY_SENT", telegramError("MESSAGE_ALREADY_SENT")],
  ["status 408", answer(408, "{}")],
  ["status 500", answer(500, "{}")],
  ["status 502 and a page", answer(502, "<html></html>", { "content-type": "text/html" })],
  ["status 503 and a refusal", telegramError("ACCESS_TOKEN_INVALID", 503)]
]

/** The answer to a send that is refused with each. */
export const refusals: ReadonlyArray<readonly [error: string, failure: ErrorCode]> = [
  ["CODE_INVALID", "BAD_REQUEST"],
  ["CODE_EXPIRED", "BAD_REQUEST"],
  ["CODE_LENGTH_REQUIRED", "BAD_REQUEST"],
  ["CODE_LENGTH_INVALID", "BAD_REQUEST"],
  ["CODE_MAX_ATTEMPTS_EXCEEDED", "BAD_REQUEST"],
  ["PHONE_NUMBER_INVALID", "BAD_REQUEST"],
  ["PHONE_NUMBER_NOT_FOUND", "NOT_FOUND"],
  ["PHONE_NUMBER_NOT_AVAILABLE", "NOT_FOUND"],
  ["PHONE_NUMBER_MISMATCH", "TEMPORARY_UNAVAILABLE"],
  ["REQUEST_ID_INVALID", "TEMPORARY_UNAVAILABLE"],
  ["REQUEST_ID_REQUIRED", "TEMPORARY_UNAVAILABLE"],
  ["PAYLOAD_INVALID", "SERVICE_UNAVAILABLE"],
  ["TTL_INVALID", "BAD_REQUEST"],
  ["CALLBACK_URL_INVALID", "BAD_REQUEST"],
  ["SENDER_USERNAME_INVALID", "BAD_REQUEST"],
  ["SENDER_NOT_VERIFIED", "BAD_REQUEST"],
  ["SENDER_NOT_OWNED", "BAD_REQUEST"],
  ["ACCESS_TOKEN_INVALID", "SERVICE_UNAVAILABLE"],
  ["ACCESS_TOKEN_REQUIRED", "SERVICE_UNAVAILABLE"],
  ["BALANCE_NOT_ENOUGH", "SERVICE_UNAVAILABLE"],
  ["UNKNOWN_METHOD", "SERVICE_UNAVAILABLE"],
  ["FLOOD_WAIT", "TEMPORARY_UNAVAILABLE"],
  ["FLOOD_WAIT_30", "TEMPORARY_UNAVAILABLE"],
  ["SOMETHING_NEW", "SERVICE_UNAVAILABLE"],
  ["constructor", "SERVICE_UNAVAILABLE"]
]
