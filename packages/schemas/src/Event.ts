/**
 * Events of a service: their types, patterns of types, and the bodies of webhooks.
 *
 * No event has a code or a text. `data.version` rises with each change of the same verification, delivery or account; the
 * order in which events arrive is not promised.
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

/** The first parts of types, such as `verification`. */
type Subject<T extends EventType = EventType> = T extends `${infer First}.${string}` ? First : never

/** A type, all types of a subject (`verification.*`), or all types (`*`). */
export type EventPattern = EventType | `${Subject}.*` | "*"

const subjectOf = (type: string): string => type.slice(0, type.indexOf("."))

/** Whether a text is a pattern that some event matches. */
export const isEventPattern = (text: string): text is EventPattern =>
  eventTypes.some((type) => matchesEvent(text, type))

/** Whether an event of a type matches a pattern. */
export const matchesEvent = (pattern: string, type: EventType): boolean =>
  pattern === "*" || pattern === type || pattern === `${subjectOf(type)}.*`

export const EventPattern = Schema.String.check(
  Schema.makeFilter((text) =>
    isEventPattern(text) ? undefined : "must be a type of event, such as verification.approved or verification.*, or *"
  )
)

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

const body = <T extends EventType, D extends Schema.Top>(types: ReadonlyArray<T>, data: D) =>
  Schema.Struct({
    type: field(Schema.Literals(types), "What happened."),
    timestamp: time("When it happened."),
    data: field(data, "What the event is about.")
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

/** What happened, when (ISO 8601 in UTC), and to what. */
export const Event = Schema.Union(Object.values(eventBodies))
export type Event = typeof Event.Type

/** The event of a type, or any that matches a pattern. */
export type EventOf<P extends EventPattern> = P extends "*"
  ? Event
  : P extends `${infer S extends Subject}.*`
    ? EventOfType<Extract<EventType, `${S}.${string}`>>
    : EventOfType<Extract<P, EventType>>

type EventOfType<T extends EventType> = { [K in T]: Event & { readonly type: K } }[T]
