/**
 * The sandbox's phones on the wire: how each answers, its messages, and its user's actions.
 *
 * @example
 * ```ts
 * import { SetPhone } from "@watchword/schemas/SandboxPhone"
 * import * as Schema from "effect/Schema"
 *
 * Schema.decodeUnknownSync(SetPhone)({ chatgw: false, sms: { delay: 20 } }).call // "ring"
 * ```
 */
import * as Schema from "effect/Schema"
import { field, impersonal, named, optional, request, time, withDefault } from "./Field.ts"
import { DeliveryId } from "./Ids.ts"
import { InboxMessage } from "./internal/SandboxInbox.ts"
import { example } from "./internal/example.ts"
import { sentTo } from "./SharedFields.ts"
import { dialledIn } from "./internal/TypedNumbers.ts"
import { Verification, VerificationId } from "./Verification.ts"

export { Inbox, InboxMessage, InboxQuery } from "./internal/SandboxInbox.ts"
export { PhoneActResult, PhoneActed, PostPhoneCall, PostPhoneLogin, PostPhoneText } from "./internal/SandboxActs.ts"
export { type NumberedForm, sandboxNumbers } from "./internal/SandboxNumbers.ts"

/** The most phones that an account may have. */
export const MOST_PHONES = 100

/** The longest delay of a text, in seconds. */
const LONGEST_DELAY = 300

const delay = `must be 1 to ${LONGEST_DELAY} whole seconds`

/** Whether a phone answers by its settings, or its carrier waits for a person. */
export const PhoneMode = Schema.Literals(["auto", "manual"]).annotate(named("PhoneMode"))
export type PhoneMode = typeof PhoneMode.Type

const Delay = Schema.Struct({
  delay: field(
    Schema.Int.annotate({ message: delay }).check(
      Schema.isBetween({ minimum: 1, maximum: LONGEST_DELAY }, { message: delay })
    ),
    `Seconds until the text arrives, 1 to ${LONGEST_DELAY}.`
  )
})

const settings = {
  mode: {
    schema: PhoneMode,
    value: "auto",
    says: "`auto` answers by the other fields; `manual` has the simulated carrier wait for a person's events."
  },
  call: {
    schema: Schema.Literals(["ring", "decline", "busy", "unreachable"]),
    value: "ring",
    says: "How the phone reacts to a call: it rings, declines, is busy or cannot be reached."
  },
  sms: {
    schema: Schema.Union([Schema.Literals(["deliver", "undelivered"]), Delay]),
    value: "deliver",
    says: "What becomes of a text: it arrives at once, never, or after a delay."
  },
  chatgw: {
    schema: Schema.Boolean,
    value: true,
    says: "Whether the number has an account on the chat app of the chat gateway."
  },
  bizchat: {
    schema: Schema.Literals(["read", "deliver", "none"]),
    value: "deliver",
    says: "What becomes of a business chat: it is read, or arrives; or the number is not on the platform."
  },
  offline: {
    schema: Schema.Boolean,
    value: false,
    says: "Whether the phone has no network: messages are kept and arrive together when it has, and calls fail."
  }
} as const

const { bizchat, call, chatgw, mode, offline, sms } = settings

/** Parameters of `GET` and `DELETE /sandbox/phones/:number`. */
export const PhoneQuery = request({ default_country: dialledIn }).annotate(named("PhoneQuery"))
export type PhoneQuery = typeof PhoneQuery.Type

/** Body of `PUT /sandbox/phones/:number`. Omitted fields have their defaults. */
export const SetPhone = request({
  mode: withDefault(mode.schema, mode.value, `${mode.says} \`auto\` unless given.`),
  call: withDefault(call.schema, call.value, `${call.says} \`ring\` unless given.`),
  sms: withDefault(sms.schema, sms.value, `${sms.says} \`deliver\` unless given.`),
  chatgw: withDefault(chatgw.schema, chatgw.value, `${chatgw.says} True unless given.`),
  bizchat: withDefault(bizchat.schema, bizchat.value, `${bizchat.says} \`deliver\` unless given.`),
  offline: withDefault(offline.schema, offline.value, `${offline.says} False unless given.`),
  default_country: dialledIn
}).annotate({
  identifier: "SetPhone",
  description: "How a sandbox phone answers. Omitted fields return to their defaults.",
  examples: [
    { mode: "auto", call: "decline", sms: { delay: 20 }, chatgw: false, bizchat: "read", offline: false },
    { mode: "manual", call: "ring", sms: "deliver", chatgw: true, bizchat: "deliver", offline: false }
  ]
})
export type SetPhone = typeof SetPhone.Type

