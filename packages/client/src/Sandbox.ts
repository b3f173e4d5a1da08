/**
 * The messages that a sandbox key would have sent. Written by scripts/contract.ts.
 */
import type { Verification } from "./Verify.ts"
import type { ReceiveForm } from "./Verify.ts"
import type { Assurance } from "./Verify.ts"
import type { Convention, OverHttp } from "./Convention.ts"
import type { Request } from "./internal/Request.ts"

/** At most 100 messages of the last day, newest first. */
export interface Inbox {
  /** The messages, newest first. */
  readonly messages: ReadonlyArray<InboxMessage>
}

/** A message, or a call, of the sandbox. */
export interface InboxMessage {
  /** The `uuid` of its delivery record. */
  readonly id: string
  /** The channel that it was sent by. */
  readonly channel: string
  /** The number of the recipient, in E.164. */
  readonly to: string
  /** The sender or the caller that the phone shows; null if the provider shows its own. */
  readonly from: string | null
  /** The text of the message; null for calls, and for chats that the provider words. */
  readonly text: string | null
  /** The code of a text or a chat, or the last digits of a call's caller; null if it has no code. */
  readonly code: string | null
  /** When it was sent. ISO 8601 in UTC. */
  readonly at: string
}

export interface InboxQuery {
  /** Only messages to this number, in E.164 with the plus sign, or with `default_country` as people type it. */
  readonly to?: string
  /**
   * The country in which a number without a calling code is dialled, by its ISO 3166-1 alpha-2 code, such as `DE`.
   * With it `to` is read as people type it: `0151 23456789`. A text that can be read as two numbers is refused.
   */
  readonly default_country?: string
  /** Only messages of this channel, such as `sms`. */
  readonly channel?: string
  /** Only messages behind the one with this id. */
  readonly after?: string
  /** How many seconds to wait for a first message, 0 to 30; 0 unless given. */
  readonly wait?: number
}

/** An account's phones, at most 100. */
export interface Phones {
  /** The phones, by their numbers. */
  readonly phones: ReadonlyArray<Phone>
}

/** A phone of the sandbox. */
export interface Phone {
  /** Its number, in E.164 with the plus sign. */
  readonly number: string
  /** `auto` answers by the other fields; `manual` has the simulated carrier wait for a person's events. */
  readonly mode: PhoneMode
  /** How the phone reacts to a call: it rings, declines, is busy or cannot be reached. */
  readonly call: "ring" | "decline" | "busy" | "unreachable"
  /** What becomes of a text: it arrives at once, never, or after a delay. */
  readonly sms:
    | "deliver"
    | "undelivered"
    | {
        /** Seconds until the text arrives, 1 to 300. */
        readonly delay: number
      }
  /** Whether the number has an account on the chat app of the chat gateway. */
  readonly chatgw: boolean
  /** What becomes of a business chat: it is read, or arrives; or the number is not on the platform. */
  readonly bizchat: "read" | "deliver" | "none"
  /** Whether the phone has no network: messages are kept and arrive together when it has, and calls fail. */
  readonly offline: boolean
}

export type PhoneMode = "auto" | "manual"

/** Sandbox phone events: the changes after a cursor, or all of the last day. */
export interface PhoneEvents {
  /** Where these events end, for `after`. */
  readonly cursor: string
  /** Whether these are all things that there are, so that whatever is known from before is to be forgotten. */
  readonly reset: boolean
  /** The events, oldest first. */
  readonly events: ReadonlyArray<PhoneEvent>
}

/** One thing as it is now. It takes the place of the one with the same id or number. */
export type PhoneEvent =
  | {
      /** A phone was set. */
      readonly type: "phone"
      /** The phone. */
      readonly phone: Phone
    }
  | {
      /** A text or a chat was sent, or its state changed. */
      readonly type: "message"
      /** The message. */
      readonly message: PhoneMessage
    }
  | {
      /** A phone rings, or a call ended. */
      readonly type: "call"
      /** The call. */
      readonly call: PhoneCall
    }
  | {
      /** A verification began, or its plan changed. */
      readonly type: "verification"
      /** The verification, without its code. */
      readonly verification: Verification
    }
  | {
      /** A phone was removed, or a message of a cleared inbox is gone. */
      readonly type: "removed"
      /** The phone's number, or the id of the message, call or verification. */
      readonly id: string
    }

