/**
 * The port by which webhooks leave: one POST without redirects, within 15 seconds, to an address that is allowed.
 *
 * On Node a host's name is resolved first, and the connection is made to the address that was checked, so that a name
 * cannot change in between. An answer comes when the socket is free again, at most a second after the status. Runtimes
 * that resolve names by themselves, such as Workers, check only addresses in URLs.
 */
import * as Sending from "#sender"
import * as Context from "effect/Context"
import type { Service } from "./sending.ts"

export type { Service, WebhookAnswer, WebhookRequest } from "./sending.ts"

export interface Options {
  /** Whether private, loopback and link-local addresses may be sent to; false unless given. */
  readonly allowPrivate?: boolean
  /** DNS servers that names are asked of on Node, such as `192.0.2.1:53`; the system's unless given. */
  readonly nameServers?: ReadonlyArray<string>
  /** In milliseconds, 15,000 unless given: from the resolution of the name to the status of the answer. */
  readonly timeout?: number
}

/** The answer recorded for a refused address. */
export const PRIVATE_REFUSED = "private addresses are refused; WEBHOOK_ALLOW_PRIVATE=true on the server allows them"

/** Sends with the runtime's own means. */
export const make = ({ allowPrivate = false, nameServers, timeout = 15_000 }: Options = {}): Service =>
  Sending.make({ allowPrivate, nameServers, timeout })

/** The sender of a program; tests may provide another one. */
export const WebhookSender: Context.Reference<Service> = Context.Reference("@watchword/events/internal/WebhookSender", {
  defaultValue: () => make()
})
