/**
 * The facts that steps are decided on, as the function `look_up` answers them.
 */
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Details } from "@watchword/store/Delivery"
import type { Lookup, Unmatched } from "@watchword/store/step"
import { type Partitions, modeCode } from "@watchword/store/sql"
import type { Row } from "./Rows.ts"

export interface Facts {
  readonly accounts: ReadonlyArray<
    readonly [id: AccountId, available: MicroEuros, held: MicroEuros, suspended: boolean]
  >
  readonly deliveries: ReadonlyArray<Row>
  readonly claims: ReadonlyArray<ClaimRow>
  readonly parts: ReadonlyArray<readonly [channel: number, ref: string, delivery: DeliveryId, name: string | null]>
  readonly reported: ReadonlyArray<readonly [delivery: DeliveryId, status: string, part: string]>
  /** Oldest first. */
  readonly unmatched: ReadonlyArray<UnmatchedRow>
  /** Unmatched reports, those among them, that wait for any ref which the steps may name. */
  readonly waiting: ReadonlyArray<number>
  /** The refs that have a placeholder for the transaction. */
  readonly refs: ReadonlyArray<readonly [channel: number, ref: string]>
}

type ClaimRow = readonly [
  account: AccountId,
  mode: number,
  key: string,
  delivery: DeliveryId,
  fingerprint: string,
  heldUntil: number,
  expiresAt: number
]

export type UnmatchedRow = readonly [
  n: number,
  channel: number,
  refs: ReadonlyArray<string>,
  to: string | null,
  reference: number | null,
  status: string | null,
  rank: number | null,
  when: Details,
  details: Details,
  everyPart: boolean,
  refund: boolean,
  at: number
]

/** A lookup as `look_up` takes it. */
export const encodeLookup = (
  { codeOf }: Partitions,
  { channel, id, keys, message, refs, tenant }: Lookup
): Readonly<Record<string, unknown>> => ({
  id,
  account: tenant && tenant.account,
  mode: tenant && modeCode(tenant.mode),
  keys,
  channel: channel && codeOf(channel),
  refs,
  recipient: message.to,
  reference: message.reference
})

export const decodeUnmatched = ({ channelOf }: Partitions, row: UnmatchedRow): Unmatched => {
  const [n, channel, refs, to, reference, status, rank, when, details, everyPart, refund, at] = row
  const report = {
    target: { _tag: "Part" as const, channel: channelOf(channel), refs, message: { to, reference } },
    status: status === null ? null : { name: status, rank: rank ?? 0 },
    when,
    details,
    everyPart,
    refund,
    at
  }
  return { n, report }
}
