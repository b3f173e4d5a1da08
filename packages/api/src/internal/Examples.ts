/**
 * Examples of records, answers and errors in the OpenAPI document, by the names of their schemas.
 */
const uuid = "01KAJ3T8ZZ5V6Q2W8E4R7T9Y1M"
const messageId = "0199a1c6-2f00-8000-8000-000000000000"
const to = "+4915123456789"
const time = "2026-01-31T12:00:00.000Z"

export const examples: Readonly<Record<string, object>> = {
  Cdr: {
    uuid,
    caller: "+493023125000",
    callee: to,
    hangup_cause: "NO_ANSWER",
    duration: 12,
    billsec: 0,
    pdd: 2.314,
    start_stamp: time,
    destination_country: "Germany",
    destination_country_code: "DE",
    reported_status: null,
    sip_status: 487,
    q850: null,
    price: 0.02
  },
  CallReported: { message: "OK", uuid, status: "Success" },
  Sdr: {
    uuid,
    messageId,
    from: "Watchword",
    to,
    status: "delivered",
    timestamp: time,
    created_at: time,
    parts: 1,
    price: 0.05
  },
  SmsReported: { message: "OK", id: messageId, status: "delivered" },
  Tdr: {
    uuid,
    request_id: "8154871648321456",
    to,
    status: "READ",
    delivery_status: "read",
    verification_status: "code_valid",
    request_cost: 0.01,
    is_refunded: false,
    country: "DE",
    created_at: time
  },
  ChatReported: { message: "OK", id: uuid, status: "READ" },
  SendAbility: {
    request_id: "8154871648321456",
    phone_number: to,
    request_cost: 0.01,
    is_refunded: false,
    remaining_balance: 99.99,
    delivery_status: { status: "sent", updated_at: 1_769_860_800 }
  },
  Revoked: { request_id: "8154871648321456", is_refunded: true, remaining_balance: 100 },
  Wdr: { uuid, to, status: "DELIVERED", created_at: time, error_code: null, price: 0.05, is_refunded: false },
  BusinessChatReported: { message: "OK", uuid, status: "DELIVERED" },
  CheckVerification: { to, code: "123456" },
  ListBody: {
    page: 1,
    rows_per_page: 20,
    sort_direction: "DESC",
    filter: { status: ["failed"], created_at: { gte: "2026-01-01T00:00:00Z" } }
  }
}

/** What errors have beside their code, message and correlation id. */
const more: Readonly<Record<string, object>> = {
  BAD_REQUEST: { issues: [{ path: "to", message: "must be a phone number in E.164 form" }] },
  FORBIDDEN: { reason: "account_suspended" },
  CONFLICT: { reason: "in_flight" },
  TOO_MANY_REQUESTS: { reason: "resend_too_soon", retry_after: 30 }
}

const messages: Readonly<Record<string, string>> = {
  BAD_REQUEST: "The request has a wrong value.",
  UNAUTHORIZED: "The API key or the account id is missing or wrong.",
  PAYMENT_REQUIRED: "The balance is smaller than the price.",
  FORBIDDEN: "The account is suspended.",
  NOT_FOUND: "There is no such record.",
  CONFLICT: "The first request of this kind is still in flight.",
  TOO_MANY_REQUESTS: "The code was sent a moment ago.",
  TEMPORARY_UNAVAILABLE: "The carrier cannot be reached for the moment.",
  BUSY_HERE: "The recipient is busy.",
  DECLINE: "The recipient declined the call.",
  INTERNAL_SERVER_ERROR: "The service has a fault.",
  SERVICE_UNAVAILABLE: "The carrier is disconnected."
}

/** An error as it travels. */
export const errorExample = (code: string): object => ({
  error: code,
  message: messages[code] ?? "The request cannot be answered.",
  ...more[code],
  request_id: "4f1b6f0e-6a0d-4f3c-9d55-0c4f8a9b7e21"
})
