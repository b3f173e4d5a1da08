/**
 * Records as the database answers them, and texts as it can hold them.
 */
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Delivery, Details, Watched } from "@watchword/store/Delivery"
import { type Partitions, modeOf, phaseOf } from "@watchword/store/sql"

/** A record as `record` in sql/shape.ts writes it. */
export type Row = readonly [
  id: DeliveryId,
  account: AccountId,
  mode: number,
  channel: number,
  to: string,
  from: string | null,
  phase: number,
  status: string,
  rank: number,
  price: MicroEuros,
  parts: number,
  named: number,
  reference: number | null,
  createdAt: number,
  statusAt: number,
  dueAt: number | null,
  details: Details,
  watch: Watched | null
]

/** Reads records with the channels of a service. */
export const decoder =
  ({ channelOf }: Partitions) =>
  (row: Row): Delivery => {
    const [id, account, mode, channel, to, from, phase, status, rank, price, parts, named, ...rest] = row
    const [reference, createdAt, statusAt, dueAt, details, watch] = rest
    return {
      id,
      account,
      mode: modeOf(mode),
      channel: channelOf(channel),
      to,
      from,
      phase: phaseOf(phase),
      status: { name: status, rank },
      price,
      parts,
      named,
      reference,
      createdAt,
      statusAt,
      dueAt,
      details,
      watch
    }
  }

/**
 * A text as PostgreSQL can hold it: U+FFFD replaces U+0000 and unpaired surrogates.
 */
export const writable = (text: string): string =>
  UNWRITABLE.test(text) ? text.toWellFormed().replaceAll("\0", "\uFFFD") : text

// oxlint-disable-next-line no-control-regex -- it looks for a control character
const UNWRITABLE = /\0|\p{Surrogate}/u

/** A value as JSON whose texts PostgreSQL can hold. */
export const json = (value: unknown): string => held(JSON.stringify(value))

/** A plain value with its texts as PostgreSQL holds them: itself, unless a text has to be replaced. */
export const stored = <A>(value: A): A => {
  const text = JSON.stringify(value)
  const own = held(text)
  return own === text ? value : JSON.parse(own)
}

const held = (text: string): string =>
  text.includes(String.raw`\u`) ? text.replaceAll(ESCAPES, (all, bad) => (bad === undefined ? all : REPLACEMENT)) : text

// Escapes are read one by one, so that an escaped backslash before a "u" is not taken for one of them.
const ESCAPES = /\\(?:(u0000|ud[89a-f][0-9a-f]{2})|[^])/g
const REPLACEMENT = String.raw`\ufffd`
