/**
 * What a step needs to know, read at one moment as one JSON text. The step that follows writes only if the
 * same question still has the same answer: then it is as if both had happened at once.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { Details } from "@watchword/store/Delivery"
import type { AboutMessage, Report } from "@watchword/store/Store"
import { channelCode, channelIn } from "@watchword/store-sql/Partitions"
import type { Statement, Value } from "./Connection.ts"
import { DELIVERIES, RECORD, type Row, type Stored, decode } from "./Records.ts"

/** Whom a step is about: a record, and what waits for its refs; or whoever one of the refs belongs to. */
export interface Question {
  readonly id: DeliveryId | null
  /** Null where the record tells it. */
  readonly channel: Product | null
  readonly refs: ReadonlyArray<string>
  readonly message: AboutMessage
}

/** A part of a delivery under the name that it was first known by. */
export interface Part {
  readonly delivery: DeliveryId
  readonly name: string
}

/** A report about a part, before anyone knows whose part that is. */
export interface ParkedReport extends Report {
  readonly target: Extract<Report["target"], { readonly _tag: "Part" }>
}

export interface Parked {
  readonly n: number
  readonly report: ParkedReport
}

export interface Facts {
  readonly deliveries: ReadonlyArray<Stored>
  readonly parts: ReadonlyArray<readonly [ref: string, part: Part]>
  /** Which part has reported which status. */
  readonly said: ReadonlyArray<readonly [delivery: DeliveryId, status: string, part: string]>
  readonly parked: ReadonlyArray<Parked>
}

/**
 * ?1 id, ?2 channel, ?3 refs, ?4 number, ?5 reference.
 *
 * Deliveries that may be meant are the one that is named, those that the refs belong to, and those that are
 * open to the number with the reference. What is parked under the refs of a named one counts with them.
 */
const FACTS = `
WITH asked AS (SELECT coalesce(?2, (SELECT drawer & 7 FROM deliveries WHERE id = ?1)) AS channel),
waiting AS (
  SELECT DISTINCT r.parked AS n
  FROM asked CROSS JOIN json_each(?3) w CROSS JOIN parked_refs r ON r.channel = asked.channel AND r.ref = w.value
  WHERE ?1 IS NOT NULL
),
names AS (
  SELECT value AS ref FROM json_each(?3)
  UNION SELECT w.value FROM waiting JOIN parked USING (n) CROSS JOIN json_each(parked.refs) w
),
known AS (
  SELECT p.ref, p.delivery, p.name
  FROM asked CROSS JOIN names CROSS JOIN parts p ON p.channel = asked.channel AND p.ref = names.ref
),
meant AS (
  SELECT ?1 AS id WHERE ?1 IS NOT NULL
  UNION SELECT delivery FROM known
  UNION SELECT o.id FROM asked CROSS JOIN deliveries o
    ON o.reference = ?5 AND o.recipient = ?4 AND o.phase < 2 AND o.drawer & 7 = asked.channel
  UNION SELECT o.id FROM waiting JOIN parked k USING (n) CROSS JOIN deliveries o
    ON o.reference = k.reference AND o.recipient = k.recipient AND o.phase < 2 AND o.drawer & 7 = k.channel
)
SELECT json_array(
  json((SELECT json_group_array(${RECORD} ORDER BY d.id) FROM ${DELIVERIES} WHERE d.id IN (SELECT id FROM meant))),
  json((SELECT json_group_array(json_array(ref, delivery, name) ORDER BY ref) FROM known)),
  json((SELECT json_group_array(json_array(delivery, status, part) ORDER BY delivery, status, part)
    FROM part_reports WHERE delivery IN (SELECT id FROM meant))),
  json((SELECT json_group_array(json_array(n, channel, refs, recipient, reference, status, rank, json(conditions),
    json(details), every_part, refund, at) ORDER BY n) FROM waiting JOIN parked USING (n)))
)`

type FactRows = readonly [
  deliveries: ReadonlyArray<Row>,
  parts: ReadonlyArray<readonly [ref: string, delivery: DeliveryId, name: string]>,
  said: Facts["said"],
  parked: ReadonlyArray<ParkedRow>
]

type ParkedRow = readonly [
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

/** Reads the facts, as a text that {@link parse} understands. */
export const read = (question: Question): Statement => ({
  sql: `SELECT (${FACTS}) AS facts`,
  values: valuesOf(question)
})

/** Breaks off the step unless the facts are still the same: the table takes no such row, see schema.ts. */
export const unlessMoved = (question: Question, facts: string): Statement => ({
  sql: `INSERT INTO readings SELECT 1 WHERE (${FACTS}) IS NOT ?6`,
  values: [...valuesOf(question), facts]
})

const valuesOf = ({ channel, id, message, refs }: Question): ReadonlyArray<Value> => [
  id,
  channel === null ? null : channelCode(channel),
  JSON.stringify(refs),
  message.to,
  message.reference
]

/** The facts about a record as it was written, where nothing is known or waits under its new refs. */
export const alone = (record: string): string => `[[${record}],[],[],[]]`

export const parse = (text: string): Facts => {
  const [deliveries, parts, said, parked]: FactRows = JSON.parse(text)
  return {
    deliveries: deliveries.map(decode),
    parts: parts.map(([ref, delivery, name]) => [ref, { delivery, name }]),
    said,
    parked: parked.map(decodeParked)
  }
}

const decodeParked = ([
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
]: ParkedRow): Parked => ({
  n,
  report: {
    target: { _tag: "Part", channel: channelIn(channel), refs: JSON.parse(refs), message: { to, reference } },
    status: status === null ? null : { name: status, rank },
    when,
    details,
    everyPart: everyPart === 1,
    refund: refund === 1,
    at
  }
})
