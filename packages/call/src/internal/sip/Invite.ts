/**
 * An INVITE and the requests that repeat its fields: CANCEL, ACK, and BYE in the dialogs that it creates.
 *
 * Source: RFC 3261 §8.1.1, §9.1, §12, §13.2.2.4, §17.1.1.3.
 */
import { randomUUID } from "node:crypto"
import type { Endpoint } from "./Endpoint.ts"
import * as HeaderValue from "./HeaderValue.ts"
import { type RequestFields, type Response, requestText } from "./Message.ts"

/** The path of a request: the trunk, its endpoint, and our own address on the way back. */
export interface Route {
  /** The trunk's name. */
  readonly trunk: string
  readonly endpoint: Endpoint
  /** Our host and port in Via. */
  readonly sentBy: string
  /** The value of Route for an outbound proxy, or "". */
  readonly proxy: string
}

/** The fields of an INVITE that later requests repeat. All of them are known before it is sent. */
export interface Invite extends RequestFields {
  readonly route: Route
}

/** A dialog that a response has created. Source: RFC 3261 §12.1.2. */
export interface Dialog {
  readonly invite: Invite
  /** With the other side's tag. */
  readonly to: string
  readonly contact: string
  readonly routes: ReadonlyArray<string>
}

/** Whether a number may be written into a header field. */
export const isNumber = (text: string): boolean => /^\+[1-9][0-9]{6,14}$/.test(text)

/** Branches begin with the magic cookie of RFC 3261 §8.1.1.7. */
const COOKIE = "z9hG4bK"

export const newBranch = (): string => `${COOKIE}${randomUUID()}`

/** The branch of an INVITE. Its Call-ID is random, and each CSeq is used once. */
export const branchOf = (callId: string, cseq: number): string => `${COOKIE}${callId}-${cseq}`

/** The next INVITE of the same call, which carries credentials. Source: RFC 3261 §22.2. */
export const nextInvite = (invite: Invite): Invite => {
  const cseq = invite.cseq + 1
  return { ...invite, branch: branchOf(invite.callId, cseq), cseq }
}

/** Source: RFC 3261 §9.1. */
export const cancelText = (invite: Invite): string => requestText("CANCEL", invite)

/** The ACK to a response other than a success. Source: RFC 3261 §17.1.1.3. */
export const ackText = (invite: Invite, to: string): string => requestText("ACK", { ...invite, to })

/** The dialog of a response; without a Contact that can be read, its requests go to the URI of the INVITE. */
export const dialogOf = (invite: Invite, { headers }: Response): Dialog => {
  const contact = HeaderValue.uriOf(HeaderValue.firstOf(headers.first("contact") ?? ""))
  return {
    invite,
    to: headers.first("to") ?? invite.to,
    contact: HeaderValue.isUri(contact) ? contact : invite.uri,
    routes: headers.list("record-route").toReversed()
  }
}

/** The ACK to a success. It repeats the INVITE's credentials. Source: RFC 3261 §13.2.2.4, §22.1. */
export const dialogAckText = (dialog: Dialog, credentials: string): string =>
  within(dialog, "ACK", newBranch(), dialog.invite.cseq, credentials)

export const byeText = (dialog: Dialog, branch: string, cseq: number, credentials: string): string =>
  within(dialog, "BYE", branch, cseq, credentials)

const within = (dialog: Dialog, method: string, branch: string, cseq: number, credentials: string): string => {
  const { invite, to } = dialog
  const { route, uri } = routing(dialog)
  return requestText(
    method,
    { ...invite, route: { ...invite.route, proxy: route }, uri, to, branch, cseq },
    credentials
  )
}

/** The request URI, the Route and the next hop of a dialog's requests. Source: RFC 3261 §12.2.1.1. */
export const routing = ({ contact, routes }: Dialog): { readonly uri: string; route: string; readonly hop: string } => {
  const [first] = routes
  if (first === undefined) return { uri: contact, route: "", hop: contact }
  const hop = HeaderValue.uriOf(first)
  return HeaderValue.parseUri(hop)?.loose === false
    ? { uri: hop, route: [...routes.slice(1), `<${contact}>`].join(", "), hop }
    : { uri: contact, route: routes.join(", "), hop }
}