/** A text or a chat of the sandbox, and where it is. */
export interface PhoneMessage {
  /** The `uuid` of its delivery record. */
  readonly id: string
  /** The channel that it was sent by. */
  readonly channel: string
  /** The number of the recipient, in E.164. */
  readonly to: string
  /** The sender or the caller that the phone shows; null if the provider shows its own. */
  readonly from: string | null
  /** The text of the message; null for calls, and for chats that the provider words. */
  readonly text: string | null
  /** The code of a text or a chat, or the last digits of a call's caller; null if it has no code. */
  readonly code: string | null
  /** When it was sent. ISO 8601 in UTC. */
  readonly at: string
  /**
   * Where it is: `kept` by its carrier, so that the phone does not show it; `sent` to a phone that has not confirmed
   * it; or as the channel says.
   */
  readonly state: MessageState
  /** When its status last moved. ISO 8601 in UTC. */
  readonly changed_at: string
  /** The events that may be posted for it; empty once it has ended. */
  readonly accepts: ReadonlyArray<MessageEvent>
  /** The verification that the code belongs to; null for a send of its own. */
  readonly verification: string | null
  /** Its position in the `attempts` of that verification, from 1; null likewise. */
  readonly attempt: number | null
  /** The live price, in EUR; null if no price is set for the number. */
  readonly live_price: number | null
}

/**
 * Where a message is: `kept` by its carrier, so that the phone does not show it; `sent` to a phone that has not
 * confirmed it; or as the channel says.
 */
export type MessageState = "kept" | "sent" | "delivered" | "read" | "failed" | "expired" | "revoked"

export type MessageEvent = "delivered" | "read" | "failed"

/** A call of the sandbox that rings, or has. */
export interface PhoneCall {
  /** The `uuid` of its call record. */
  readonly id: string
  /** The number of the recipient, in E.164. */
  readonly to: string
  /** The number that the phone shows. */
  readonly caller: string | null
  /** The last digits of the caller, which are the code. */
  readonly code: string | null
  /** Whether the phone rings. */
  readonly state: "ringing" | "ended"
  /** When it was placed. ISO 8601 in UTC. */
  readonly at: string
  /** When it began to ring, or ended. ISO 8601 in UTC. */
  readonly changed_at: string
  /** Why it ended, by the names of its call record such as `NO_ANSWER` or `CALL_REJECTED`; null until then. */
  readonly hangup_cause: string | null
  /** The events that may be posted for it; empty once it has ended. */
  readonly accepts: ReadonlyArray<CallEvent>
  /** The verification that the code belongs to; null for a send of its own. */
  readonly verification: string | null
  /** Its position in the `attempts` of that verification, from 1; null likewise. */
  readonly attempt: number | null
  /** The live price, in EUR; null if no price is set for the number. */
  readonly live_price: number | null
}

export type CallEvent = "answer" | "decline" | "hangup"

export interface PhoneEventsQuery {
  /** The `cursor` of the previous answer; without a cursor, or with an unknown cursor, the answer has all events. */
  readonly after?: string
  /** How many seconds to wait for a first event, 0 to 30; 0 unless given. A stream has no need of it. */
  readonly wait?: number
}

export interface PhoneQuery {
  /**
   * The country, by ISO 3166-1, in which the number of the path is dialled, where that is as people type it. The
   * answer of a phone has it in E.164 form.
   */
  readonly default_country?: string
}

/** How a sandbox phone answers. Omitted fields return to their defaults. */
export interface SetPhone {
  /**
   * `auto` answers by the other fields; `manual` has the simulated carrier wait for a person's events. `auto` unless
   * given.
   */
  readonly mode?: PhoneMode
  /** How the phone reacts to a call: it rings, declines, is busy or cannot be reached. `ring` unless given. */
  readonly call?: "ring" | "decline" | "busy" | "unreachable"
  /** What becomes of a text: it arrives at once, never, or after a delay. `deliver` unless given. */
  readonly sms?:
    | "deliver"
    | "undelivered"
    | {
        /** Seconds until the text arrives, 1 to 300. */
        readonly delay: number
      }
  /** Whether the number has an account on the chat app of the chat gateway. True unless given. */
  readonly chatgw?: boolean
  /**
   * What becomes of a business chat: it is read, or arrives; or the number is not on the platform. `deliver` unless
   * given.
   */
  readonly bizchat?: "read" | "deliver" | "none"
  /**
   * Whether the phone has no network: messages are kept and arrive together when it has, and calls fail. False unless
   * given.
   */
  readonly offline?: boolean
  /**
   * The country, by ISO 3166-1, in which the number of the path is dialled, where that is as people type it. The
   * answer of a phone has it in E.164 form.
   */
  readonly default_country?: string
}

/** What happens to a message. */
export interface PostMessageEvent {
  /** What happens to the message: `delivered` to the phone, `read` by its user (only chats), or `failed`. */
  readonly event: MessageEvent
}

