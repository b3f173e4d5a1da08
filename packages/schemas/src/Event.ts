/**
 * Events of a service: their types, patterns of types, and the bodies of webhooks.
 *
 * No event has a code or a text. `data.version` rises with each change of the same verification, delivery or account;
 * the order in which events arrive is not promised.
 */
import * as Schema from "effect/Schema"
import { Cdr } from "./Call.ts"
import { Mode } from "./Channel.ts"
import { AccountId, DeliveryId } from "./Ids.ts"
import { field, optional, time } from "./Field.ts"
import { sentTo } from "./SharedFields.ts"
import { Verification } from "./Verification.ts"

const verificationTypes = [
  "verification.created",
  "verification.attempted",
  "verification.approved",
  "verification.failed",
  "verification.expired",
  "verification.canceled",
  "verification.blocked"
] as const

export const eventTypes = [
  ...verificationTypes,
  "delivery.updated",
  "call.ended",
  "balance.low",
  "guard.tripped",
  "webhook.test"
] as const

export const EventType = Schema.Literals(eventTypes)
export type EventType = typeof EventType.Type

/** The first part of a type, such as `verification`. */
type Subject<T extends string> = T extends `${infer First}.${string}` ? First : never

/** A type, all types of a subject (`verification.*`), or all types (`*`). */
export type EventPattern<T extends string = EventType> = T | `${Subject<T>}.*` | "*"

const subjectOf = (type: string): string => type.slice(0, type.indexOf("."))

/** Whether an event of a type matches a pattern. */
export const matchesEvent = (pattern: string, type: string): boolean =>
  pattern === "*" || pattern === type || pattern === `${subjectOf(type)}.*`

const about = {
  version: field(Schema.Int, "It rises with each change of the same verification or message."),
  account_id: field(AccountId, "The account that it is about.")
}

const mode = field(Mode, "Whether it is live, or of the sandbox.")
const channel = field(Schema.String, "The channel.")
const id = field(Schema.String, "The id of the message, as the answer to the send has it.")

const VerificationData = Schema.Struct({
  ...about,
  mode,
  ...Verification.fields,
  attempt: optional(Schema.Int, "Of verification.attempted: the number of the send among the attempts, from 1 on.")
})

/** One message. */
const DeliveryData = Schema.Struct({
  ...about,
  mode,
  channel,
  id,
  to: sentTo,
  status: field(Schema.String, "A word of the channel, such as `delivered`.")
})

/** A flash call that is over. */
const CallData = Schema.Struct({
  ...about,
  mode,
  id: field(DeliveryId, "The id of the call record."),
  callee: Cdr.fields.callee,
  hangup_cause: Cdr.fields.hangup_cause,
  duration: Cdr.fields.duration
})

/** The balance after the send that took it below the threshold. Its version is a time. */
const BalanceData = Schema.Struct({
  ...about,
  available: field(Schema.Finite, "The available balance in EUR."),
  threshold: field(Schema.Finite, "The balance in EUR below which the event is sent.")
})

/** A send that a guard has refused. */
const GuardData = Schema.Struct({
  ...about,
  mode,
  channel,
  id,
  to: sentTo,
  reasons: field(Schema.Array(Schema.String), "Why the guard refused it, as words for programs such as `limit_number`.")
})

/** An operator's try of an endpoint. */
const TestData = Schema.Struct({ ...about, webhook_id: field(Schema.String, "The webhook.") })

const body = <T extends string, D extends Schema.Top>(types: ReadonlyArray<T>, data: D) =>
  Schema.Struct({
    type: field(Schema.Literals(types), "What happened."),
    timestamp: time("When it happened."),
    data: field(data, "The record that the event is about.")
  })

/** The bodies of webhooks, by the types that have the same data. */
export const eventBodies = {
  verification: body(verificationTypes, VerificationData),
  delivery: body(["delivery.updated"], DeliveryData),
  call: body(["call.ended"], CallData),
  balance: body(["balance.low"], BalanceData),
  guard: body(["guard.tripped"], GuardData),
  test: body(["webhook.test"], TestData)
} as const

/** What each of them says, for documents. */
export const eventTexts: Readonly<Record<keyof typeof eventBodies, string>> = {
  verification: "A verification began, a send of its code was tried, or it has ended",
  delivery: "The status of a message moved",
  call: "A flash call is over",
  balance: "The available balance fell below the account's threshold",
  guard: "A guard has refused a send",
  test: "An operator tries the webhook"
}

/**
 * The data of a channel's own event types, by type, without the fields of every event: JSON objects. The description of
 * each says what happened.
 */
export type OwnTypes = Readonly<Record<string, Schema.Struct<Schema.Struct.Fields>>>

/** The body of a webhook of such a type. */
export const ownBody = (type: string, fields: Schema.Struct.Fields) =>
  body([type], Schema.Struct({ ...about, mode, ...fields }))

/** What happened, when (ISO 8601 in UTC), and to what. */
export const Event = Schema.Union(Object.values(eventBodies))
export type Event = typeof Event.Type

/** The event of a type, or any that matches a pattern, among the events of a service. */
export type EventOf<P extends string, E extends { readonly type: string } = Event> = P extends "*"
  ? E
  : P extends `${infer S}.*`
    ? EventOfType<Extract<E["type"], `${S}.${string}`>, E>
    : EventOfType<Extract<P, E["type"]>, E>

type EventOfType<T extends string, E> = { [K in T]: E & { readonly type: K } }[T]
