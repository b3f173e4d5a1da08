/**
 * The changes of a step as statements. They are valid only if the facts that the step was decided on still hold.
 */
import { type EntryKind, directionOf } from "@watchword/store/Account"
import type { Delivery } from "@watchword/store/Delivery"
import type { Changes, NamedPart, NewRecord, PartReport, PartStatus, Posting, Unmatched } from "@watchword/store/step"
import { type Partitions, bucketOf, heldUntilCode, kindCode, modeCode, phaseCode } from "@watchword/store/sql"
import type { Statement } from "./Connection.ts"
import { append } from "./Events.ts"
import { encodeDetails, encodeWatch } from "./Records.ts"

/** Statements for all changes of a step, which writes its token to the records that it changes. */
export const statements = (partitions: Partitions, changes: Changes, token: number): ReadonlyArray<Statement> => [
  ...changes.opened.flatMap((opened) => open(partitions, opened, token)),
  ...changes.updated.flatMap((update) => [updateRecord(update.after, token), ...moveCount(partitions, update)]),
  ...changes.postings.flatMap(post),
  ...(changes.parts.length > 0 ? [nameParts(partitions, changes.parts)] : []),
  ...(changes.reported.length > 0 ? [insertReported(changes.reported)] : []),
  ...changes.complete.map(deleteReported),
  ...(changes.unmatched === null ? [] : keep(partitions, changes.unmatched)),
  ...changes.replayed.flatMap((report) => remove(partitions, report)),
  ...(changes.events.length > 0 ? [append(changes.events)] : [])
]

const open = (partitions: Partitions, opened: NewRecord, token: number): ReadonlyArray<Statement> => {
  const { claims, delivery, owner } = opened
  const { account, channel, createdAt, details, from, id, mode, named, parts, phase, price, reference, status } =
    delivery
  const { dueAt, statusAt, to, watch } = delivery
  return [
    {
      sql: `INSERT INTO deliveries (id, partition, recipient, sender, phase, status, rank, price, parts, named,
          reference, created_at, status_at, due_at, details, watch, owner, token)
        SELECT ?1, n * 512 + ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18
        FROM accounts WHERE id = ?19`,
      values: [
        id,
        modeCode(mode) * 256 + partitions.codeOf(channel),
        to,
        from,
        phaseCode(phase),
        status.name,
        status.rank,
        price,
        parts,
        named,
        reference,
        createdAt,
        statusAt,
        dueAt,
        encodeDetails(details),
        encodeWatch(watch),
        owner,
        token,
        account
      ]
    },
    count(partitions, delivery),
    ...(claims.length === 0 ? [] : [takeClaims(delivery, claims)])
  ]
}

const takeClaims = ({ account, id, mode }: Delivery, claims: NewRecord["claims"]): Statement => ({
  sql: `INSERT INTO claims (tenant, key, delivery, fingerprint, held_until, expires_at)
    SELECT a.n * 2 + ?1, w.value ->> 0, ?2, w.value ->> 1, w.value ->> 2, w.value ->> 3
    FROM accounts a CROSS JOIN json_each(?3) w WHERE a.id = ?4
    ON CONFLICT (tenant, key) DO UPDATE SET delivery = excluded.delivery, fingerprint = excluded.fingerprint,
      held_until = excluded.held_until, expires_at = excluded.expires_at`,
  values: [
    modeCode(mode),
    id,
    JSON.stringify(
      claims.map(({ expiresAt, fingerprint, heldUntil, key }) => [
        key,
        fingerprint,
        heldUntilCode(heldUntil),
        expiresAt
      ])
    ),
    account
  ]
})

const updateRecord = (delivery: Delivery, token: number): Statement => ({
  sql: `UPDATE deliveries SET phase = ?1, status = ?2, rank = ?3, status_at = ?4, details = ?5, named = ?6, due_at = ?7, watch = ?8,
      token = ?9
    WHERE id = ?10`,
  values: [
    phaseCode(delivery.phase),
    delivery.status.name,
    delivery.status.rank,
    delivery.statusAt,
    encodeDetails(delivery.details),
    delivery.named,
    delivery.dueAt,
    encodeWatch(delivery.watch),
    token,
    delivery.id
  ]
})