/** What happens to a call that rings. */
export interface PostCallEvent {
  /**
   * What happens to the call: its user answers, upon which the service ends it as it does every answered call; its
   * user declines; or the network drops it (`hangup`), upon which a verification takes its next step.
   */
  readonly event: CallEvent
}

/** The result of an action of a phone's user. */
export interface PhoneActed {
  /** The form of the action, by the number that it went to. */
  readonly by: ReceiveForm
  /** Its result. */
  readonly result: PhoneActResult
}

/**
 * As in `received` of the verification; or `unknown`: no verification waits for it; `late`: the verification has
 * ended, or does not wait for it any more; `blocked`: too many wrong tokens came from this number.
 */
export type PhoneActResult =
  | "approved"
  | "replied"
  | "other_number"
  | "not_shared"
  | "weak"
  | "ambiguous"
  | "not_replied"
  | "unknown"
  | "late"
  | "blocked"

/** A text that the user of a phone writes to the service. */
export interface PostPhoneText {
  /** The number of the service, which a verification has in `present`: its form is `sms` or `bizchat`. */
  readonly to: string
  /** The text, of at most 2,000 characters. */
  readonly text: string
  /** Whether the number of the phone stays hidden, as that of a WhatsApp user who has a name. False unless given. */
  readonly withheld?: boolean
  /** How sure the network is of the number: `account` for a chat and `network` for a text or a call, unless given. */
  readonly assurance?: Assurance
  /**
   * The country, by ISO 3166-1, in which the number of the path is dialled, where that is as people type it. The
   * answer of a phone has it in E.164 form.
   */
  readonly default_country?: string
}

/** A call from a phone to the service. */
export interface PostPhoneCall {
  /** The number of the service, which a verification has in `present`. */
  readonly to: string
  /** Whether the number of the phone stays hidden, as that of a WhatsApp user who has a name. False unless given. */
  readonly withheld?: boolean
  /** How sure the network is of the number: `account` for a chat and `network` for a text or a call, unless given. */
  readonly assurance?: Assurance
  /**
   * The country, by ISO 3166-1, in which the number of the path is dialled, where that is as people type it. The
   * answer of a phone has it in E.164 form.
   */
  readonly default_country?: string
}

/** A sign-in of the phone's user at the provider. */
export interface PostPhoneLogin {
  /** The `id` of the verification whose link the user opens. */
  readonly verification_id: string
  /** Whether the user does not share the number. False unless given. */
  readonly withheld?: boolean
  /**
   * The country, by ISO 3166-1, in which the number of the path is dialled, where that is as people type it. The
   * answer of a phone has it in E.164 form.
   */
  readonly default_country?: string
}

