/**
 * The sandbox's inbox on the wire: messages to the phones of sandbox numbers.
 */
import * as Schema from "effect/Schema"
import { DeliveryId } from "../Ids.ts"
import { field, impersonal, named, optional, request, time } from "../Field.ts"
import { example } from "./example.ts"
import { sentTo } from "../SharedFields.ts"
import { defaultCountry, optionalTypedTo, takesTyped } from "./TypedNumbers.ts"

/** How many seconds a request may wait for a message. */
const LONGEST = 30

const seconds = `must be 0 to ${LONGEST} whole seconds`

/** Parameters of `GET /sandbox/inbox`. */
export const InboxQuery = request({
  to: optionalTypedTo("Only messages to this number", { examples: [example.to] }),
  default_country: defaultCountry,
  channel: impersonal(optional(Schema.String, "Only messages of this channel, such as `sms`.", { examples: ["sms"] })),
  after: impersonal(optional(DeliveryId, "Only messages behind the one with this id.")),
  wait: optional(
    Schema.Int.annotate({ message: seconds }).check(
      Schema.isBetween({ minimum: 0, maximum: LONGEST }, { message: seconds })
    ),
    "How many seconds to wait for a first message, 0 to 30; 0 unless given.",
    { default: 0, examples: [30] }
  )
}).annotate({ ...takesTyped, ...named("InboxQuery") })
export type InboxQuery = typeof InboxQuery.Type

/** A message, or a call, of the sandbox. */
export const InboxMessage = Schema.Struct({
  id: field(DeliveryId, "The `uuid` of its delivery record."),
  channel: field(Schema.String, "The channel that it was sent by."),
  to: sentTo,
  from: field(
    Schema.NullOr(Schema.String),
    "The sender or the caller that the phone shows; null if the provider shows its own."
  ),
  text: field(
    Schema.NullOr(Schema.String),
    "The text of the message; null for calls, and for chats that the provider words."
  ),
  code: field(
    Schema.NullOr(Schema.String),
    "The code of a text or a chat, or the last digits of a call's caller; null if it has no code."
  ),
  at: time("When it was sent.")
}).annotate({ ...named("InboxMessage"), description: "A message, or a call, of the sandbox." })
export type InboxMessage = typeof InboxMessage.Type

/** Answer of `GET /sandbox/inbox`, newest first. */
export const Inbox = Schema.Struct({
  messages: field(Schema.Array(InboxMessage), "The messages, newest first.")
}).annotate({
  identifier: "Inbox",
  description: "At most 100 messages of the last day, newest first.",
  examples: [
    {
      messages: [
        {
          id: example.uuid,
          channel: "sms",
          to: example.to,
          from: "Watchword",
          text: "Your code is 123456",
          code: "123456",
          at: example.time
        }
      ]
    }
  ]
})
export type Inbox = typeof Inbox.Type
