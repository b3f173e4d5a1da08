/**
 * Requests as the Telegram Gateway describes them to its callback.
 */
import type { RequestStatus } from "@watchword/chatgw/ChatgwGateway"

export interface Row {
  readonly from: string
  readonly source: string
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
  /** The event; null if the value has no event. */
  readonly delivery: NonNullable<RequestStatus["delivery"]>["status"] | null
  readonly verification: NonNullable<RequestStatus["verification"]>["status"] | null
  readonly isRefunded: boolean
  /** Whether there is an event at all; without one the callback is answered 400. */
  readonly isEvent: boolean
  readonly unrecognized: ReadonlyArray<string>
}

const PAGE = "Telegram Gateway API (core.telegram.org/gateway/api, changes of 2025-02-26)"

const row = (name: string, body: Readonly<Record<string, unknown>>, more: Partial<Row> = {}): Row => ({
  from: "Telegram Gateway",
  source: PAGE,
  name,
  body: { request_id: "1000000001", phone_number: "4915123456789", request_cost: 0.01, ...body },
  delivery: null,
  verification: null,
  isRefunded: false,
  isEvent: true,
  unrecognized: [],
  ...more
})

const delivery = (status: string) => ({ delivery_status: { status, updated_at: 1_700_000_000 } })
const verification = (status: string) => ({ verification_status: { status, updated_at: 1_700_000_000 } })

export const rows: ReadonlyArray<Row> = [
  row("sent", delivery("sent"), { delivery: "sent" }),
  row("delivered", delivery("delivered"), { delivery: "delivered" }),
  row("read", delivery("read"), { delivery: "read" }),
  row(
    "expired, with the fee back",
    { ...delivery("expired"), is_refunded: true },
    { delivery: "expired", isRefunded: true }
  ),
  row(
    "revoked, with the fee back",
    { ...delivery("revoked"), is_refunded: true },
    { delivery: "revoked", isRefunded: true }
  ),
  row(
    "a code that is right",
    { ...delivery("read"), ...verification("code_valid") },
    { delivery: "read", verification: "code_valid" }
  ),
  row("a code that is wrong", verification("code_invalid"), { verification: "code_invalid" }),
  row("too many wrong codes", verification("code_max_attempts_exceeded"), {
    verification: "code_max_attempts_exceeded"
  }),
  row("a code that came too late", verification("expired"), { verification: "expired" }),
  row(
    "a balance, a payload of another, and a code as entered",
    {
      ...delivery("sent"),
      remaining_balance: 12.34,
      payload: "x",
      verification_status: { status: "code_valid", updated_at: 1, code_entered: "123456" }
    },
    { delivery: "sent", verification: "code_valid" }
  ),
  row(
    "a state of delivery that is not known",
    { ...delivery("archived"), is_refunded: true },
    { isRefunded: true, unrecognized: ["delivery_status archived"] }
  ),
  row("a state of verification that is not known", verification("code_seen"), {
    unrecognized: ["verification_status code_seen"]
  }),
  row(
    "no request id",
    { request_id: undefined, ...delivery("read") },
    { isEvent: false, unrecognized: ["callback INVALID_BODY"] }
  )
]
