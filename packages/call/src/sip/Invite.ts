/**
 * One INVITE and everything that must repeat its words: its CANCEL, its ACKs, and the requests of the dialogs it
 * makes.
 *
 * Source: RFC 3261 §8.1.1, §9.1, §12, §13.2.2.4, §17.1.1.3; RFC 3323, RFC 3325.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import { randomUUID } from "node:crypto"
import * as HeaderValue from "./HeaderValue.ts"
import { type Response, serialise } from "./Message.ts"
import { offer } from "./Offer.ts"
import type { TrunkOptions } from "./Options.ts"
import type { Target } from "./Hop.ts"

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

/** Our address, as a trunk sees it. */
export interface Local {
  readonly host: string
  readonly port: number
}

const USER_AGENT = "User-Agent: Watchword"
const MAX_FORWARDS = "Max-Forwards: 70"
export const METHODS = "INVITE, ACK, CANCEL, BYE, OPTIONS"

/** Numbers are looked at before they come near a header. */
export const isNumber = (text: string): boolean => /^\+[1-9][0-9]{6,14}$/.test(text)

export const newBranch = (): string => `z9hG4bK${randomUUID()}`

export const newTag = (): string => randomUUID().slice(-12)

/** The first INVITE of a call to a trunk. */
export const invite = (
  options: TrunkOptions,
  target: Target,
  { host, port }: Local,
  caller: E164,
  callee: E164
): Invite => {
  const uri = numberUri(options, callee, HeaderValue.hostPort(options.host, options.port))
  const from = options.from === "caller" ? callerUri(options, caller) : account(options)
  return {
    target,
    sentBy: HeaderValue.hostPort(host, port),
    uri,
    from: `<${from}>;tag=${newTag()}`,
    to: `<${uri}>`,
    route: routeOf(options),
    branch: newBranch(),
    callId: randomUUID(),
    cseq: 1
  }
}

/** The same call again, with credentials. Source: RFC 3261 §22.2. */
export const again = (invite: Invite): Invite => ({ ...invite, branch: newBranch(), cseq: invite.cseq + 1 })

/** @param credentials header lines with their line breaks, or "" */
export const inviteText = (
  invite: Invite,
  options: TrunkOptions,
  caller: E164,
  seen: Local,
  credentials: string
): string => {
  const lines = [
    ...opening(invite, "INVITE", invite.branch, invite.route, invite.to, invite.cseq),
    `Contact: <${contact(options, seen)}>`,
    ...identity(options, caller),
    `Allow: ${METHODS}`,
    USER_AGENT,
    "Content-Type: application/sdp"
  ]
  return serialise(`INVITE ${invite.uri} SIP/2.0`, withCredentials(lines, credentials), offer(seen.host, options.media))
}

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
  const lines = opening(dialog.invite, method, branch, route, dialog.to, cseq)
  return serialise(`${method} ${uri} SIP/2.0`, withCredentials(lines, credentials))
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
  options: TrunkOptions,
  { protocol }: Target,
  seen: Local,
  local: Local,
  branch: string,
  cseq: number,
  credentials: (uri: string) => string
): string => {
  const uri = `${options.scheme}:${HeaderValue.hostPort(options.host, options.port)}`
  const lines = [
    via(protocol, HeaderValue.hostPort(local.host, local.port), branch),
    MAX_FORWARDS,
    ...routeLine(routeOf(options)),
    `From: <${account(options)}>;tag=${newTag()}`,
    `To: <${uri}>`,
    `Call-ID: ${randomUUID()}`,
    `CSeq: ${cseq} OPTIONS`,
    `Contact: <${contact(options, seen)}>`,
    "Accept: application/sdp",
    USER_AGENT
  ]
  return serialise(`OPTIONS ${uri} SIP/2.0`, withCredentials(lines, credentials(uri)))
}

const opening = (
  { target, sentBy, from, callId }: Invite,
  method: string,
  branch: string,
  route: string,
  to: string,
  cseq: number
): ReadonlyArray<string> => [
  via(target.protocol, sentBy, branch),
  MAX_FORWARDS,
  ...routeLine(route),
  `From: ${from}`,
  `To: ${to}`,
  `Call-ID: ${callId}`,
  `CSeq: ${cseq} ${method}`
]

const via = (protocol: string, sentBy: string, branch: string): string =>
  `Via: SIP/2.0/${protocol.toUpperCase()} ${sentBy};branch=${branch};rport`

const routeLine = (route: string): ReadonlyArray<string> => (route === "" ? [] : [`Route: ${route}`])

const routeOf = ({ scheme, proxy }: TrunkOptions): string =>
  proxy === null ? "" : `<${scheme}:${HeaderValue.hostPort(proxy.host, proxy.port)};lr>`

const withCredentials = (lines: ReadonlyArray<string>, credentials: string): ReadonlyArray<string> =>
  credentials === "" ? lines : [...lines, credentials.trimEnd()]

const numberUri = ({ scheme, plus, phone }: TrunkOptions, number: E164, host: string): string =>
  `${scheme}:${plus ? number : number.slice(1)}@${host}${phone ? ";user=phone" : ""}`

const domain = (options: TrunkOptions): string => HeaderValue.hostPort(options.domain ?? options.host, null)

const callerUri = (options: TrunkOptions, caller: E164): string => numberUri(options, caller, domain(options))

const account = (options: TrunkOptions): string => `${options.scheme}:${userPart(options)}@${domain(options)}`

// Escaped, so that no user name can end the address it stands in.
const userPart = ({ user }: TrunkOptions): string => (user === "" ? "watchword" : encodeURIComponent(user))

const contact = (options: TrunkOptions, { host, port }: Local): string => {
  const transport = options.protocol === "udp" ? "" : `;transport=${options.protocol === "tls" ? "tls" : "tcp"}`
  return `${options.scheme}:${userPart(options)}@${HeaderValue.hostPort(host, port)}${transport}`
}

const identity = (options: TrunkOptions, caller: E164): ReadonlyArray<string> => {
  const privacy = options.privacy === null ? [] : [`Privacy: ${options.privacy}`]
  const uri = callerUri(options, caller)
  switch (options.identity) {
    case "asserted":
      return [`P-Asserted-Identity: <${uri}>`, ...privacy]
    case "preferred":
      return [`P-Preferred-Identity: <${uri}>`, ...privacy]
    case "remote-party": {
      const hidden = options.privacy === "id" ? "full" : "off"
      return [`Remote-Party-ID: <${uri}>;party=calling;screen=yes;privacy=${hidden}`, ...privacy]
    }
    case "none":
      return privacy
  }
}
