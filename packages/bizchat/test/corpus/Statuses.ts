/**
 * The WhatsApp Cloud API's notifications about accepted messages, and about the templates and numbers with which
 * messages are sent.
 *
 * `WAMID` is replaced with the platform's id of the message, `DELIVERY` with ours, which it hands back. The template is
 * `otp`.
 */

export interface Change {
  readonly field: string
  readonly value: unknown
}

export interface Row {
  readonly from: string
  readonly source: string
  /** What happens, in a few words. */
  readonly name: string
  /** The status of the message in the platform's answer; null for none, `lost` for an answer that did not come. */
  readonly answer: string | null
  /** The changes of notifications, each in one of its own. */
  readonly changes: ReadonlyArray<Change>
  /** The record after them: its status, its error, and what became of its price. */
  readonly status: "SENT" | "DELIVERED" | "READ" | "FAILED"
  readonly error: number | null
  readonly price: "held" | "settled" | "released" | "refunded"
  /** The worst level in the log; null if it has no line. */
  readonly level: "Error" | "Warn" | "Info" | "Debug" | null
  /** The unrecognized words that are noted. */
  readonly unrecognized: ReadonlyArray<string>
  /** How many problems the operator sees. */
  readonly problems: number
}

const META = "WhatsApp Cloud API"
const STATUS = "Cloud API, webhooks: messages, statuses"
const TEMPLATE = "message_template_status_update webhook reference (developers.facebook.com, updated 2026-04-13)"
const PACING = 'Cloud API, "Template pacing" (updated 2026-05-21)'

const NUMBER = { display_phone_number: "15550100001", phone_number_id: "1" }

const statuses = (...each: ReadonlyArray<unknown>): Change => ({
  field: "messages",
  value: { messaging_product: "whatsapp", metadata: NUMBER, statuses: each }
})

const status = (word: string, more: object = {}) => ({
  id: "WAMID",
  status: word,
  timestamp: "1700000000",
  recipient_id: "4915123456789",
  biz_opaque_callback_data: "DELIVERY",
  ...more
})

const failed = (code: number, title: string, details?: string) =>
  status("failed", {
    errors: [{ code, title, message: title, ...(details === undefined ? {} : { error_data: { details } }) }]
  })

const template = (field: string, key: string, word: string, name = "otp"): Change => ({
  field,
  value: {
    [key]: word,
    message_template_id: 1,
    message_template_name: name,
    message_template_language: "en_US",
    reason: "NONE"
  }
})
const templateStatus = (word: string, name?: string) => template("message_template_status_update", "event", word, name)
const templateQuality = (word: string) => template("message_template_quality_update", "new_quality_score", word)
const numberQuality = (word: string): Change => ({
  field: "phone_number_quality_update",
  value: { display_phone_number: "15550100001", event: word, current_limit: "TIER_1K" }
})
const account = (word: string): Change => ({ field: "account_update", value: { event: word } })

const usual = {
  from: META,
  source: STATUS,
  answer: "accepted",
  changes: [],
  status: "SENT",
  error: null,
  price: "settled",
  level: null,
  unrecognized: [],
  problems: 0
} as const satisfies Omit<Row, "name">

const held = {
  ...usual,
  source: PACING,
  answer: "held_for_quality_assessment",
  price: "held",
  level: "Error",
  problems: 1
} as const