/** A phone without its number, as it is kept. */
export const PhoneSettings = Schema.Struct({
  mode: field(mode.schema, mode.says),
  call: field(call.schema, call.says),
  sms: field(sms.schema, sms.says),
  chatgw: field(chatgw.schema, chatgw.says),
  bizchat: field(bizchat.schema, bizchat.says),
  offline: field(offline.schema, offline.says)
})
export type PhoneSettings = typeof PhoneSettings.Type

const examplePhone = {
  number: example.to,
  mode: "manual",
  call: "ring",
  sms: "deliver",
  chatgw: true,
  bizchat: "deliver",
  offline: false
} as const

/** A phone of the sandbox. */
export const Phone = Schema.Struct({
  number: field(Schema.String, "Its number, in E.164 with the plus sign."),
  ...PhoneSettings.fields
}).annotate({
  ...named("Phone"),
  identifier: "Phone",
  description: "A phone of the sandbox.",
  examples: [examplePhone]
})
export type Phone = typeof Phone.Type

/** Answer of `GET /sandbox/phones`. */
export const Phones = Schema.Struct({
  phones: field(Schema.Array(Phone), "The phones, by their numbers.")
}).annotate({
  identifier: "Phones",
  description: `An account's phones, at most ${MOST_PHONES}.`,
  examples: [{ phones: [examplePhone] }]
})
export type Phones = typeof Phones.Type

/** An action of a phone or its network on a message. */
export const MessageEvent = Schema.Literals(["delivered", "read", "failed"]).annotate(named("MessageEvent"))
export type MessageEvent = typeof MessageEvent.Type

/** Body of `POST /sandbox/messages/:id/events`. */
export const PostMessageEvent = request({
  event: field(
    MessageEvent,
    "What happens to the message: `delivered` to the phone, `read` by its user (only chats), or `failed`."
  )
}).annotate({
  identifier: "PostMessageEvent",
  description: "What happens to a message.",
  examples: [{ event: "delivered" }]
})
export type PostMessageEvent = typeof PostMessageEvent.Type

/** An action of a person or the network on a call. */
export const CallEvent = Schema.Literals(["answer", "decline", "hangup"]).annotate(named("CallEvent"))
export type CallEvent = typeof CallEvent.Type

/** Body of `POST /sandbox/calls/:id/events`. */
export const PostCallEvent = request({
  event: field(
    CallEvent,
    "What happens to the call: its user answers, upon which the service ends it as it does every answered call; its user " +
      "declines; or the network drops it (`hangup`), upon which a verification takes its next step."
  )
}).annotate({
  identifier: "PostCallEvent",
  description: "What happens to a call that rings.",
  examples: [{ event: "decline" }]
})
export type PostCallEvent = typeof PostCallEvent.Type

const sentBy = {
  verification: field(
    Schema.NullOr(VerificationId),
    "The verification that the code belongs to; null for a send of its own."
  ),
  attempt: field(
    Schema.NullOr(Schema.Int),
    "Its position in the `attempts` of that verification, from 1; null likewise."
  ),
  live_price: field(Schema.NullOr(Schema.Finite), "The live price, in EUR; null if no price is set for the number.")
}

/** Where a message is. */
export const MessageState = Schema.Literals([
  "kept",
  "sent",
  "delivered",
  "read",
  "failed",
  "expired",
  "revoked"
]).annotate({
  ...named("MessageState"),
  description:
    "Where a message is: `kept` by its carrier, so that the phone does not show it; `sent` to a phone that has not confirmed " +
    "it; or as the channel says."
})
export type MessageState = typeof MessageState.Type

/** A message of the sandbox, as a drawing of its phone needs it. */
export const PhoneMessage = Schema.Struct({
  ...InboxMessage.fields,
  state: field(
    MessageState,
    "Where it is: `kept` by its carrier, so that the phone does not show it; `sent` to a phone that has not confirmed it; or " +
      "as the channel says."
  ),
  changed_at: time("When its status last moved."),
  accepts: field(Schema.Array(MessageEvent), "The events that may be posted for it; empty once it has ended."),
  ...sentBy
}).annotate({ ...named("PhoneMessage"), description: "A text or a chat of the sandbox, and where it is." })
export type PhoneMessage = typeof PhoneMessage.Type

