/**
 * Fragments that the functions of the database share.
 */
import { ERASED } from "@watchword/store/Delivery"
import { FINE_WIDTH } from "@watchword/store/sql"
import { bucket, listedAt, widths } from "./tables.ts"

/**
 * The language and the planner settings of a function that is called from outside; those that it calls inherit them.
 *
 * Plans are generic: a session makes them once, while tables may still be empty, and they have to do when tables have
 * grown. So the settings make every plan join from the steps to the tables by their keys, see {@link row}. Generic
 * plans cut the 99th percentile of a small batch from 49 to 7 ms.
 */
export const ENTRY = [
  "LANGUAGE plpgsql",
  "plan_cache_mode = force_generic_plan",
  "enable_seqscan = off",
  "enable_bitmapscan = off",
  "enable_hashjoin = off",
  "enable_mergejoin = off",
  "random_page_cost = 0",
  "cpu_tuple_cost = 10",
  "cpu_index_tuple_cost = 10",
  "jit = off AS"
].join(" SET ")

/** The time of the database at the beginning of the statement, in milliseconds since the epoch. */
export const NOW = "(extract(epoch FROM statement_timestamp()) * 1000)::bigint"

/** The rows of a table that meet a condition on its key, looked up once for each row before it. */
export const row = (table: string, condition: string): string =>
  `LATERAL (SELECT * FROM ${table} t WHERE ${condition} OFFSET 0)`

/**
 * How well a delivery fits what a report says of its message: 2 exactly, 1 perhaps, 0 not. The same as
 * `fit` of `@watchword/store/step`.
 */
export const fit = (d: string, report: string, preferred: string): string => `(SELECT CASE
  WHEN ${d}.recipient <> '${ERASED}' AND right(${report}.recipient, 7) <> right(${d}.recipient, 7) THEN 0
  WHEN ${report}.reference IS NULL OR ${d}.reference IS NULL THEN 1
  WHEN ${report}.reference = ${d}.reference THEN 2
  WHEN ${preferred} THEN 1
  ELSE 0
END)`

/** Whether an unmatched report waits for one of some refs. */
export const isAwaited = (s: string, channel: string, refs: string): string =>
  `EXISTS (SELECT FROM unnest(${refs}) f(ref)
    CROSS JOIN ${row(`${s}.unmatched_refs`, `t.channel = ${channel} AND t.ref = f.ref`)} w OFFSET 0)`

/** A record as Rows.ts decodes it: the columns of a delivery `d`, and the name of its account. */
export const record = (d: string, account: string): string =>
  `json_build_array(${d}.id, ${account}, ${d}.mode, ${d}.channel, ${d}.recipient, ${d}.sender, ${d}.phase, ${d}.status,
    ${d}.rank, ${d}.price, ${d}.parts, ${d}.named, ${d}.reference, ${d}.created_at, ${d}.status_at, ${d}.due_at, ${d}.details, ${d}.watch)`

/** The columns of a delivery `d` that steps change and statistics read, see Rows.ts: how it was before a step. */
export const before = (d: string): string =>
  `json_build_array(${d}.phase, ${d}.status, ${d}.rank, ${d}.status_at, ${d}.details)`

/** Whether a delivery `d` is not watched, or is what the events of a row of the batch were decided on, see Watched.ts. */
export const isAsKnown = (step: string): string =>
  `(d.watch IS NULL OR ${step}.was = jsonb_build_array(d.id, d.phase, d.status, d.rank, d.watch -> 'version')) IS TRUE`

/** Writes the events, see sql/events.ts, of the rows of a query that meet a condition. */
export const insertEvents = (s: string, rows: string, condition = "true"): string =>
  `INSERT INTO ${s}.events (id, endpoint, state, due_at, attempts, event)
    SELECT t.events[e][1], t.events[e][2], 0, t.events[e][3]::bigint, 0, t.events[e][4]
    FROM ${rows} t CROSS JOIN generate_subscripts(t.events, 1) e WHERE ${condition}`

/**
 * By how much counts change, with what becomes of a count that is there: of the records of a query that meet a condition,
 * with the status and the place in lists that each had. Most steps leave a record in its bucket, and many its status.
 */
export const moves = (records: string, condition: string): string => {
  const listed = listedAt("channel", "status_at", "created_at")
  return `SELECT m.account, m.mode, m.channel, w.width, ${bucket("v.listed", "w.width")}, v.status, sum(v.change)
    FROM (SELECT *, ${listed} AS listed FROM ${records} WHERE ${condition}) m
    CROSS JOIN LATERAL (VALUES (m.listed_at, m.old_status, -1), (m.listed, m.status, 1)) v(listed, status, change)
    CROSS JOIN ${widths}
    WHERE m.status <> m.old_status OR ${bucket("m.listed", FINE_WIDTH)} <> ${bucket("m.listed_at", FINE_WIDTH)}
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(v.change) <> 0
    ON CONFLICT (account, mode, channel, width, bucket, status) DO UPDATE SET n = counts.n + excluded.n`
}