export const rows: ReadonlyArray<Row> = [
  {
    ...usual,
    name: "sent, delivered and read",
    changes: [statuses(status("sent"), status("delivered"), status("read"))],
    status: "READ"
  },
  {
    ...usual,
    name: "with conversation and pricing",
    changes: [
      statuses(
        status("sent", {
          conversation: { id: "c", expiration_timestamp: "1700086400", origin: { type: "authentication" } },
          pricing: { billable: true, pricing_model: "PMP", category: "authentication", type: "regular" }
        })
      )
    ]
  },
  {
    ...usual,
    name: "read before sent",
    source: "vercel/chat#794",
    changes: [statuses(status("read")), statuses(status("sent"))],
    status: "READ"
  },
  {
    ...usual,
    name: "only delivered, without recipient_id",
    source: "dimagi/open-chat-studio#3322",
    changes: [statuses({ id: "WAMID", status: "delivered", timestamp: "1700000000" })],
    status: "DELIVERED"
  },
  {
    ...usual,
    name: "a time that is a number",
    changes: [statuses(status("delivered", { timestamp: 1_700_000_000 }))],
    status: "DELIVERED"
  },
  {
    ...usual,
    name: "a batch with nulls and a status of an unknown kind",
    source: "restfb/restfb#1344",
    changes: [statuses(null, status("deleted"), status("delivered"))],
    status: "DELIVERED",
    level: "Warn",
    unrecognized: ["status deleted", "status no id"]
  },
  {
    ...usual,
    name: "only a status of an unknown kind",
    changes: [statuses(status("warning"))],
    level: "Warn",
    unrecognized: ["status warning"]
  },
  // Failures
  {
    ...usual,
    name: "failed, not on the platform",
    changes: [statuses(failed(131026, "Message undeliverable"))],
    status: "FAILED",
    error: 131026,
    price: "refunded",
    level: "Debug"
  },
  {
    ...usual,
    name: "delivered, then failed",
    changes: [statuses(status("delivered")), statuses(failed(131026, "Message undeliverable"))],
    status: "FAILED",
    error: 131026,
    price: "refunded",
    level: "Debug"
  },
  {
    ...usual,
    name: "failed, then read",
    changes: [statuses(failed(131026, "Message undeliverable")), statuses(status("read"))],
    status: "FAILED",
    error: 131026,
    price: "refunded",
    level: "Debug"
  },
  {
    ...usual,
    name: "read, then failed",
    changes: [statuses(status("read")), statuses(failed(131000, "Something went wrong"))],
    status: "FAILED",
    error: 131000,
    level: "Warn"
  },
  {
    ...usual,
    name: "failed, withheld from this recipient",
    changes: [statuses(failed(131049, "This message was not delivered to maintain healthy ecosystem engagement."))],
    status: "FAILED",
    error: 131049,
    level: "Debug"
  },
  {
    ...usual,
    name: "failed, the country",
    source: "a notification in a public repository's tests, 130497",
    changes: [statuses(failed(130497, "Business account is restricted from messaging users in this country."))],
    status: "FAILED",
    error: 130497,
    level: "Debug"
  },
  {
    ...usual,
    name: "failed, outside the window, with details",
    changes: [
      statuses(failed(131047, "Re-engagement message", "Message failed to send because more than 24 hours have passed"))
    ],
    status: "FAILED",
    error: 131047,
    level: "Error"
  },
  {
    ...usual,
    name: "failed, the payment",
    changes: [statuses(failed(131042, "Business eligibility payment issue"))],
    status: "FAILED",
    error: 131042,
    level: "Error"
  },
  {
    ...usual,
    name: "failed, with only a title",
    changes: [statuses(status("failed", { errors: [{ code: 131_056, title: "Pair rate limit hit" }] }))],
    status: "FAILED",
    error: 131_056,
    level: "Warn"
  },
  {
    ...usual,
    name: "failed without errors",
    source: "dimagi/open-chat-studio#3322",
    changes: [statuses(status("failed"))],
    status: "FAILED",
    level: "Warn"
  },
  {
    ...usual,
    name: "failed by a code that is not in the page",
    changes: [statuses(failed(199_999, "Something new"))],
    status: "FAILED",
    error: 199_999,
    level: "Warn",
    unrecognized: ["error_code 199999"]
  },
  {
    ...usual,
    name: "failed, the template was paused after it was taken",
    source: PACING,
    changes: [statuses(failed(132015, "Template is paused"))],
    status: "FAILED",
    error: 132015,
    price: "refunded",
    level: "Error"
  },
  // Held back
  { ...usual, name: "an answer without a status", source: 'Cloud API before v16, "Messages"', answer: null },
  { ...held, name: "held back, and nothing more" },
  { ...held, name: "paused instead of sent", source: 'Cloud API v24.0, "Messages": message_status', answer: "paused" },
  {
    ...usual,
    name: "taken under a status of an unknown kind",
    answer: "queued",
    level: "Warn",
    unrecognized: ["message_status queued"]
  },
  { ...held, name: "held back, then sent", changes: [statuses(status("sent"))], price: "settled" },
  {
    ...held,
    name: "held back, then delivered",
    changes: [statuses(status("delivered"))],
    status: "DELIVERED",
    price: "settled"
  },
  {
    ...held,
    name: "held back, then dropped",
    changes: [statuses(failed(132015, "Template is paused"))],
    status: "FAILED",
    error: 132015,
    price: "released"
  },
  {
    ...held,
    name: "held back, then failed for another reason",
    changes: [statuses(failed(131000, "Something went wrong"))],
    status: "FAILED",
    error: 131000,
    price: "released"
  },
  {
    ...held,
    name: "held back, sent, then failed",
    changes: [statuses(status("sent")), statuses(failed(131000, "Something went wrong"))],
    status: "FAILED",
    error: 131000,
    price: "settled"
  },
  { ...usual, name: "an answer that is lost", answer: "lost", price: "held" },
  { ...usual, name: "an answer that is lost, then sent", answer: "lost", changes: [statuses(status("sent"))] },
  {
    ...usual,
    name: "an answer that is lost, then dropped",
    source: PACING,
    answer: "lost",
    changes: [statuses(failed(132015, "Template is paused"))],
    status: "FAILED",
    error: 132015,
    price: "refunded",
    level: "Error"
  },
  // Templates, numbers and accounts
  {
    ...usual,
    name: "the template is paused",
    source: TEMPLATE,
    changes: [templateStatus("PAUSED")],
    level: "Error",
    problems: 1
  },
  {
    ...usual,
    name: "the template is disabled",
    source: TEMPLATE,
    changes: [templateStatus("DISABLED")],
    level: "Error",
    problems: 1
  },
  {
    ...usual,
    name: "the template is rejected",
    source: TEMPLATE,
    changes: [templateStatus("REJECTED")],
    level: "Error",
    problems: 1
  },
  {
    ...usual,
    name: "the template is archived",
    source: TEMPLATE,
    changes: [templateStatus("ARCHIVED")],
    level: "Error",
    problems: 1
  },
  {
    ...usual,
    name: "the template is flagged",
    source: TEMPLATE,
    changes: [templateStatus("FLAGGED")],
    level: "Warn",
    problems: 1
  },
  {
    ...usual,
    name: "the template is paused and reinstated",
    source: TEMPLATE,
    changes: [templateStatus("PAUSED"), templateStatus("REINSTATED")],
    level: "Error"
  },
  {
    ...usual,
    name: "the template is archived and unarchived",
    source: TEMPLATE,
    changes: [templateStatus("ARCHIVED"), templateStatus("UNARCHIVED")],
    level: "Error"
  },
  {
    ...usual,
    name: "the template is approved",
    source: TEMPLATE,
    changes: [templateStatus("APPROVED")],
    level: "Info"
  },
  {
    ...usual,
    name: "another template is paused",
    source: TEMPLATE,
    changes: [templateStatus("PAUSED", "newsletter")],
    level: "Error"
  },
  {
    ...usual,
    name: "the template has a status of an unknown kind",
    source: TEMPLATE,
    changes: [templateStatus("FROZEN")],
    level: "Warn",
    unrecognized: ["message_template_status_update FROZEN"]
  },
  {
    ...usual,
    name: "the quality of the template is low",
    source: "message_template_quality_update webhook reference",
    changes: [templateQuality("RED")],
    level: "Error",
    problems: 1
  },
  {
    ...usual,
    name: "the quality of the template is medium",
    source: "message_template_quality_update webhook reference",
    changes: [templateQuality("YELLOW")],
    level: "Warn",
    problems: 1
  },
  {
    ...usual,
    name: "the quality of the template is low, then high",
    source: "message_template_quality_update webhook reference",
    changes: [templateQuality("RED"), templateQuality("GREEN")],
    level: "Error"
  },
  {
    ...usual,
    name: "the quality of the number is low",
    source: "phone_number_quality_update webhook reference",
    changes: [numberQuality("FLAGGED")],
    level: "Warn",
    problems: 1
  },
  {
    ...usual,
    name: "the quality of the number is low, then not",
    source: "phone_number_quality_update webhook reference",
    changes: [numberQuality("FLAGGED"), numberQuality("UNFLAGGED")],
    level: "Warn"
  },
  {
    ...usual,
    name: "the account is restricted",
    source: "account_update webhook reference",
    changes: [account("ACCOUNT_RESTRICTION")],
    level: "Error",
    problems: 1
  },
  {
    ...usual,
    name: "the account has news of an unknown kind",
    source: "account_update webhook reference",
    changes: [account("PARTNER_ADDED")],
    level: "Warn",
    unrecognized: ["account_update PARTNER_ADDED"]
  },
  // Notifications that are not about our messages
  {
    ...usual,
    name: "a user writes to the number",
    source: "Cloud API, webhooks: messages, text",
    changes: [
      {
        field: "messages",
        value: {
          messaging_product: "whatsapp",
          metadata: NUMBER,
          contacts: [{ profile: { name: "Ada" }, wa_id: "4915123456789" }],
          messages: [
            { from: "4915123456789", id: "wamid.x", timestamp: "1700000000", text: { body: "123456" }, type: "text" }
          ]
        }
      }
    ],
    level: "Warn",
    unrecognized: ["subscriber_text text"]
  },
  {
    ...usual,
    name: "an error that is about no message",
    source: "WhatsApp error codes: entry.changes.value.errors",
    changes: [
      {
        field: "messages",
        value: { messaging_product: "whatsapp", metadata: NUMBER, errors: [{ code: 130429, title: "Rate limit hit" }] }
      }
    ],
    level: "Error"
  },
  {
    ...usual,
    name: "a field that nothing reads",
    source: "Cloud API, webhooks: security",
    changes: [{ field: "security", value: { event: "PIN_CHANGED" } }],
    level: "Warn",
    unrecognized: ["webhook_field security"]
  },
  {
    ...usual,
    name: "a field without a value",
    source: "Cloud API, webhooks",
    changes: [{ field: "flows", value: null }],
    level: "Warn",
    unrecognized: ["webhook_field flows"]
  }
]
