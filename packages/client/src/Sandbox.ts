/**
 * The inbox of the sandbox: what the phones of its numbers would have shown. For sandbox keys alone.
 */
import type { Convention, OverHttp } from "./Convention.ts"
import type { Request } from "./internal/Request.ts"

export interface InboxQuery {
  /** Only messages to this number. */
  readonly to?: string
  /** Only messages of this channel. */
  readonly channel?: string
  /** Only messages behind the one with this id. */
  readonly after?: string
  /** Seconds to wait for a first message, 30 at most. */
  readonly wait?: number
}

/** A message, or a call. */
export interface InboxMessage {
  /** The `uuid` of its delivery record. */
  readonly id: string
  readonly channel: string
  readonly to: string
  readonly from: string | null
  readonly text: string | null
  /** The code of a text or a chat, or the last digits of a call's caller. */
  readonly code: string | null
  /** ISO 8601 in UTC. */
  readonly at: string
}

/** Newest first. */
export interface Inbox {
  readonly messages: ReadonlyArray<InboxMessage>
}

export interface Sandbox<C extends Convention = OverHttp> {
  /** Reads the messages and calls that sandbox numbers have got, the newest first; with `wait` it waits for one. */
  readonly inbox: (...args: [...C["before"], query?: InboxQuery, ...C["options"]]) => Promise<Inbox>
  /** Leaves earlier messages out of the inbox. `@watchword/client` never repeats it: that would clear more. */
  readonly clear: (...args: [...C["before"], ...C["options"]]) => Promise<void>
}

export const sandbox = (request: Request): Sandbox => ({
  inbox: (query = {}, options) =>
    request(
      {
        method: "GET",
        path: `/sandbox/inbox${searchOf(query)}`,
        repeats: "harmless",
        waits: (query.wait ?? 0) * 1000
      },
      options
    ),
  clear: (options) => request({ method: "DELETE", path: "/sandbox/inbox", repeats: "never" }, options)
})

const searchOf = (query: InboxQuery): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return search && `?${search}`
}
