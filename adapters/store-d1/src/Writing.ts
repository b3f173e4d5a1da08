/**
 * The changes of a step as statements. They rely on the facts being what the step was taken on.
 */
import type { Delivery } from "@watchword/store/Delivery"
import * as Postings from "@watchword/store/Postings"
import type { EntryKind } from "@watchword/store/Account"
import { bucketOf } from "@watchword/store-sql/Buckets"
import { kindCode, phaseCode } from "@watchword/store-sql/Codes"
import { accountIn, channelCode, listedAt } from "@watchword/store-sql/Partitions"
import type { Statement } from "./Connection.ts"
import type { Parked, ParkedReport } from "./Reading.ts"
import { type Stored, encodeDetails } from "./Records.ts"
import type { Changes, Posting } from "./World.ts"

/** Statements for all changes; none when there are none. */
export const write = (changes: Changes, token: number): ReadonlyArray<Statement> => [
  ...changes.records.map(([, after]) => updateRecord(after, token)),
  ...counted(changes.records),
  ...changes.postings.flatMap(post),
  ...(changes.parts.length > 0 ? [nameParts(changes.parts)] : []),
  ...(changes.said.length > 0 ? [noteSaid(changes.said)] : []),
  ...changes.complete.map(forgetSaid),
  ...changes.parked.flatMap(park),
  ...changes.unparked.flatMap(unpark)
]

const updateRecord = ({ delivery }: Stored, token: number): Statement => ({
  sql: `UPDATE deliveries SET phase = ?1, status = ?2, rank = ?3, status_at = ?4, details = ?5, token = ?6
    WHERE id = ?7`,
  values: [
    phaseCode(delivery.phase),
    delivery.status.name,
    delivery.status.rank,
    delivery.statusAt,
    encodeDetails(delivery.details),
    token,
    delivery.id
  ]
})

/** Counts records anew whose status has moved. */
const counted = (records: Changes["records"]): ReadonlyArray<Statement> =>
  records.flatMap(([before, after]) => {
    if (before.delivery.status === after.delivery.status) return []
    const place = (delivery: Delivery) => [before.drawer, bucketOf(listedAt(delivery)), delivery.status.name] as const
    return [
      {
        sql: "UPDATE counts SET n = n - 1 WHERE drawer = ?1 AND bucket = ?2 AND status = ?3",
        values: place(before.delivery)
      },
      {
        sql: `INSERT INTO counts (drawer, bucket, status, n) VALUES (?1, ?2, ?3, 1)
          ON CONFLICT (drawer, bucket, status) DO UPDATE SET n = n + 1`,
        values: place(after.delivery)
      },
      {
        sql: "DELETE FROM counts WHERE drawer = ?1 AND bucket = ?2 AND status = ?3 AND n = 0",
        values: place(before.delivery)
      }
    ]
  })

/** Moves money that is there, and writes the entry. */
const post = ({ at, delivery, drawer, kind }: Posting): ReadonlyArray<Statement> => {
  const account = accountIn(drawer)
  return [
    {
      sql: `UPDATE accounts SET available = available + ?1, held = held + ?2, entries = entries + 1 WHERE n = ?3`,
      values: [effectOn("available", kind) * delivery.price, effectOn("held", kind) * delivery.price, account]
    },
    {
      sql: `INSERT INTO entries (account, n, credit, delivery, kind, amount, at)
        SELECT n, entries, NULL, ?1, ?2, ?3, ?4 FROM accounts WHERE n = ?5`,
      values: [delivery.id, kindCode(kind), delivery.price, at, account]
    }
  ]
}

/** Which way a kind of entry moves one of an account's two figures: 1 up, -1 down, 0 not at all. */
export const effectOn = (place: "available" | "held", kind: EntryKind): number => {
  const { from, to } = Postings.direction[kind]
  return place === to ? 1 : place === from ? -1 : 0
}

const nameParts = (parts: Changes["parts"]): Statement => ({
  sql: `INSERT INTO parts (channel, ref, delivery, name)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?1) WHERE true
    ON CONFLICT (channel, ref) DO UPDATE SET delivery = excluded.delivery, name = excluded.name`,
  values: [
    JSON.stringify(parts.map(([channel, ref, { delivery, name }]) => [channelCode(channel), ref, delivery, name]))
  ]
})

const noteSaid = (said: Changes["said"]): Statement => ({
  sql: `INSERT INTO part_reports (delivery, status, part)
    SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?1)`,
  values: [JSON.stringify(said)]
})

const forgetSaid = ([delivery, status]: Changes["complete"][number]): Statement => ({
  sql: "DELETE FROM part_reports WHERE delivery = ?1 AND status = ?2",
  values: [delivery, status]
})

const park = ({ at, details, everyPart, refund, status, target, when }: ParkedReport): ReadonlyArray<Statement> => [
  {
    sql: `INSERT INTO parked
        (channel, refs, recipient, reference, status, rank, conditions, details, every_part, refund, at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)`,
    values: [
      channelCode(target.channel),
      JSON.stringify(target.refs),
      target.message.to,
      target.message.reference,
      status?.name ?? null,
      status?.rank ?? 0,
      encodeDetails(when),
      encodeDetails(details),
      everyPart ? 1 : 0,
      refund ? 1 : 0,
      at
    ]
  },
  {
    sql: `INSERT INTO parked_refs (channel, ref, parked)
      SELECT DISTINCT ?1, value, (SELECT max(n) FROM parked) FROM json_each(?2)`,
    values: [channelCode(target.channel), JSON.stringify(target.refs)]
  }
]

const unpark = ({ n, report: { target } }: Parked): ReadonlyArray<Statement> => [
  { sql: "DELETE FROM parked WHERE n = ?1", values: [n] },
  {
    sql: "DELETE FROM parked_refs WHERE channel = ?1 AND ref IN (SELECT value FROM json_each(?2)) AND parked = ?3",
    values: [channelCode(target.channel), JSON.stringify(target.refs), n]
  }
]
