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

/** An INVITE as it is stored before it leaves. */
export const store = ({ way, uri, from, to, branch, callId, cseq }: Invite): string =>
  `${way.stored},"uri":${quoted(uri)},"from":${quoted(from)},"to":${quoted(to)},"branch":${quoted(branch)},` +
  `"callId":${quoted(callId)},"cseq":${cseq}}`

/** The same once the phone rings. */
export const withDialog = (stored: string, { contact, routes, to }: Dialog): string =>
  `${stored.slice(0, -1)},"dialog":{"to":${quoted(to)},"contact":${quoted(contact)},"routes":${listed(routes)}}}`

/** A string as JSON has it. Hardly any needs more than its quotes. */
const quoted = (text: string): string => (NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`)

const NEEDS_ESCAPE = /[^ !#-[\]-~]/

const listed = (texts: ReadonlyArray<string>): string => (texts.length === 0 ? "[]" : JSON.stringify(texts))

/** All INVITEs of a call that may still live. */
export const all = (stored: ReadonlyArray<string>): string => `[${stored.join(",")}]`

/** What was stored, as far as it makes sense and can stand in a header. */
export const read = (text: string): ReadonlyArray<StoredInvite> =>
  Option.getOrElse(decode(text), () => []).filter((invite) => isPlace(invite) && !hasLineBreak(invite))

const isPlace = ({ address, port }: StoredInvite): boolean => isIP(address) !== 0 && port > 0 && port <= 65_535

const hasLineBreak = ({ dialog, ...fields }: StoredInvite): boolean =>
  [...Object.values(fields), ...(dialog === undefined ? [] : [dialog.to, dialog.contact, ...dialog.routes])].some(
    (value) => /[\r\n]/.test(String(value))
  )
