/**
 * Errors of the WhatsApp Cloud API as answers to a message: every code on its page, codes known only from public
 * reports, and answers without a code.
 *
 * `PAGE` is Meta's page. Its stored copy, updated 2026-06-18, was readable only at its beginning; the codes come from
 * others' copies of it, which each row names.
 */
import type { DeliveryFailure } from "@watchword/schemas/Errors"

export interface Row {
  readonly from: string
  readonly source: string
  /** The HTTP status, and the body: an error as the Graph API writes it, or a text. */
  readonly status: number
  readonly body: ErrorBody | string
  /** `released` where it certainly was not sent, `held` where that is not known. */
  readonly price: "released" | "held"
  readonly answered: DeliveryFailure["_tag"]
  /** Whether the next message to the same number is refused without asking the platform. */
  readonly rests: boolean
  /** The level of the line in the log; null for none. */
  readonly level: "Error" | "Warn" | "Debug" | null
  /** Whether the code is noted as unknown. */
  readonly isUnknown: boolean
}

export interface ErrorBody {
  readonly code: number
  readonly message: string
  readonly details?: string
}

const META = "WhatsApp Cloud API"
const PAGE = "WhatsApp error codes (developers.facebook.com, updated 2026-06-18)"
const SDK = `${PAGE}, as copied by great-detail/WhatsApp-Nodejs-SDK@3917b65 src/Error.ts`
const KALEYRA = `${PAGE}, as copied by developers.kaleyra.io/docs/cloud-api-error-codes`
const BOTBEE = `${PAGE}, as copied by help.botbee.io "Error Codes Reference"`
const NISWEY = `${PAGE}, as copied by niswey.com/knowledge-base/error-codes-meta`
const MEGA = 'support page of MEGA, "Erro da API do WhatsApp Business: (#131037)", 2026-01-13'
const PAYMENTS =
  'WhatsApp Payments API (developers.facebook.com), "WhatsApp Payments Terms of Service Acceptance Pending"'
const GRAPH = 'Graph API, "Error handling" and "Rate limits"'

type Answered = Pick<Row, "price" | "answered" | "rests" | "level" | "isUnknown">

const passing: Answered = {
  price: "released",
  answered: "TEMPORARY_UNAVAILABLE",
  rests: false,
  level: "Warn",
  isUnknown: false
}
const throttled: Answered = { ...passing, rests: true }
const recipient: Answered = { ...passing, answered: "NOT_FOUND", level: "Debug" }
const operator: Answered = { ...passing, answered: "SERVICE_UNAVAILABLE", level: "Error" }
const open: Answered = { ...passing, price: "held" }
const unknownCode = (answered: Answered): Answered => ({ ...answered, isUnknown: true })

const row = (
  answered: Answered,
  status: number,
  code: number,
  message: string,
  source: string,
  details?: string
): Row => ({
  from: META,
  source,
  status,
  body: { code, message: `(#${code}) ${message}`, ...(details === undefined ? {} : { details }) },
  ...answered
})

const page = (answered: Answered, status: number, body: string, source: string): Row => ({
  from: META,
  source,
  status,
  body,
  ...answered,
  level: answered.level
})

