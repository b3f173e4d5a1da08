/**
 * The inbox of the sandbox on the wire: what the phones of sandbox numbers would have shown.
 */
import * as Schema from "effect/Schema"
import { DeliveryId } from "./Ids.ts"
import { E164 } from "./PhoneNumber.ts"

/** How many seconds a request may wait for a message. */
const LONGEST = 30

const seconds = `must be 0 to ${LONGEST} whole seconds`

/**
 * Parameters of `GET /sandbox/inbox`: the number, the channel, and the id of a message after which messages are wanted.
 * With `wait`, a request that finds none is answered once there is one, or after so many seconds.
 */
export const InboxQuery = Schema.Struct({
  to: Schema.optionalKey(E164),
  channel: Schema.optionalKey(Schema.String),
  after: Schema.optionalKey(DeliveryId),
  wait: Schema.optionalKey(
    Schema.Int.annotate({ message: seconds }).check(
      Schema.isBetween({ minimum: 0, maximum: LONGEST }, { message: seconds })
    )
  )
})
export type InboxQuery = typeof InboxQuery.Type

/** A message, or a call, of the sandbox. */
export const InboxMessage = Schema.Struct({
  /** The id of its delivery, which is the `uuid` of the delivery's record. */
  id: DeliveryId,
  channel: Schema.String,
  to: Schema.String,
  /** The sender or the caller that the phone shows; null where the provider shows its own. */
  from: Schema.NullOr(Schema.String),
  /** Null for calls, and for chats that the provider words. */
  text: Schema.NullOr(Schema.String),
  /** The code of a text or a chat, or the last digits of a call's caller; null where there is none to be told. */
  code: Schema.NullOr(Schema.String),
  /** When it was sent, ISO 8601 in UTC. */
  at: Schema.String
})
export type InboxMessage = typeof InboxMessage.Type

/** Answer of `GET /sandbox/inbox`, newest first. */
export const Inbox = Schema.Struct({ messages: Schema.Array(InboxMessage) })
export type Inbox = typeof Inbox.Type
