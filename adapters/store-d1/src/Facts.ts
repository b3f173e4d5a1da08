/**
 * The facts of a step, read at one moment as one JSON text. The step writes only if the same lookup still reads the
 * same text (an optimistic lock).
 */
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import { type Details, PART_OF } from "@watchword/store/Delivery"
import { balanceOf } from "@watchword/store/Account"
import type { Facts as StepFacts, Lookup, PartStatus, Unmatched } from "@watchword/store/step"
import { type Partitions, heldUntilOf, isReferable, modeCode } from "@watchword/store/sql"
import type { Statement, Value } from "./Connection.ts"
import * as Records from "./Records.ts"
import { DELIVERIES, RECORD, type Row } from "./Records.ts"

export interface Facts extends StepFacts {
  /** The tokens of the steps that last wrote the deliveries. */
  readonly tokens: ReadonlySet<number>
}

/**
 * `?1` id, `?2` channel, `?3` refs, `?4` number, `?5` reference, `?6` account, `?7` mode, `?8` keys of claims, `?9`
 * threshold of a low balance, `?10` price.
 */
const TABLES = `
WITH asked AS (SELECT coalesce(?2, (SELECT partition & 255 FROM deliveries WHERE id = ?1)) AS channel),
waiting AS (
  SELECT DISTINCT r.report AS n
  FROM asked CROSS JOIN json_each(?3) w CROSS JOIN unmatched_refs r ON r.channel = asked.channel AND r.ref = w.value
  WHERE ?1 IS NOT NULL
),
names AS (
  SELECT value AS ref FROM json_each(?3)
  UNION SELECT w.value FROM waiting JOIN unmatched_reports u USING (n) CROSS JOIN json_each(u.refs) w
),
known AS (
  SELECT p.ref, p.delivery, p.name
  FROM asked CROSS JOIN names CROSS JOIN parts p ON p.channel = asked.channel AND p.ref = names.ref
),
held AS (
  SELECT c.key, c.fingerprint, c.held_until, c.expires_at, c.delivery
  FROM accounts a CROSS JOIN json_each(?8) w CROSS JOIN claims c ON c.tenant = a.n * 2 + ?7 AND c.key = w.value
  WHERE a.id = ?6
),
named AS (
  SELECT ?1 AS id WHERE ?1 IS NOT NULL
  UNION SELECT delivery FROM known
  UNION SELECT delivery FROM held
  UNION SELECT o.id FROM asked CROSS JOIN deliveries o
    ON o.reference = ?5 AND o.recipient = ?4 AND ${isReferable("o.")} AND o.partition & 255 = asked.channel
  UNION SELECT o.id FROM waiting JOIN unmatched_reports u USING (n) CROSS JOIN deliveries o
    ON o.reference = u.reference AND o.recipient = u.recipient AND ${isReferable("o.")} AND o.partition & 255 = u.channel
),
meant AS (
  SELECT id FROM named
  UNION SELECT d.details ->> '${PART_OF}' FROM named CROSS JOIN deliveries d USING (id) WHERE d.details ->> '${PART_OF}' IS NOT NULL
)`

const FACTS = `json_array(
  json((SELECT json_group_array(${RECORD} ORDER BY d.id) FROM ${DELIVERIES} WHERE d.id IN (SELECT id FROM meant))),
  json((SELECT json_group_array(json_array(ref, delivery, name) ORDER BY ref) FROM known)),
  json((SELECT json_group_array(json_array(key, fingerprint, held_until, expires_at, delivery) ORDER BY key)
    FROM held)),
  json((SELECT json_group_array(json_array(delivery, status, part) ORDER BY delivery, status, part)
    FROM part_reports WHERE delivery IN (SELECT id FROM meant))),
  json((SELECT json_group_array(json_array(n, channel, refs, recipient, reference, status, rank, json(conditions),
    json(details), every_part, refund, at) ORDER BY n) FROM waiting JOIN unmatched_reports USING (n))),
  (SELECT json_array(suspended_at IS NOT NULL, available >= ?9, available - ?10 >= ?9) FROM accounts WHERE id = ?6)
)`

/**
 * Balances are only compared with the threshold: the constraints of `accounts` abort a step that would take more money
 * than an account has.
 */