/** A call of the sandbox, as a drawing of its phone needs it. */
export const PhoneCall = Schema.Struct({
  id: field(DeliveryId, "The `uuid` of its call record."),
  to: sentTo,
  caller: field(Schema.NullOr(Schema.String), "The number that the phone shows."),
  code: field(Schema.NullOr(Schema.String), "The last digits of the caller, which are the code."),
  state: field(Schema.Literals(["ringing", "ended"]), "Whether the phone rings."),
  at: time("When it was placed."),
  changed_at: time("When it began to ring, or ended."),
  hangup_cause: field(
    Schema.NullOr(Schema.String),
    "Why it ended, by the names of its call record such as `NO_ANSWER` or `CALL_REJECTED`; null until then."
  ),
  accepts: field(Schema.Array(CallEvent), "The events that may be posted for it; empty once it has ended."),
  ...sentBy
}).annotate({ ...named("PhoneCall"), description: "A call of the sandbox that rings, or has." })
export type PhoneCall = typeof PhoneCall.Type

/** How many seconds a request may wait for news. */
const LONGEST_WAIT = 30

const wait = `must be 0 to ${LONGEST_WAIT} whole seconds`

/** Parameters of `GET /sandbox/phones/events`. */
export const PhoneEventsQuery = request({
  after: impersonal(
    optional(
      Schema.String.check(Schema.isMaxLength(100, { message: "must be a cursor that an earlier answer had" })),
      "The `cursor` of the previous answer; without a cursor, or with an unknown cursor, the answer has all events."
    )
  ),
  wait: optional(
    Schema.Int.annotate({ message: wait }).check(
      Schema.isBetween({ minimum: 0, maximum: LONGEST_WAIT }, { message: wait })
    ),
    `How many seconds to wait for a first event, 0 to ${LONGEST_WAIT}; 0 unless given. A stream has no need of it.`,
    { default: 0, examples: [30] }
  )
}).annotate(named("PhoneEventsQuery"))
export type PhoneEventsQuery = typeof PhoneEventsQuery.Type

/** One thing as it is now: it takes the place of the one with the same id or number. */
export const PhoneEvent = Schema.Union([
  Schema.Struct({
    type: field(Schema.Literal("phone"), "A phone was set."),
    phone: field(Phone, "The phone.")
  }),
  Schema.Struct({
    type: field(Schema.Literal("message"), "A text or a chat was sent, or its state changed."),
    message: field(PhoneMessage, "The message.")
  }),
  Schema.Struct({
    type: field(Schema.Literal("call"), "A phone rings, or a call ended."),
    call: field(PhoneCall, "The call.")
  }),
  Schema.Struct({
    type: field(Schema.Literal("verification"), "A verification began, or its plan changed."),
    verification: field(Verification, "The verification, without its code.")
  }),
  Schema.Struct({
    type: field(Schema.Literal("removed"), "A phone was removed, or a message of a cleared inbox is gone."),
    id: field(Schema.String, "The phone's number, or the id of the message, call or verification.")
  })
]).annotate({
  ...named("PhoneEvent"),
  identifier: "PhoneEvent",
  description: "One thing as it is now. It takes the place of the one with the same id or number."
})
export type PhoneEvent = typeof PhoneEvent.Type

/** Answer of `GET /sandbox/phones/events`, and the data of each event of its stream. */
export const PhoneEvents = Schema.Struct({
  cursor: field(Schema.String, "Where these events end, for `after`."),
  reset: field(
    Schema.Boolean,
    "Whether these are all things that there are, so that whatever is known from before is to be forgotten."
  ),
  events: field(Schema.Array(PhoneEvent), "The events, oldest first.")
}).annotate({
  identifier: "PhoneEvents",
  description: "Sandbox phone events: the changes after a cursor, or all of the last day.",
  examples: [{ cursor: "k3v9x1q0.17", reset: false, events: [{ type: "phone", phone: examplePhone }] }]
})
export type PhoneEvents = typeof PhoneEvents.Type
