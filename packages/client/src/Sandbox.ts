/**
 * What a sandbox key would have sent. Written by scripts/contract.ts.
 */
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
  /** The sender or the caller that the phone shows; null where the provider shows its own. */
  readonly from: string | null
  /** The text of the message; null for calls, and for chats that the provider words. */
  readonly text: string | null
  /** The code of a text or a chat, or the last digits of a call's caller; null where it has none. */
  readonly code: string | null
  /** When it was sent. ISO 8601 in UTC. */
  readonly at: string
}

export interface InboxQuery {
  /** Only messages to this number, in E.164 with the plus sign. */
  readonly to?: string
  /** Only messages of this channel, such as `sms`. */
  readonly channel?: string
  /** Only messages behind the one with this id. */
  readonly after?: string
  /** How many seconds to wait for a first message, 0 to 30; 0 unless given. */
  readonly wait?: number
}

export interface Sandbox<C extends Convention = OverHttp> {
  /**
   * Reads what the phones of sandbox numbers would have shown, newest first: texts, codes and callers. With `wait`, a
   * request that finds none is answered once one is there, or after so many seconds. For sandbox keys alone: a live key
   * is answered 403.
   */
  readonly inbox: (...args: [...C["before"], query?: InboxQuery, ...C["options"]]) => Promise<Inbox>
  /**
   * Leaves out of the inbox what was sent before. Records stay as they are. For sandbox keys alone. `@watchword/client`
   * never repeats it, because a repeat would act twice or find it done.
   */
  readonly clear: (...args: [...C["before"], ...C["options"]]) => Promise<void>
}

export const sandbox = (request: Request): Sandbox => ({
  inbox: (query, options) => request({ method: "GET", path: "/sandbox/inbox", query, repeats: "harmless" }, options),
  clear: (options) => request({ method: "DELETE", path: "/sandbox/inbox", repeats: "never" }, options)
})