export interface Sandbox<C extends Convention = OverHttp> {
  /**
   * Reads the messages that sandbox phones would have shown, newest first: texts, codes and callers. With `wait`, a
   * request that finds no message waits for one, at most that number of seconds. For sandbox keys only: a live key is
   * answered 403.
   */
  readonly inbox: (...args: [...C["before"], query?: InboxQuery, ...C["options"]]) => Promise<Inbox>
  /**
   * Hides earlier messages from the inbox. Records stay as they are. For sandbox keys only. `@watchword/client` never
   * repeats it, because a repeat would act twice or find it done.
   */
  readonly clear: (...args: [...C["before"], ...C["options"]]) => Promise<void>
  /**
   * Lists the phones of the account. A number without a phone follows its last four digits. For sandbox keys only: a
   * live key is answered 403.
   */
  readonly phones: (...args: [...C["before"], ...C["options"]]) => Promise<Phones>
  /**
   * All data to draw the phones: phones, messages, calls and verifications of the last day, and after that each that
   * changes. With `accept: text/event-stream` the answer is a stream of server-sent events named `phones`, whose data
   * are answers of this kind; the header `last-event-id` continues one. Otherwise it is one answer, which with `wait`
   * comes once there is news, or after that number of seconds. For sandbox keys only.
   */
  readonly phoneEvents: (...args: [...C["before"], query?: PhoneEventsQuery, ...C["options"]]) => Promise<PhoneEvents>
  /** Looks up a phone. For sandbox keys only. */
  readonly phone: (...args: [...C["before"], number: string, query?: PhoneQuery, ...C["options"]]) => Promise<Phone>
  /**
   * Sets how a number's phone answers, from the next send on and within a second in all processes. Waiting messages
   * follow the new setting: when a phone is no longer `offline`, its messages arrive together. The last digits 0402,
   * 0403, 0404 and 0429, which refuse a message before it is sent, still apply. At most 100 phones per account. For
   * sandbox keys only.
   */
  readonly setPhone: (...args: [...C["before"], number: string, body?: SetPhone, ...C["options"]]) => Promise<Phone>
  /**
   * Removes a phone, if there is one: the number follows its last four digits again, and messages that were waiting
   * arrive. For sandbox keys only.
   */
  readonly removePhone: (
    ...args: [...C["before"], number: string, query?: PhoneQuery, ...C["options"]]
  ) => Promise<void>
  /**
   * Reports a text or a chat as delivered, read or failed, as its carrier would. A message that has ended is a
   * conflict, and so is a message that its carrier holds, except for a failure. For sandbox keys only.
   * `@watchword/client` never repeats it, because a repeat would act twice or find it done.
   */
  readonly messageEvent: (
    ...args: [...C["before"], id: string, body: PostMessageEvent, ...C["options"]]
  ) => Promise<PhoneMessage>
  /**
   * Has a call that rings answered, declined or dropped by the network. A call that does not ring is a conflict. Only
   * for sandbox keys. `@watchword/client` never repeats it, because a repeat would act twice or find it done.
   */
  readonly callEvent: (
    ...args: [...C["before"], id: string, body: PostCallEvent, ...C["options"]]
  ) => Promise<PhoneCall>
  /**
   * Has the user of a phone write to a number of the service, with a text as a verification has it in `present`. The
   * answer says what became of it. A number without a phone can write, too. For sandbox keys only.
   * `@watchword/client` never repeats it, because a repeat would act twice or find it done.
   */
  readonly writeText: (
    ...args: [...C["before"], number: string, body: PostPhoneText, ...C["options"]]
  ) => Promise<PhoneActed>
  /**
   * Has the user of a phone call a number of the service, which rejects the call. The answer says what became of it.
   * For sandbox keys only. `@watchword/client` never repeats it, because a repeat would act twice or find it done.
   */
  readonly placeCall: (
    ...args: [...C["before"], number: string, body: PostPhoneCall, ...C["options"]]
  ) => Promise<PhoneActed>
  /**
   * Has the user of a phone sign in at the provider to which the link of a verification leads, with the phone's
   * number. A verification that does not wait for it is a conflict. For sandbox keys only. `@watchword/client` never
   * repeats it, because a repeat would act twice or find it done.
   */
  readonly logIn: (
    ...args: [...C["before"], number: string, body: PostPhoneLogin, ...C["options"]]
  ) => Promise<PhoneActed>
}

export const sandbox = (request: Request): Sandbox => ({
  inbox: (query, options) => request({ method: "GET", path: "/sandbox/inbox", query, repeats: "harmless" }, options),
  clear: (options) => request({ method: "DELETE", path: "/sandbox/inbox", repeats: "never" }, options),
  phones: (options) => request({ method: "GET", path: "/sandbox/phones", repeats: "harmless" }, options),
  phoneEvents: (query, options) =>
    request({ method: "GET", path: "/sandbox/phones/events", query, repeats: "harmless" }, options),
  phone: (number, query, options) =>
    request(
      { method: "GET", path: `/sandbox/phones/${encodeURIComponent(number)}`, query, repeats: "harmless" },
      options
    ),
  setPhone: (number, body, options) =>
    request(
      { method: "PUT", path: `/sandbox/phones/${encodeURIComponent(number)}`, body: body ?? {}, repeats: "harmless" },
      options
    ),
  removePhone: (number, query, options) =>
    request(
      { method: "DELETE", path: `/sandbox/phones/${encodeURIComponent(number)}`, query, repeats: "harmless" },
      options
    ),
  messageEvent: (id, body, options) =>
    request(
      { method: "POST", path: `/sandbox/messages/${encodeURIComponent(id)}/events`, body, repeats: "never" },
      options
    ),
  callEvent: (id, body, options) =>
    request(
      { method: "POST", path: `/sandbox/calls/${encodeURIComponent(id)}/events`, body, repeats: "never" },
      options
    ),
  writeText: (number, body, options) =>
    request(
      { method: "POST", path: `/sandbox/phones/${encodeURIComponent(number)}/texts`, body, repeats: "never" },
      options
    ),
  placeCall: (number, body, options) =>
    request(
      { method: "POST", path: `/sandbox/phones/${encodeURIComponent(number)}/calls`, body, repeats: "never" },
      options
    ),
  logIn: (number, body, options) =>
    request(
      { method: "POST", path: `/sandbox/phones/${encodeURIComponent(number)}/logins`, body, repeats: "never" },
      options
    )
})