export const rows: ReadonlyArray<Row> = [
  // Throttling
  row(throttled, 400, 4, "Application request limit reached", "fabrahaingo/joel#152"),
  row(throttled, 403, 4, "Application request limit reached", `${KALEYRA}; ${GRAPH}`),
  row(throttled, 400, 17, "User request limit reached", GRAPH),
  row(throttled, 400, 341, "Application limit reached", GRAPH),
  row(throttled, 400, 613, "Calls to this api have exceeded the rate limit", GRAPH),
  row(throttled, 400, 80007, "Rate limit issues", KALEYRA),
  row(
    throttled,
    400,
    80008,
    "Too many calls to this WhatsApp Business account",
    'Graph API, "WhatsApp Business Account"'
  ),
  row(throttled, 429, 130429, "Rate limit hit", NISWEY, "Cloud API message throughput has been reached."),
  row(passing, 400, 131048, "Spam rate limit hit", NISWEY),
  row(passing, 400, 131056, "(Business Account, Consumer Account) pair rate limit hit", SDK),
  row(passing, 400, 132069, "Flow is throttled", SDK),
  row(
    passing,
    400,
    134101,
    "Template is still syncing",
    "AlexSzefezuk/meta-whatsapp-error-codes-pt-br@892c1b9 errors.json"
  ),
  // Temporary by the platform's own words: with 4xx nothing was sent, with 5xx that stays open.
  row(passing, 400, 1, "API Unknown", NISWEY),
  row(passing, 400, 2, "API Service", "shridarpatil/whatomate#63"),
  row(open, 503, 2, "API Service", NISWEY),
  row(passing, 400, 131000, "Something went wrong", "shridarpatil/whatomate#501"),
  row(open, 500, 131000, "Something went wrong", SDK),
  row(passing, 400, 131016, "Service unavailable", "green-api/issues#912"),
  row(open, 500, 131016, "Service unavailable", SDK),
  row(open, 503, 133004, "Server Temporarily Unavailable", SDK),
  {
    ...row(passing, 500, 131057, "Account in maintenance mode", `${PAGE}, as copied on 2025-12-02`),
    answered: "SERVICE_UNAVAILABLE"
  },
  // The recipient, or the country
  row(recipient, 400, 131026, "Message Undeliverable", SDK),
  row(recipient, 400, 130472, "User's number is part of an experiment", SDK),
  row(recipient, 403, 130497, "Business account is restricted from messaging users in this country.", BOTBEE),
  row(recipient, 400, 131021, "Recipient cannot be sender", SDK),
  row(recipient, 400, 131043, "Message expired", "MarcosNicolau/whatsapp-business-sdk src/types/error.ts"),
  row(
    recipient,
    400,
    131049,
    "In order to maintain a healthy ecosystem engagement, the message failed",
    "wolkvox.helpjuice.com"
  ),
  row(recipient, 400, 131050, "User has opted out of marketing messages", `${PAGE}, as copied on 2025-12-02`),
  row(
    recipient,
    400,
    131062,
    "Business-scoped user ID recipients are not supported",
    "developer.8x8.com, release notes of 2026-07-21"
  ),
  // Token and permissions
  row(operator, 401, 0, "We were unable to authenticate the app user.", BOTBEE),
  row(operator, 500, 3, "Capability or permissions issue.", BOTBEE),
  row(operator, 403, 10, "Permission is either not granted or has been removed.", BOTBEE),
  row(operator, 401, 190, "Access token has expired", BOTBEE),
  row(operator, 403, 200, "API Permission", SDK),
  row(operator, 403, 299, "API Permission", SDK),
  row(operator, 403, 368, "Temporarily blocked for policies violations", BOTBEE),
  row(operator, 403, 131005, "Access denied", SDK),
  row(operator, 403, 131031, "Account has been locked", SDK),
  // The request and the template
  row(operator, 400, 33, "Parameter value is not valid", NISWEY),
  row(operator, 400, 100, "Invalid parameter", NISWEY),
  row(operator, 400, 506, "Duplicate Post", SDK),
  row(operator, 400, 131001, "Message too long", SDK),
  row(operator, 400, 131002, "Invalid recipient type", "gabrieldwight/Whatsapp-Business-Cloud-Api-Net#1"),
  row(operator, 400, 131006, "Resource not found", SDK),
  row(
    operator,
    400,
    131008,
    "Required parameter is missing",
    "Jaal-Yantra-Textiles/v2#800",
    "Button at index 0 of type Url requires a parameter"
  ),
  row(operator, 400, 131009, "Parameter value is not valid", SDK),
  row(operator, 400, 131051, "Unsupported message type", SDK),
  row(operator, 400, 131052, "Media download error", SDK),
  row(operator, 400, 131053, "Media upload error", SDK),
  row(operator, 400, 131055, "Method not allowed", "www.geniq.io/docs/error-codes/restful-api"),
  row(
    operator,
    400,
    132000,
    "Number of parameters does not match the expected number of params",
    SDK,
    "body: number of localizable_params (2) does not match the expected number of params (1)"
  ),
  row(
    operator,
    404,
    132001,
    "Template name does not exist in the translation",
    SDK,
    "template name (otp) does not exist in de"
  ),
  row(operator, 400, 132005, "Translated text too long", SDK),
  row(operator, 400, 132007, "Template Format Character Policy Violated", SDK),
  row(operator, 400, 132012, "Parameter format does not match format in the created template", SDK),
  row(operator, 400, 132015, "Template is paused", SDK),
  row(operator, 400, 132016, "Template is disabled", SDK),
  row(operator, 400, 132068, "Flow is blocked", SDK),
  row(
    operator,
    400,
    134102,
    "Template unavailable for use",
    "AlexSzefezuk/meta-whatsapp-error-codes-pt-br@892c1b9 errors.json"
  ),
  // The number and the account
  row(
    operator,
    400,
    131030,
    "Recipient phone number not in allowed list",
    "Neurotech-HQ/heyoo#94",
    "Recipient phone number not in allowed list: Add recipient phone number to recipient list and try again."
  ),
  row(operator, 400, 131037, "WhatsApp provided number needs display name approval before message can be sent", MEGA),
  row(operator, 400, 131042, "Business eligibility payment issue", SDK),
  row(operator, 500, 131045, "Incorrect certificate", SDK),
  row(
    operator,
    400,
    131047,
    "Re-engagement message",
    SDK,
    "More than 24 hours have passed since the recipient last replied"
  ),
  row(operator, 500, 133000, "Incomplete Deregistration", SDK),
  row(operator, 400, 133005, "Two step verification PIN Mismatch", SDK),
  row(operator, 400, 133006, "Phone number re-verification needed", SDK),
  row(operator, 400, 133008, "Too Many two step verification PIN Guesses", SDK),
  row(operator, 400, 133009, "Two step verification PIN Guessed Too Fast", SDK),
  row(operator, 400, 133010, "Phone number Not Registered", SDK),
  row(operator, 400, 133015, "Please wait a few minutes before attempting to register this phone number", SDK),
  row(operator, 400, 133016, "Account register deregister rate limit exceeded", NISWEY),
  row(operator, 404, 134011, "WhatsApp Payments terms of service has not been accepted", PAYMENTS),
  row(operator, 400, 135000, "Generic user error", SDK),
  // Codes that no table has: the status decides.
  row(unknownCode(operator), 400, 199_999, "Something new", "a code that is not in the page"),
  row(unknownCode(throttled), 429, 199_999, "Something new", "a code that is not in the page"),
  row(unknownCode(open), 500, 199_999, "Something new", "a code that is not in the page"),
  row(unknownCode(open), 200, 199_999, "Something new", "a code that is not in the page"),
  row(unknownCode(open), 408, 199_999, "Something new", "a code that is not in the page"),
  // Without a code
  page(operator, 401, "who?", "RFC 9110 15.5.2, a proxy before the platform"),
  page(operator, 403, "<html></html>", "RFC 9110 15.5.4, a proxy before the platform"),
  page(throttled, 429, "slow down", "RFC 6585 4, a proxy before the platform"),
  page({ ...open, level: null }, 400, "<html></html>", "a page of a proxy"),
  page({ ...open, level: null }, 502, "<html></html>", "RFC 9110 15.6.3, a proxy before the platform")
]
