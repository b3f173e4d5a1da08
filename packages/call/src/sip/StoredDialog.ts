/**
 * What a later process needs to end a call: the words of each INVITE that may still live, as text.
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
  route: Schema.String,
  branch: Schema.String,
  callId: Schema.String,
  cseq: Schema.Int,
  /** Only once the phone rings. */
  dialog: Schema.optionalKey(
    Schema.Struct({ to: Schema.String, contact: Schema.String, routes: Schema.Array(Schema.String) })
  )
})
export type StoredInvite = typeof StoredInvite.Type

const Stored = Schema.fromJsonString(Schema.Array(StoredInvite))
const decode = Schema.decodeUnknownOption(Stored)

/** An INVITE as it is stored before it leaves; up to its last brace, so that something can follow. */
export const store = (invite: Invite): string => {
  const { uri, from, to, branch, callId } = invite
  if (isPlain(`${uri}${from}${to}${branch}${callId}`)) return written(invite)
  return written({
    ...invite,
    uri: escaped(uri),
    from: escaped(from),
    to: escaped(to),
    branch: escaped(branch),
    callId: escaped(callId)
  })
}

const written = ({ way, uri, from, to, branch, callId, cseq }: Invite): string =>
  `${way.stored},"uri":"${uri}","from":"${from}","to":"${to}","branch":"${branch}","callId":"${callId}","cseq":${cseq}`

/** The same once the phone rings. */
export const withDialog = (stored: string, { contact, routes, to }: Dialog): string => {
  const isAsItIs = isPlain(to) && isPlain(contact)
  const fields = isAsItIs
    ? `"to":"${to}","contact":"${contact}"`
    : `"to":"${escaped(to)}","contact":"${escaped(contact)}"`
  return `${stored},"dialog":{${fields},"routes":${routes.length === 0 ? "[]" : JSON.stringify(routes)}}`
}

/** Whether it is in JSON what it is here, as nearly always; JSON's own writer takes longer to find out. */
const isPlain = (text: string): boolean => !/[^ !#-[\]-~]/.test(text)

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/** All INVITEs of a call that may still live. */
export const all = (stored: ReadonlyArray<string>): string =>
  stored.length === 1 ? `[${stored[0]}}]` : `[${stored.map((each) => `${each}}`).join(",")}]`

/** What was stored, as far as it makes sense and can stand in a header. */
export const read = (text: string): ReadonlyArray<StoredInvite> =>
  Option.getOrElse(decode(text), () => []).filter((invite) => isPlace(invite) && !hasLineBreak(invite))

const isPlace = ({ address, port }: StoredInvite): boolean => isIP(address) !== 0 && port > 0 && port <= 65_535

const hasLineBreak = ({ dialog, ...fields }: StoredInvite): boolean =>
  [...Object.values(fields), ...(dialog === undefined ? [] : [dialog.to, dialog.contact, ...dialog.routes])].some(
    (value) => /[\r\n]/.test(String(value))
  )
