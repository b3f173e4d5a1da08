/**
 * Records in the form that the database returns: one JSON array each, so that a step can compare them with those it
 * read.
 */
import type { Scalar } from "@watchword/pagination/Fields"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Delivery, Details, Watched } from "@watchword/store/Delivery"
import { type Partitions, phaseOf } from "@watchword/store/sql"

/** A record, and the token of the step that last wrote it. */
export interface Stored {
  readonly token: number
  readonly delivery: Delivery
}

/** A record of `d`, whose account is `a`. */
export const RECORD = `json_array(d.id, a.id, d.partition, d.recipient, d.sender, d.phase, d.status, d.rank, d.price,
  d.parts, d.named, d.reference, d.created_at, d.status_at, d.due_at, json(d.details), json(d.watch), d.token)`

/** The tables that {@link RECORD} reads. */
export const DELIVERIES = "deliveries d CROSS JOIN accounts a ON a.n = d.partition / 512"

export type Row = readonly [
  id: DeliveryId,
  account: AccountId,
  partition: number,
  recipient: string,
  sender: string | null,
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
  details: Readonly<Record<string, Scalar>>,
  watch: Watched | null,
  token: number
]

export const decode = ({ channelIn, modeIn }: Partitions, row: Row): Stored => {
  const [id, account, partition, to, from, phase, status, rank, price, parts, named, ...rest] = row
  const [reference, createdAt, statusAt, dueAt, details, watch, token] = rest
  return {
    token,
    delivery: {
      id,
      account,
      mode: modeIn(partition),
      channel: channelIn(partition),
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
}

export const parse = (partitions: Partitions, record: string): Delivery =>
  decode(partitions, JSON.parse(record)).delivery

/** Details as the database stores them: a JSON object. */
export const encodeDetails = (details: Details): string => JSON.stringify(details)

export const encodeWatch = (watch: Watched | null): string | null => (watch === null ? null : JSON.stringify(watch))