const ACCOUNTS = `(SELECT json_group_array(json_array(id, available, held, suspended_at IS NOT NULL)) FROM accounts
  WHERE id = ?6 OR n IN (SELECT partition / 512 FROM deliveries WHERE id IN (SELECT id FROM meant)))`

/** The facts of a lookup, and its accounts, as JSON. */
export interface Texts {
  readonly facts: string
  readonly accounts: string
}

type FactRows = readonly [
  deliveries: ReadonlyArray<Row>,
  parts: ReadonlyArray<readonly [ref: string, delivery: DeliveryId, name: string]>,
  claims: ReadonlyArray<
    readonly [key: string, fingerprint: string, heldUntil: number, expiresAt: number, delivery: DeliveryId]
  >,
  reported: ReadonlyArray<readonly [delivery: DeliveryId, status: string, part: string]>,
  unmatched: ReadonlyArray<UnmatchedRow>,
  account: string | null
]

type AccountRows = ReadonlyArray<readonly [id: AccountId, available: MicroEuros, held: MicroEuros, suspended: number]>

type UnmatchedRow = readonly [
  n: number,
  channel: number,
  refs: string,
  to: string | null,
  reference: number | null,
  status: string | null,
  rank: number,
  conditions: Details,
  details: Details,
  everyPart: number,
  refund: number,
  at: number
]

/** Statements that read and compare facts, and a decoder from {@link Texts} to facts. */
export const make = (partitions: Partitions) => {
  const { channelOf, codeOf } = partitions

  /** Reads {@link Texts}. */
  const select = (lookup: Lookup): Statement => ({
    sql: `${TABLES} SELECT ${FACTS} AS facts, ${ACCOUNTS} AS accounts`,
    values: valuesOf(lookup)
  })

  /** Aborts the step unless the facts are unchanged: the table rejects this row, see schema.ts. */
  const ifUnchanged = (lookup: Lookup, { facts }: Texts): Statement => ({
    sql: `INSERT INTO conflicts (changed) SELECT 1 WHERE (${TABLES} SELECT ${FACTS}) IS NOT ?11`,
    values: [...valuesOf(lookup), facts]
  })

  const valuesOf = ({ channel, id, keys, low, message, refs, tenant }: Lookup): ReadonlyArray<Value> => [
    id,
    channel === null ? null : codeOf(channel),
    JSON.stringify(refs),
    message.to,
    message.reference,
    tenant?.account ?? null,
    tenant === null ? null : modeCode(tenant.mode),
    JSON.stringify(keys),
    low?.threshold ?? null,
    low?.price ?? null
  ]

  const decode = (texts: Texts): Facts => {
    const [deliveries, parts, claims, reported, unmatched]: FactRows = JSON.parse(texts.facts)
    const accounts: AccountRows = JSON.parse(texts.accounts)
    const records = deliveries.map((row) => Records.decode(partitions, row))
    return {
      accounts: accounts.map(([id, available, held, suspended]) => [
        id,
        { balance: balanceOf(available, held), suspended: suspended === 1 }
      ]),
      deliveries: records.map(({ delivery }) => delivery),
      tokens: new Set(records.map(({ token }) => token)),
      parts: parts.map(([ref, delivery, name]) => [ref, { delivery, name }]),
      claims: claims.map(([key, fingerprint, heldUntil, expiresAt, delivery]) => ({
        key,
        fingerprint,
        heldUntil: heldUntilOf(heldUntil),
        expiresAt,
        delivery
      })),
      reported: reported.map(([delivery, status, part]): PartStatus => ({ delivery, status, part })),
      unmatched: unmatched.map(decodeUnmatched)
    }
  }

  const decodeUnmatched = ([
    n,
    channel,
    refs,
    to,
    reference,
    status,
    rank,
    when,
    details,
    everyPart,
    refund,
    at
  ]: UnmatchedRow): Unmatched => ({
    n,
    report: {
      target: { _tag: "Part", channel: channelOf(channel), refs: JSON.parse(refs), message: { to, reference } },
      status: status === null ? null : { name: status, rank },
      when,
      details,
      everyPart: everyPart === 1,
      refund: refund === 1,
      at
    }
  })

  return { select, ifUnchanged, decode }
}
