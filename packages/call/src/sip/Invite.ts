/**
 * One INVITE and everything that must repeat its words: its CANCEL, its ACKs, and the requests of the dialogs it
 * makes.
 *
 * Source: RFC 3261 §8.1.1, §9.1, §12, §13.2.2.4, §17.1.1.3.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import * as HeaderValue from "./HeaderValue.ts"
import type { Protocol, Target } from "./Hop.ts"
import type { Letterhead } from "./Letterhead.ts"
import { type Response, serialise } from "./Message.ts"
import { hexadecimal } from "./Random.ts"

/** What is said again. All of it is known before the INVITE leaves. */
export interface Invite {
  readonly target: Target
  /** Host and port of our side, as a Via has them. */
  readonly sentBy: string
  readonly uri: string
  /** With our tag. */
  readonly from: string
  readonly to: string
  /** The Route of a proxy that everything goes through, or "". */
  readonly route: string
  readonly branch: string
  readonly callId: string
  readonly cseq: number
}

/** A dialog that a response has made. Source: RFC 3261 §12.1.2. */
export interface Dialog {
  readonly invite: Invite
  /** With the other side's tag. */
  readonly to: string
  readonly contact: string
  readonly routes: ReadonlyArray<string>
}

export const METHODS = "INVITE, ACK, CANCEL, BYE, OPTIONS"
const CAPABILITIES = `Allow: ${METHODS}\r\nUser-Agent: Watchword\r\nContent-Type: application/sdp\r\n`

/** Numbers are looked at before they come near a header. */
export const isNumber = (text: string): boolean => /^\+[1-9][0-9]{6,14}$/.test(text)

export const newBranch = (): string => `z9hG4bK${hexadecimal(18)}`

const newTag = (): string => hexadecimal(6)

const newCallId = (): string => hexadecimal(16)

/** The first INVITE of a call to a trunk. */
export const invite = (letterhead: Letterhead, target: Target, caller: E164, callee: E164): Invite => {
  const uri = letterhead.callee(callee)
  return {
    target,
    sentBy: letterhead.sentBy,
    uri,
    from: `<${letterhead.caller(caller)}>;tag=${newTag()}`,
    to: `<${uri}>`,
    route: letterhead.route,
    branch: newBranch(),
    callId: newCallId(),
    cseq: 1
  }
}

/** The same call again, with credentials. Source: RFC 3261 §22.2. */
export const again = (invite: Invite): Invite => ({ ...invite, branch: newBranch(), cseq: invite.cseq + 1 })

/** @param credentials header lines with their line breaks, or "" */
export const inviteText = (invite: Invite, letterhead: Letterhead, caller: E164, credentials: string): string =>
  serialise(
    `INVITE ${invite.uri} SIP/2.0`,
    opening(invite, "INVITE", invite.branch, invite.route, invite.to, invite.cseq) +
      `Contact: <${letterhead.contact}>\r\n${letterhead.identity(caller)}${CAPABILITIES}${credentials}`,
    letterhead.offer()
  )

/** Source: RFC 3261 §9.1. */
export const cancelText = (invite: Invite): string =>
  serialise(
    `CANCEL ${invite.uri} SIP/2.0`,
    opening(invite, "CANCEL", invite.branch, invite.route, invite.to, invite.cseq)
  )

/** The ACK to a response that is no success. Source: RFC 3261 §17.1.1.3. */
export const ackText = (invite: Invite, to: string): string =>
  serialise(`ACK ${invite.uri} SIP/2.0`, opening(invite, "ACK", invite.branch, invite.route, to, invite.cseq))

/** The dialog that a response belongs to. */
export const dialog = (invite: Invite, { headers }: Response): Dialog => {
  const contact = HeaderValue.uriOf(headers.list("contact")[0] ?? "")
  return {
    invite,
    to: headers.first("to") ?? invite.to,
    contact: HeaderValue.parseUri(contact) === undefined ? invite.uri : contact,
    routes: headers.list("record-route").toReversed()
  }
}

/** The ACK to a success. It repeats the INVITE's credentials. Source: RFC 3261 §13.2.2.4, §22.1. */
export const dialogAckText = (dialog: Dialog, credentials: string): string =>
  within(dialog, "ACK", newBranch(), dialog.invite.cseq, credentials)

export const byeText = (dialog: Dialog, branch: string, cseq: number, credentials: string): string =>
  within(dialog, "BYE", branch, cseq, credentials)

const within = (dialog: Dialog, method: string, branch: string, cseq: number, credentials: string): string => {
  const { uri, route } = routing(dialog)
  const fields = opening(dialog.invite, method, branch, route, dialog.to, cseq)
  return serialise(`${method} ${uri} SIP/2.0`, fields + credentials)
}

/** Where a dialog's requests go, and by which routers. Source: RFC 3261 §12.2.1.1. */
export const routing = ({ contact, routes }: Dialog): { readonly uri: string; route: string; readonly hop: string } => {
  const [first] = routes
  if (first === undefined) return { uri: contact, route: "", hop: contact }
  const hop = HeaderValue.uriOf(first)
  return HeaderValue.parseUri(hop)?.loose === false
    ? { uri: hop, route: [...routes.slice(1), `<${contact}>`].join(", "), hop }
    : { uri: contact, route: routes.join(", "), hop }
}

/** A request outside of any call that asks whether a trunk is there. Source: RFC 3261 §11. */
export const optionsText = (
  { account, contact, route, sentBy, trunk }: Letterhead,
  { protocol }: Target,
  branch: string,
  cseq: number,
  credentials: (uri: string) => string
): string =>
  serialise(
    `OPTIONS ${trunk} SIP/2.0`,
    via(protocol, sentBy, branch) +
      routeLine(route) +
      `From: <${account}>;tag=${newTag()}\r\nTo: <${trunk}>\r\nCall-ID: ${newCallId()}\r\n` +
      `CSeq: ${cseq} OPTIONS\r\nContact: <${contact}>\r\nAccept: application/sdp\r\nUser-Agent: Watchword\r\n` +
      credentials(trunk)
  )

const opening = (
  { target, sentBy, from, callId }: Invite,
  method: string,
  branch: string,
  route: string,
  to: string,
  cseq: number
): string =>
  `${via(target.protocol, sentBy, branch)}${routeLine(route)}From: ${from}\r\nTo: ${to}\r\nCall-ID: ${callId}\r\n` +
  `CSeq: ${cseq} ${method}\r\n`

const transports: Readonly<Record<Protocol, string>> = { udp: "UDP", tcp: "TCP", tls: "TLS" }

const via = (protocol: Protocol, sentBy: string, branch: string): string =>
  `Via: SIP/2.0/${transports[protocol]} ${sentBy};branch=${branch};rport\r\nMax-Forwards: 70\r\n`

const routeLine = (route: string): string => (route === "" ? "" : `Route: ${route}\r\n`)
