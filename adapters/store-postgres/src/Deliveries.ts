/**
 * Look-ups of single records, of open, abandoned and due ones, and the leases of the processes that send them.
 */
import type { ProcessId } from "@watchword/schemas/Ids"
import { type Partitions, WEEK, WIDTH, bucketOf, modeCode, phaseCode, reading } from "@watchword/store/sql"
import type { Service } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Connections } from "./Connections.ts"
import type { Values } from "./Pools.ts"
import { type Row, decoder, writable } from "./Rows.ts"
import { NOW, record } from "./sql/shape.ts"
import { bucket, partitions as places } from "./sql/tables.ts"

type Verbs = Pick<
  Service,
  "find" | "findByRef" | "unresolved" | "abandoned" | "due" | "deliveriesTo" | "renewLease" | "leases"
>

export const make = ({ ask }: Connections, s: string, partitions: Partitions): Verbs => {
  const { codeOf } = partitions
  const decode = decoder(partitions)
  const records = (text: string, values: Values) =>
    Effect.flatMap(ask<[record: Row]>(text, values), (rows) => reading(() => rows.map(([record]) => decode(record))))
  const first = (text: string, values: Values) =>
    Effect.map(records(text, values), ([delivery]) => Option.fromUndefinedOr(delivery))

  /** Whether the process that owns a delivery `d` has no lease. */
  const isAbandoned = `NOT EXISTS (SELECT FROM ${s}.processes p WHERE p.id = d.owner AND p.until > ${NOW})`

  return {
    find: ({ account, channel, id, mode }) =>
      first(
        `SELECT ${record("d", "a.id")} FROM ${s}.deliveries d JOIN ${s}.accounts a ON a.n = d.account
         WHERE d.id = $1 AND a.id = $2 AND d.mode = $3 AND d.channel = $4`,
        [id, account, modeCode(mode), codeOf(channel)]
      ),

    findByRef: ({ channel, ref }) =>
      first(
        `SELECT ${record("d", "a.id")} FROM ${s}.parts p
         JOIN ${s}.deliveries d ON d.id = p.delivery JOIN ${s}.accounts a ON a.n = d.account
         WHERE p.channel = $1 AND p.ref = $2`,
        [codeOf(channel), writable(ref)]
      ),

    unresolved: ({ abandoned, createdBefore, limit, phase }) =>
      records(
        `SELECT ${record("d", "a.id")} FROM ${s}.deliveries d JOIN ${s}.accounts a ON a.n = d.account
         WHERE d.phase = $1 AND d.phase < 2 AND d.created_at < $2 AND (NOT $3::boolean OR ${isAbandoned})
         ORDER BY d.created_at, d.id LIMIT $4`,
        [phaseCode(phase), createdBefore, abandoned, limit]
      ),

    // Such statuses have few records, and `counts` leads to them.
    abandoned: ({ channel, createdBefore, createdFrom, limit, mode, status }) =>
      records(
        `SELECT ${record("d", "a.id")} FROM ${s}.counts c
         JOIN ${s}.deliveries d
           ON d.account = c.account AND d.mode = c.mode AND d.channel = c.channel AND d.status = c.status
           AND d.listed_at BETWEEN c.bucket::bigint * ${WIDTH} AND c.bucket::bigint * ${WIDTH} + ${WIDTH - 1}
         JOIN ${s}.accounts a ON a.n = d.account
         WHERE c.status = $1 AND c.channel = $2 AND c.width = ${WIDTH} AND ($3::int IS NULL OR c.mode = $3)
           AND c.bucket >= $4 AND d.listed_at >= $5 AND d.created_at >= $5 AND d.created_at < $6 AND ${isAbandoned}
         ORDER BY d.created_at, d.id LIMIT $7`,
        [
          writable(status),
          codeOf(channel),
          mode === null ? null : modeCode(mode),
          bucketOf(createdFrom, WIDTH),
          createdFrom,
          createdBefore,
          limit
        ]
      ),

    due: ({ channel, limit }) =>
      records(
        `SELECT ${record("d", "a.id")} FROM ${s}.deliveries d JOIN ${s}.accounts a ON a.n = d.account
         WHERE d.channel = $1 AND d.due_at <= ${NOW} ORDER BY d.due_at, d.id LIMIT $2`,
        [codeOf(channel), limit]
      ),

    deliveriesTo: ({ limit, since, to, until }) =>
      records(
        `WITH RECURSIVE ${places(s)}
         SELECT ${record("d", "a.id")} FROM places p JOIN ${s}.accounts a ON a.n = p.account
         CROSS JOIN generate_series($1::bigint, $2::bigint) w(week)
         CROSS JOIN LATERAL (
           SELECT * FROM ${s}.deliveries t
           WHERE t.account = p.account AND t.mode = p.mode AND t.channel = p.channel
             AND ${bucket("t.listed_at", WEEK)} = w.week AND t.recipient = $3 OFFSET 0
         ) d
         WHERE d.created_at >= $4 AND d.status_at <= $5 ORDER BY d.created_at DESC, d.id DESC LIMIT $6`,
        [bucketOf(since, WEEK), bucketOf(until, WEEK), writable(to), since, until, limit]
      ),

    leases: Effect.map(
      ask<[process: ProcessId, until: number]>(
        `SELECT id, until FROM ${s}.processes WHERE until > ${NOW} ORDER BY id`,
        []
      ),
      (rows) => rows.map(([process, until]) => ({ process, until }))
    ),

    renewLease: ({ duration, process }): Effect.Effect<void, StoreError> =>
      Effect.asVoid(
        ask(
          `INSERT INTO ${s}.processes VALUES ($1, ${NOW} + $2::bigint)
           ON CONFLICT (id) DO UPDATE SET until = excluded.until`,
          [process, duration]
        )
      )
  }
}
