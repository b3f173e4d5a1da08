/**
 * Records as the database writes them out: one JSON array a record, so that a step can later ask whether it
 * still reads the same.
 */
import type { Scalar } from "@watchword/pagination/Query"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Delivery, Details } from "@watchword/store/Delivery"
import { phaseOf } from "@watchword/store-sql/Codes"
import { channelIn, modeIn } from "@watchword/store-sql/Partitions"

/** A record, and the token of the step that wrote it last. */
export interface Stored {
  readonly token: number
  readonly delivery: Delivery
}

/** A record of `d`, whose account is `a`. */
export const RECORD = `json_array(d.id, a.id, d.drawer, d.recipient, d.sender, d.phase, d.status, d.rank, d.price,
  d.parts, d.reference, d.created_at, d.status_at, json(d.details), d.token)`

/** What {@link RECORD} is taken from. */
export const DELIVERIES = "deliveries d CROSS JOIN accounts a ON a.n = d.drawer / 16"

export type Row = readonly [
  id: DeliveryId,
  account: AccountId,
  drawer: number,
  recipient: string,
  sender: string | null,
  phase: number,
  status: string,
  rank: number,
  price: MicroEuros,
  parts: number,
  reference: number | null,
  createdAt: number,
  statusAt: number,
  details: Readonly<Record<string, Scalar>>,
  token: number
]

export const decode = (row: Row): Stored => {
  const [id, account, drawer, to, from, phase, status, rank, price, parts, reference, createdAt, statusAt, , token] =
    row
  return {
    token,
    delivery: {
      id,
      account,
      mode: modeIn(drawer),
      channel: channelIn(drawer),
      to,
      from,
      phase: phaseOf(phase),
      status: { name: status, rank },
      price,
      parts,
      reference,
      createdAt,
      statusAt,
      details: row[13]
    }
  }
}

export const parse = (record: string): Stored => decode(JSON.parse(record))

/** Details as the database has them: a JSON object. */
export const encodeDetails = (details: Details): string => JSON.stringify(details)
