/**
 * The rows of deliveries, and the conversion between rows and records.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { DeliveryId, ProcessId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Delivery, Details, Watched } from "@watchword/store/Delivery"
import type { Service } from "@watchword/store/Store"
import type { Database, Statement } from "better-sqlite3"
import type { AccountNumbers } from "./AccountNumbers.ts"
import {
  FINE_WIDTH,
  type Partitions,
  WEEK,
  bucketOf,
  isReferable,
  modeCode,
  partitionsAndWeeks,
  phaseCode,
  phaseOf
} from "@watchword/store/sql"
import type { Processes } from "./Processes.ts"

/** A record, its row and its partition. */
export interface Stored {
  readonly n: number
  readonly partition: number
  readonly delivery: Delivery
}

export const COLUMNS =
  "n, id, partition, recipient, sender, phase, status, rank, price, parts, named, reference, created_at, status_at, due_at, details, watch"

export type Row = readonly [
  n: number,
  id: DeliveryId,
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
  details: string,
  watch: string | null
]

export type Deliveries = ReturnType<typeof make>

/** Whether the owner of a delivery has no lease. */
const ABANDONED = "owner NOT IN (SELECT p.n FROM processes p WHERE p.until > @now)"

export const make = (db: Database, accounts: AccountNumbers, processes: Processes, partitions: Partitions) => {
  const { accountIn, channelIn, codeOf, listedAt, modeIn } = partitions
  const selectById = db.prepare<[DeliveryId], Row>(`SELECT ${COLUMNS} FROM deliveries WHERE id = ?`).raw()
  const selectReferred = db
    .prepare<[number, string, number], Row>(
      `SELECT ${COLUMNS} FROM deliveries
       WHERE reference = ? AND recipient = ? AND ${isReferable()} AND partition & 255 = ?`
    )
    .raw()
  const selectUnresolved = db
    .prepare<[{ phase: number; before: number; now: number | null; limit: number }], Row>(
      `SELECT ${COLUMNS} FROM deliveries
       WHERE phase = +@phase AND phase < 2 AND created_at < @before AND (@now IS NULL OR ${ABANDONED})
       ORDER BY created_at, id LIMIT +@limit`
    )
    .raw()
  // Few records have such a status: `fine_counts` shows which buckets contain them.
  const selectAbandoned = db
    .prepare<
      [
        {
          status: string
          channel: number
          mode: number | null
          bucket: number
          from: number
          before: number
          now: number
          limit: number
        }
      ],
      Row
    >(
      `SELECT ${COLUMNS} FROM
         (SELECT partition AS p, bucket AS b FROM fine_counts
          WHERE status = @status AND partition & 255 = @channel AND (@mode IS NULL OR partition >> 8 & 1 = @mode)
            AND bucket >= @bucket)
       CROSS JOIN deliveries
       WHERE partition = p AND listed_at BETWEEN b * ${FINE_WIDTH} AND (b + 1) * ${FINE_WIDTH} - 1
         AND listed_at >= @from AND created_at >= @from AND created_at < @before
         AND status = @status AND ${ABANDONED}
       ORDER BY created_at, id LIMIT +@limit`
    )
    .raw()
  const selectDue = db
    .prepare<[{ channel: number; now: number; limit: number }], Row>(
      `SELECT ${COLUMNS} FROM deliveries
       WHERE partition & 255 = +@channel AND due_at <= +@now ORDER BY due_at, id LIMIT +@limit`
    )
    .raw()
  const selectTo = db
    .prepare<[{ to: string; since: number; until: number; first: number; last: number; limit: number }], Row>(
      `${partitionsAndWeeks("@first", "@last")}
       SELECT ${COLUMNS} FROM places CROSS JOIN deliveries
       WHERE partition = place AND week = place_week AND recipient = @to AND created_at >= @since AND status_at <= @until
       ORDER BY created_at DESC, id DESC LIMIT +@limit`
    )
    .raw()
  const insertRow = db.prepare(
    `INSERT INTO deliveries
       (id, partition, recipient, sender, phase, status, rank, price, parts, named, reference, created_at, status_at, due_at, details, watch, owner, week)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  )
  const updates: Array<Statement<Array<string | number | null>>> = []
  const updateOf = (changed: number) =>
    (updates[changed] ??= db.prepare(
      `UPDATE deliveries SET ${CHANGES.filter((_, index) => (changed & (1 << index)) !== 0).join(", ")} WHERE n = ?`
    ))

  const decode = (row: Row): Stored => {
    const [n, id, partition, to, from, phase, status, rank, price, parts, named, ...rest] = row
    const [reference, createdAt, statusAt, dueAt, details, watch] = rest
    return {
      n,
      partition,
      delivery: {
        id,
        account: accounts.idOf(accountIn(partition)),
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
        details: decodeDetails(details),
        watch: watch === null ? null : decodeWatch(watch)
      }
    }
  }

  const byId = (id: DeliveryId): Stored | undefined => {
    const row = selectById.get(id)
    return row === undefined ? undefined : decode(row)
  }

  /** The referable deliveries with a number and a reference. */
  const referable = (channel: Product, to: string, reference: number): ReadonlyArray<Stored> =>
    selectReferred.all(reference, to, codeOf(channel)).map(decode)

  /** @param now null for all, whether or not their owners have a lease */
  const unresolved = (
    phase: "pending" | "unknown",
    before: number,
    now: number | null,
    limit: number
  ): ReadonlyArray<Delivery> =>
    selectUnresolved.all({ phase: phaseCode(phase), before, now, limit }).map((row) => decode(row).delivery)

  const abandoned = (query: Parameters<Service["abandoned"]>[0], now: number): ReadonlyArray<Delivery> => {
    const { channel, createdBefore: before, createdFrom: from, limit, mode, status } = query
    const bucket = bucketOf(from, FINE_WIDTH)
    const of = { status, channel: codeOf(channel), mode: mode === null ? null : modeCode(mode) }
    return selectAbandoned.all({ ...of, bucket, from, before, now, limit }).map((row) => decode(row).delivery)
  }

  const due = (channel: Product, now: number, limit: number): ReadonlyArray<Delivery> =>
    selectDue.all({ channel: codeOf(channel), now, limit }).map((row) => decode(row).delivery)

  const to = (query: Parameters<Service["deliveriesTo"]>[0]): ReadonlyArray<Delivery> =>
    selectTo
      .all({ ...query, first: bucketOf(query.since, WEEK), last: bucketOf(query.until, WEEK) })
      .map((row) => decode(row).delivery)

  const insert = (partition: number, delivery: Delivery, owner: ProcessId): Stored => {
    const { createdAt, details, dueAt, from, id, named, parts, phase, price, reference, status } = delivery
    const { statusAt, to, watch } = delivery
    const { lastInsertRowid } = insertRow.run(
      id,
      partition,
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
      JSON.stringify(details),
      watch === null ? null : JSON.stringify(watch),
      processes.numberOf(owner),
      bucketOf(listedAt(delivery), WEEK)
    )
    return { n: Number(lastInsertRowid), partition, delivery }
  }

  /** Writes only the fields that a step has changed: each index on a field costs as much as the row. */
  const update = ({ delivery: before, n }: Stored, after: Delivery): void => {
    const { details, dueAt, named, phase, status, statusAt, watch } = after
    const week = bucketOf(listedAt(after), WEEK)
    const values: Array<string | number | null> = []
    let changed = 0
    if (phase !== before.phase) changed |= put(values, 0, phaseCode(phase))
    if (named !== before.named) changed |= put(values, 1, named)
    if (status !== before.status) changed |= put(values, 2, status.name, status.rank, statusAt)
    if (details !== before.details) changed |= put(values, 3, JSON.stringify(details))
    if (watch !== before.watch) changed |= put(values, 4, JSON.stringify(watch))
    if (dueAt !== before.dueAt) changed |= put(values, 5, dueAt)
    if (week !== bucketOf(listedAt(before), WEEK)) changed |= put(values, 6, week)
    if (changed !== 0) updateOf(changed).run(...values, n)
  }

  return { decode, byId, referable, unresolved, abandoned, due, to, insert, update }
}

/** The columns that steps change; the bits of the changed columns select the statement. */
const CHANGES = [
  "phase = ?",
  "named = ?",
  "status = ?, rank = ?, status_at = ?",
  "details = ?",
  "watch = ?",
  "due_at = ?",
  "week = ?"
]

/** Adds the values of a change, and returns its bit. */
const put = (values: Array<string | number | null>, index: number, ...those: typeof values): number => {
  for (const value of those) values.push(value)
  return 1 << index
}

/** Details as the database stores them: a JSON object. */
export const decodeDetails = (json: string): Details => JSON.parse(json)

const decodeWatch = (json: string): Watched => JSON.parse(json)
