/**
 * Channels as the suite knows them: paths, valid requests, and requests with one wrong field.
 */
import type { Pattern } from "@watchword/store/checks"
import type { ErrorCode } from "@watchword/schemas/Errors"
import { ULID, UUID } from "./answers.ts"

export interface Channel {
  readonly name: string
  readonly paths: {
    readonly send: string
    readonly list: string
    readonly report: string
    readonly record: (id: string) => string
    /** The path that gateways of the channel call back, if any do. */
    readonly callback?: string
  }
  /** The field of answers and records that holds the id, and the form of ids. */
  readonly id: { readonly field: string; readonly pattern: RegExp; readonly reportedAs: string }
  /** The field of requests and records that holds the recipient's number. */
  readonly recipient: string
  readonly request: (to: string) => Readonly<Record<string, unknown>>
  /** The fields of the answer to such a request, and of its record, in addition to the id. */
  readonly sent: (to: string) => { readonly [field: string]: Pattern }
  readonly recorded: (to: string) => { readonly [field: string]: Pattern }
  /** Statuses that an account reports, each with the status that the record then has. */
  readonly outcomes: { readonly good: readonly [string, string]; readonly bad: readonly [string, string] }
  /** How a send to a sandbox number fails, by its last digits, in addition to the failures that every channel has. */
  readonly failures: ReadonlyArray<readonly [digits: string, status: number, code: ErrorCode]>
  /** Changes that make a request wrong, and the field that its issue names. */
  readonly wrong: ReadonlyArray<readonly [change: Readonly<Record<string, unknown>>, field: string]>
  /** Changes that leave a request valid. */
  readonly fine: ReadonlyArray<Readonly<Record<string, unknown>>>
  /** Statuses that no report can have. */
  readonly wrongStatuses: ReadonlyArray<unknown>
  readonly sortable: ReadonlyArray<string>
  readonly wrongLists: ReadonlyArray<object>
}

const sms: Channel = {
  name: "sms",
  paths: { send: "/sms", list: "/sms/sdr", report: "/sms/webhook", record: (id) => `/sms/${id}/sdr` },
  id: { field: "messageId", pattern: UUID, reportedAs: "id" },
  recipient: "to",
  request: (to) => ({ to, text: "Your code is 123456", from: "Watchword" }),
  sent: (to) => ({ from: "Watchword", to }),
  recorded: (to) => ({ uuid: ULID, from: "Watchword", to, status: /^(?:sent|delivered)$/, parts: 1, price: 0 }),
  outcomes: { good: ["delivered", "delivered"], bad: ["failed", "failed"] },
  failures: [],
  wrong: [
    [{ text: undefined }, "text"],
    [{ text: "" }, "text"],
    [{ text: "x".repeat(4097) }, "text"],
    [{ text: 123_456 }, "text"],
    [{ from: "" }, "from"],
    [{ from: 49 }, "from"]
  ],
  fine: [{ text: "x".repeat(4096) }, { from: "+4930901820123" }],
  wrongStatuses: ["Success", "DELIVERED"],
  sortable: ["messageId", "uuid", "from", "to", "status", "timestamp", "created_at", "parts", "price"],
  wrongLists: [{ filter: { status: { $ne: null } } }, { filter: { status: "DELIVERED" } }]
}

const call: Channel = {
  name: "call",
  paths: {
    send: "/call/flash",
    list: "/call/flash/cdr",
    report: "/call/flash/webhook",
    record: (id) => `/call/flash/${id}/cdr`
  },
  id: { field: "uuid", pattern: ULID, reportedAs: "uuid" },
  recipient: "callee",
  request: (callee) => ({ callee, caller: "+4930901820123", max_ring_time: 1 }),
  sent: (callee) => ({ callee, caller: "+4930901820123" }),
  recorded: (callee) => ({ callee, caller: "+4930901820123", destination_country_code: "DE", price: 0 }),
  outcomes: { good: ["Success", "Success"], bad: ["WrongNumber", "WrongNumber"] },
  failures: [["0486", 486, "BUSY_HERE"]],
  wrong: [
    [{ caller: "030901820123" }, "caller"],
    [{ max_ring_time: 0.5 }, "max_ring_time"],
    [{ max_ring_time: 61 }, "max_ring_time"],
    [{ max_ring_time: "8" }, "max_ring_time"]
  ],
  fine: [{ max_ring_time: 1.5 }],
  wrongStatuses: ["success", "delivered"],
  sortable: ["uuid", "caller", "callee", "hangup_cause", "duration", "billsec", "pdd", "start_stamp", "price"],
  wrongLists: [{ filter: { messageId: "1" } }, { filter: { duration: "1" } }]
}

