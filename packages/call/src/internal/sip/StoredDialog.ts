/**
 * The INVITEs of a call as JSON, from which a later process can build the CANCEL, ACK and BYE that end the call.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isIP } from "node:net"
import type { Dialog, Invite } from "./Invite.ts"

const StoredInvite = Schema.Struct({
  trunk: Schema.String,
  protocol: Schema.Literals(["udp", "tcp", "tls"]),
  address: Schema.String,
  port: Schema.Int,
  sentBy: Schema.String,
  uri: Schema.String,
  from: Schema.String,
  to: Schema.String,
  /** The value of Route for an outbound proxy, or "". */
  proxy: Schema.String,
  branch: Schema.String,
  callId: Schema.String,
  cseq: Schema.Int,
  /** Present once the phone rings. */
  dialog: Schema.optionalKey(
    Schema.Struct({ to: Schema.String, contact: Schema.String, routes: Schema.Array(Schema.String) })
  )
})
export type StoredInvite = typeof StoredInvite.Type

const StoredInvites = Schema.fromJsonString(Schema.Array(StoredInvite))
const decodeInvites = Schema.decodeUnknownOption(StoredInvites)

/** The fields of an INVITE that are stored, with the dialog that a ringing phone has made. */
export const storedInvite = (invite: Invite, dialog: Dialog | null): StoredInvite => {
  const { branch, callId, cseq, from, route, to, uri } = invite
  const { endpoint, proxy, sentBy, trunk } = route
  const { address, port, protocol } = endpoint
  const fields = { trunk, protocol, address, port, sentBy, uri, from, to, proxy, branch, callId, cseq }
  if (dialog === null) return fields
  return { ...fields, dialog: { to: dialog.to, contact: dialog.contact, routes: dialog.routes } }
}

/** Writes the INVITEs of one call. */
export const encode = (invites: ReadonlyArray<StoredInvite>): string => JSON.stringify(invites)

/** Reads INVITEs; those that are incomplete or cannot stand in a header are left out. */
export const decode = (text: string): ReadonlyArray<StoredInvite> =>
  Option.getOrElse(decodeInvites(text), () => []).filter((invite) => isPlace(invite) && !hasLineBreak(invite))

const isPlace = ({ address, port }: StoredInvite): boolean => isIP(address) !== 0 && port > 0 && port <= 65_535

const hasLineBreak = ({ dialog, ...fields }: StoredInvite): boolean =>
  [...Object.values(fields), ...(dialog === undefined ? [] : [dialog.to, dialog.contact, ...dialog.routes])].some(
    (value) => /[\r\n]/.test(String(value))
  )