/** Counts a record in its eight-hour bucket and its status. */
const count = ({ listedAt }: Partitions, delivery: Delivery): Statement => ({
  sql: `INSERT INTO counts (partition, bucket, status, n) SELECT partition, ?2, ?3, 1 FROM deliveries WHERE id = ?1
    ON CONFLICT (partition, bucket, status) DO UPDATE SET n = n + 1`,
  values: [delivery.id, bucketOf(listedAt(delivery)), delivery.status.name]
})

const moveCount = (partitions: Partitions, { after, before }: Changes["updated"][number]): ReadonlyArray<Statement> => {
  if (before.status === after.status) return []
  const place = [before.id, bucketOf(partitions.listedAt(before)), before.status.name]
  const at = "partition = (SELECT partition FROM deliveries WHERE id = ?1) AND bucket = ?2 AND status = ?3"
  return [
    { sql: `UPDATE counts SET n = n - 1 WHERE ${at}`, values: place },
    count(partitions, after),
    { sql: `DELETE FROM counts WHERE ${at} AND n = 0`, values: place }
  ]
}

/** Moves money, and writes the ledger entry. */
const post = ({ at, delivery: { account, id, price }, kind }: Posting): ReadonlyArray<Statement> => [
  {
    sql: "UPDATE accounts SET available = available + ?1, held = held + ?2, entries = entries + 1 WHERE id = ?3",
    values: [effectOn("available", kind) * price, effectOn("held", kind) * price, account]
  },
  {
    sql: `INSERT INTO entries (account, n, delivery, kind, amount, at)
      SELECT n, entries, ?1, ?2, ?3, ?4 FROM accounts WHERE id = ?5`,
    values: [id, kindCode(kind), price, at, account]
  }
]

/** The direction in which a kind of entry moves one of an account's two figures: 1 up, -1 down, 0 not at all. */
const effectOn = (place: "available" | "held", kind: EntryKind): number => {
  const { from, to } = directionOf[kind]
  return place === to ? 1 : place === from ? -1 : 0
}

const nameParts = ({ codeOf }: Partitions, parts: ReadonlyArray<NamedPart>): Statement => ({
  sql: `INSERT INTO parts (channel, ref, delivery, name)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?1) WHERE true
    ON CONFLICT (channel, ref) DO UPDATE SET delivery = excluded.delivery, name = excluded.name`,
  values: [JSON.stringify(parts.map(({ channel, delivery, name, ref }) => [codeOf(channel), ref, delivery, name]))]
})

const insertReported = (reported: ReadonlyArray<PartStatus>): Statement => ({
  sql: `INSERT INTO part_reports (delivery, status, part)
    SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?1)`,
  values: [JSON.stringify(reported.map(({ delivery, part, status }) => [delivery, status, part]))]
})

const deleteReported = ({ delivery, status }: Changes["complete"][number]): Statement => ({
  sql: "DELETE FROM part_reports WHERE delivery = ?1 AND status = ?2",
  values: [delivery, status]
})

const keep = (
  { codeOf }: Partitions,
  { at, details, everyPart, refund, status, target, when }: PartReport
): ReadonlyArray<Statement> => [
  {
    sql: `INSERT INTO unmatched_reports
        (channel, refs, recipient, reference, status, rank, conditions, details, every_part, refund, at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)`,
    values: [
      codeOf(target.channel),
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
    sql: `INSERT INTO unmatched_refs (channel, ref, report)
      SELECT DISTINCT ?1, value, (SELECT max(n) FROM unmatched_reports) FROM json_each(?2)`,
    values: [codeOf(target.channel), JSON.stringify(target.refs)]
  }
]

const remove = ({ codeOf }: Partitions, { n, report: { target } }: Unmatched): ReadonlyArray<Statement> => [
  { sql: "DELETE FROM unmatched_reports WHERE n = ?1", values: [n] },
  {
    sql: "DELETE FROM unmatched_refs WHERE channel = ?1 AND ref IN (SELECT value FROM json_each(?2)) AND report = ?3",
    values: [codeOf(target.channel), JSON.stringify(target.refs), n]
  }
]
