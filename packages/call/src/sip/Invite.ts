/**
 * One INVITE and everything that must repeat its words: its CANCEL, its ACKs, and the requests of the dialogs it
 * makes.
 *
 * Source: RFC 3261 §8.1.1, §9.1, §12, §13.2.2.4, §17.1.1.3.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import * as HeaderValue from "./HeaderValue.ts"
import type { Target } from "./Hop.ts"
import { type Letterhead, USER_AGENT } from "./Letterhead.ts"
import { type Response, ended, serialise } from "./Message.ts"
import { type Way, afterBranch, viaUpToBranch } from "./Way.ts"
import { randomUUID } from "node:crypto"

/** What is said again. All of it is known before the INVITE leaves. */
export interface Invite {
  readonly way: Way
  readonly uri: string
  /** With our tag. */
  readonly from: string
  readonly to: string
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

/** Numbers are looked at before they come near a header. */
export const isNumber = (text: string): boolean => /^\+[1-9][0-9]{6,14}$/.test(text)

/** Branches begin with the magic cookie of RFC 3261 §8.1.1.7. */
export const newBranch = (): string => `z9hG4bK${randomUUID()}`

/** The last 48 bits of a UUID are random; RFC 3261 §19.3 asks for 32. */
const newTag = (): string => randomUUID().slice(-12)

const newCallId = (): string => randomUUID()

/** The first INVITE of a call to a trunk. */
export const invite = (letterhead: Letterhead, target: Target, caller: E164, callee: E164): Invite => {
  const uri = letterhead.callee(callee)
  return {
    way: letterhead.way(target),
    uri,
    from: `${letterhead.from(caller)}${newTag()}`,
    to: `<${uri}>`,
    branch: newBranch(),
    callId: newCallId(),
    cseq: 1
  }
}

/** The same call again, with credentials. Source: RFC 3261 §22.2. */
export const again = (invite: Invite): Invite => ({ ...invite, branch: newBranch(), cseq: invite.cseq + 1 })

/** @param credentials header lines with their line breaks, or "" */
export const inviteText = (invite: Invite, letterhead: Letterhead, caller: E164, credentials: string): string =>
  ended(`${opening(invite, "INVITE", invite.to)}${letterhead.introduction(caller)}${credentials}`, letterhead.offer())

/** Source: RFC 3261 §9.1. */
export const cancelText = (invite: Invite): string => ended(opening(invite, "CANCEL", invite.to))

/** The ACK to a response that is no success. Source: RFC 3261 §17.1.1.3. */
export const ackText = (invite: Invite, to: string): string => ended(opening(invite, "ACK", to))

/** The dialog that a response belongs to. */
export const dialog = (invite: Invite, { headers }: Response): Dialog => {
  const contact = headers.has("contact") ? HeaderValue.uriOf(headers.list("contact")[0] ?? "") : ""
  return {
    invite,
    to: headers.first("to") ?? invite.to,
    contact: contact === "" || HeaderValue.parseUri(contact) === undefined ? invite.uri : contact,
    routes: headers.has("record-route") ? headers.list("record-route").toReversed() : NONE
  }
}

const NONE: ReadonlyArray<string> = []

/** The ACK to a success. It repeats the INVITE's credentials. Source: RFC 3261 §13.2.2.4, §22.1. */
export const dialogAckText = (dialog: Dialog, credentials: string): string =>
  within(dialog, "ACK", newBranch(), dialog.invite.cseq, credentials)

export const byeText = (dialog: Dialog, branch: string, cseq: number, credentials: string): string =>
  within(dialog, "BYE", branch, cseq, credentials)

const within = (dialog: Dialog, method: string, branch: string, cseq: number, credentials: string): string => {
  const { uri, route } = routing(dialog)
  const { way, from, callId } = dialog.invite
  return serialise(
    `${method} ${uri} SIP/2.0`,
    `${viaUpToBranch(way.target.protocol, way.sentBy)}${branch}${afterBranch(route)}` +
      `From: ${from}\r\nTo: ${dialog.to}\r\nCall-ID: ${callId}\r\nCSeq: ${cseq} ${method}\r\n${credentials}`
  )
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
    `${viaUpToBranch(protocol, sentBy)}${branch}${afterBranch(route)}` +
      `From: <${account}>;tag=${newTag()}\r\nTo: <${trunk}>\r\nCall-ID: ${newCallId()}\r\n` +
      `CSeq: ${cseq} OPTIONS\r\nContact: <${contact}>\r\nAccept: application/sdp\r\n${USER_AGENT}` +
      credentials(trunk)
  )

/** What an INVITE, its CANCEL and the ACK of its rejection begin with. */
const opening = ({ way, branch, callId, cseq, from, uri }: Invite, method: string, to: string): string =>
  `${method} ${uri}${way.beforeBranch}${branch}${way.afterBranch}${from}\r\nTo: ${to}\r\nCall-ID: ${callId}\r\n` +
  `CSeq: ${cseq} ${method}\r\n`
