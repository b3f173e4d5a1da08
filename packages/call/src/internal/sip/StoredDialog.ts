/**
 * The INVITEs of a call as text, from which a later process can build the CANCEL, ACK and BYE that end the call.
 *
 * Each field is a line, because no value of a header field has a line break. Values that follow from others are not
 * stored: the To of an INVITE is its URI, and its branch is computed from its Call-ID and CSeq.
 */
import { isIP } from "node:net"
import type { Protocol } from "./Endpoint.ts"
import type { Dialog, Invite } from "./Invite.ts"

export interface StoredInvite {
  /** The trunk's name. */
  readonly trunk: string
  readonly protocol: Protocol
  readonly address: string
  readonly port: number
  readonly sentBy: string
  readonly uri: string
  readonly from: string
  /** The value of Route for an outbound proxy, or "". */
  readonly proxy: string
  readonly callId: string
  readonly cseq: number
  /** Null until the phone rings. */
  readonly dialog: Pick<Dialog, "to" | "contact" | "routes"> | null
}

/** The lines of an INVITE without its dialog; the last one is the number of the dialog's lines. */
const LINES = 11

/** Writes an INVITE, with the dialog that a ringing phone has made. */
export const encode = (invite: Invite, dialog: Dialog | null = null): string => {
  const { callId, cseq, from, route, uri } = invite
  const { endpoint, proxy, sentBy, trunk } = route
  const { address, port, protocol } = endpoint
  const fields = `${trunk}\n${protocol}\n${address}\n${port}\n${sentBy}\n${uri}\n${from}\n${proxy}\n${callId}\n${cseq}`
  if (dialog === null) return `${fields}\n0`
  const { contact, routes, to } = dialog
  return [fields, routes.length + 2, to, contact, ...routes].join("\n")
}

/** Joins the INVITEs of one call. */
export const join = (invites: ReadonlyArray<string>): string => invites.join("\n")

/** Reads INVITEs; dialogs that are incomplete or invalid in a header are left out. */
export const decode = (text: string): ReadonlyArray<StoredInvite> => {
  const lines = text.split("\n")
  const invites: Array<StoredInvite> = []
  while (lines.length >= LINES) {
    const invite = toInvite(lines.splice(0, LINES), lines)
    if (invite !== undefined) invites.push(invite)
  }
  return text.includes("\r") ? [] : invites
}

/** @param rest the lines after it; the lines of its dialog are removed */
const toInvite = (fields: ReadonlyArray<string>, rest: Array<string>): StoredInvite | undefined => {
  const [trunk = "", protocol, address = "", port, sentBy = "", uri = "", from = "", proxy = "", callId = ""] = fields
  const [cseq, count] = fields.slice(9).map(Number)
  const [to, contact, ...routes] = rest.splice(0, count)
  const place = { protocol: protocols.find((known) => known === protocol), address, port: Number(port) }
  if (place.protocol === undefined || isIP(address) === 0 || !(place.port > 0 && place.port <= 65_535)) return undefined
  if (!Number.isInteger(cseq) || cseq === undefined) return undefined
  const dialog = to === undefined || contact === undefined ? null : { to, contact, routes }
  return { ...place, protocol: place.protocol, trunk, sentBy, uri, from, proxy, callId, cseq, dialog }
}

const protocols: ReadonlyArray<Protocol> = ["udp", "tcp", "tls"]
