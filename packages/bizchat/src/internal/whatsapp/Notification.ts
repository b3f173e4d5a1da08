/**
 * A notification of the WhatsApp Cloud API, item by item: statuses of messages, texts of users, errors, news of
 * templates and of the number, and what else it may hold. Nothing is left out.
 *
 * Source: the Cloud API, "Webhooks: messages, message_template_status_update, message_template_quality_update,
 * phone_number_quality_update, account_update"; "Business-scoped user IDs".
 */
import { DeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { phoneOf } from "@watchword/schemas/phone"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { MessageStatus, UserText } from "../../BizchatGateway.ts"
import { NOT_ON_PLATFORM, WITHDRAWN_TEMPLATE } from "./ErrorCodes.ts"
import * as News from "./News.ts"
import { type Said, saidIn } from "./Said.ts"

export type Item =
  /** `said` is why a message failed. */
  | { readonly _tag: "Status"; readonly event: MessageStatus; readonly said: Said }
  /** `at` is the platform's id of the number that the user has written to. */
  | { readonly _tag: "Text"; readonly event: UserText; readonly at: string | null }
  /** An error that is about no message of ours. */
  | { readonly _tag: "Error"; readonly code: number | null; readonly said: Said }
  | { readonly _tag: "News"; readonly news: News.News }
  /** Something that means nothing here. `word` distinguishes it from others of its kind. */
  | { readonly _tag: "Other"; readonly kind: OtherKind; readonly word: string }

export type OtherKind = "status" | "subscriber_text" | "webhook_field" | News.OtherKind

/** The items of a notification, in its order. */
export const itemsOf = (notification: unknown): ReadonlyArray<Item> => {
  const entries = listAt(notification, "entry")
  return entries.length === 0 ? [other("webhook_field", "no entry")] : entries.flatMap(ofEntry)
}

/** Only its statuses. */
export const eventsOf = (notification: unknown): ReadonlyArray<MessageStatus> =>
  itemsOf(notification).flatMap((item) => (item._tag === "Status" ? [item.event] : []))

const ofEntry = (entry: unknown): ReadonlyArray<Item> => {
  const changes = listAt(entry, "changes")
  return changes.length === 0 ? [other("webhook_field", "no changes")] : changes.flatMap(ofChange)
}

/** Statuses are read wherever they appear, because the records need them. */
const ofChange = (change: unknown): ReadonlyArray<Item> => {
  const field = at(change, "field")
  const value = at(change, "value")
  const items = [
    ...listAt(value, "statuses").map(ofStatus),
    ...listAt(value, "messages").map((message) => ofMessage(message, at(value, "metadata"))),
    ...listAt(value, "errors").map((error): Item => ({ _tag: "Error", code: codeAt(error), said: saidIn(error) }))
  ]
  if (field === "messages" || items.length > 0) return items
  const news = typeof field === "string" ? News.read(field, value) : null
  if (news === null) return [other("webhook_field", wordOf(field))]
  return [news._tag === "Other" ? news : { _tag: "News", news }]
}

const Status = Schema.Struct({
  id: Schema.NonEmptyString,
  status: Schema.Literals(["sent", "delivered", "read", "failed"]),
  timestamp: Schema.optionalKey(Schema.Unknown),
  biz_opaque_callback_data: Schema.optionalKey(Schema.Unknown),
  errors: Schema.optionalKey(Schema.Unknown)
})

const decodeStatus = Schema.decodeUnknownOption(Status)

const decodeDelivery = Schema.decodeUnknownOption(DeliveryId)

const ofStatus = (status: unknown): Item =>
  Option.match(decodeStatus(status), {
    onNone: () => other("status", at(status, "id") === undefined ? "no id" : wordOf(at(status, "status"))),
    onSome: (wire) => ({ _tag: "Status", event: toEvent(wire), said: saidIn(listAt(wire, "errors")[0]) })
  })

const toEvent = (wire: typeof Status.Type): MessageStatus => {
  const errorCode = wire.status === "failed" ? codeAt(listAt(wire, "errors")[0]) : null
  return {
    _tag: "Status",
    ref: wire.id,
    of: Option.getOrNull(decodeDelivery(wire.biz_opaque_callback_data)),
    status: wire.status,
    at: secondsOf(wire.timestamp),
    errorCode,
    notOnPlatform: errorCode === NOT_ON_PLATFORM,
    ...(errorCode !== null && WITHDRAWN_TEMPLATE.has(errorCode) ? { isDropped: true } : {})
  }
}

/** The number of a user with a name is left out, and so may be the whole field. */
const Text = Schema.Struct({
  type: Schema.Literal("text"),
  text: Schema.Struct({ body: Schema.String }),
  from: Schema.optionalKey(Schema.Unknown),
  context: Schema.optionalKey(Schema.Unknown)
})

const decodeText = Schema.decodeUnknownOption(Text)

/**
 * A message of a user. A forwarded text has been written by someone else, who may have talked the user into sending it.
 */
const ofMessage = (message: unknown, metadata: unknown): Item => {
  const decoded = decodeText(message)
  if (Option.isNone(decoded)) return other("subscriber_text", wordOf(at(message, "type")))
  const { context, from, text } = decoded.value
  if (FORWARDS.some((mark) => at(context, mark) === true)) return other("subscriber_text", "forwarded")
  const number = at(metadata, "phone_number_id")
  return {
    _tag: "Text",
    event: { _tag: "Text", from: senderOf(from), text: Redacted.make(text.body) },
    at: typeof number === "string" ? number : null
  }
}

const FORWARDS = ["forwarded", "frequently_forwarded"]

const decodeNumber = Schema.decodeUnknownOption(E164)

/** The number of a sender, which the platform writes without its plus and, in some countries, as it was long ago. */
const senderOf = (from: unknown): E164 | null =>
  typeof from === "string" && /^\d{7,15}$/.test(from) ? Option.getOrNull(decodeNumber(phoneOf(`+${from}`))) : null

const other = (kind: OtherKind, word: string): Item => ({ _tag: "Other", kind, word })

const wordOf = (value: unknown): string => (typeof value === "string" && value !== "" ? value : "no word")

const at = (value: unknown, key: string): unknown => (Predicate.hasProperty(value, key) ? value[key] : undefined)

const listAt = (value: unknown, key: string): ReadonlyArray<unknown> => {
  const list = at(value, key)
  return Array.isArray(list) ? list : []
}

const codeAt = (error: unknown): number | null => {
  const code = at(error, "code")
  return typeof code === "number" ? code : null
}

/** Unix seconds, which the platform writes as a text. */
const secondsOf = (timestamp: unknown): number | null => {
  const seconds = typeof timestamp === "string" && /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : timestamp
  return typeof seconds === "number" && Number.isSafeInteger(seconds) ? seconds : null
}