const CODE = "73920481"

const chatgw: Channel = {
  name: "chatgw",
  paths: {
    send: "/chatgw",
    list: "/chatgw/tdr",
    report: "/chatgw/webhook",
    record: (id) => `/chatgw/${id}/tdr`,
    callback: "/chatgw/events"
  },
  id: { field: "uuid", pattern: ULID, reportedAs: "id" },
  recipient: "to",
  request: (to) => ({ to, code: CODE }),
  sent: (to) => ({ to, request_id: /./, status: "sent", request_cost: 0 }),
  recorded: (to) => ({ to, verification_status: null, request_cost: 0, is_refunded: false, country: "Germany" }),
  outcomes: { good: ["Success", "DELIVERED"], bad: ["Failed", "FAILED"] },
  failures: [["0003", 404, "NOT_FOUND"]],
  wrong: [
    [{ code: undefined }, "code"],
    [{ code: 739_204 }, "code"],
    [{ code: "" }, "code"],
    [{ code: "739" }, "code"],
    [{ code: "739204815" }, "code"],
    [{ code: "7392 " }, "code"],
    [{ code: "7392\n" }, "code"],
    [{ code: "73a2" }, "code"],
    [{ code: "١٢٣٤" }, "code"],
    [{ ttl: 29 }, "ttl"],
    [{ ttl: 3601 }, "ttl"],
    [{ ttl: 60.5 }, "ttl"],
    [{ ttl: "60" }, "ttl"],
    [{ ttl: null }, "ttl"],
    [{ sender_username: "" }, "sender_username"],
    [{ sender_username: "a b c d" }, "sender_username"],
    [{ sender_username: 7 }, "sender_username"],
    [{ callback_url: "http://example.com/" }, "callback_url"],
    [{ callback_url: "https://" }, "callback_url"],
    [{ callback_url: "javascript:alert(1)" }, "callback_url"],
    [{ callback_url: `https://example.com/${"ä".repeat(119)}` }, "callback_url"]
  ],
  fine: [
    { code: "0000", ttl: 30 },
    { code: "00000000", ttl: 3600 },
    { sender_username: "@acme_codes" },
    { callback_url: `https://example.com/${"ä".repeat(118)}` }
  ],
  wrongStatuses: ["success", "Incomplete"],
  sortable: ["uuid", "request_id", "to", "status", "delivery_status", "verification_status", "created_at"],
  wrongLists: [{ sort_by: "code" }, { filter: { code: CODE } }, { filter: { delivery_status: "lost" } }]
}

const bizchat: Channel = {
  name: "bizchat",
  paths: {
    send: "/bizchat/otp",
    list: "/bizchat/wdr",
    report: "/bizchat/webhook",
    record: (id) => `/bizchat/${id}/wdr`,
    callback: "/bizchat/events"
  },
  id: { field: "uuid", pattern: ULID, reportedAs: "uuid" },
  recipient: "to",
  request: (to) => ({ to, text: "Your code is 123456. It is valid for 10 minutes." }),
  sent: (to) => ({ to }),
  recorded: (to) => ({ to, status: /^(?:SENT|DELIVERED)$/, error_code: null, price: 0, is_refunded: false }),
  outcomes: { good: ["Success", "DELIVERED"], bad: ["Failed", "FAILED"] },
  failures: [["0003", 404, "NOT_FOUND"]],
  wrong: [
    [{ text: undefined }, "text"],
    [{ text: "" }, "text"],
    [{ text: "x".repeat(4097) }, "text"],
    [{ text: null }, "text"],
    [{ code: "" }, "code"],
    [{ code: "1234567890123456" }, "code"],
    [{ code: "12 34" }, "code"],
    [{ code: 123_456 }, "code"]
  ],
  fine: [{ text: "\u{1f510}".repeat(4096), code: "AB-1234567890-Z" }],
  wrongStatuses: ["success", "DELIVERED", "Incomplete"],
  sortable: ["uuid", "to", "status", "created_at", "error_code", "price", "is_refunded", "text"],
  wrongLists: [
    { sort_by: "messageId" },
    { sort_by: "details.failure" },
    { filter: { messageId: "1" } },
    { filter: { status: "delivered" } },
    { filter: { error_code: "131026" } },
    { filter: { created_at: { gte: "yesterday" } } },
    { filter: { is_refunded: null } }
  ]
}

/** The channels of Watchword. */
export const builtIn: ReadonlyArray<Channel> = [sms, call, chatgw, bizchat]
