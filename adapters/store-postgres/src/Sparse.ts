/**
 * Records of all accounts where few meet the conditions, however many others lie between them: the counts of an account, or of
 * a rare status, lead to them.
 */
import { idsOf, statusesOf } from "@watchword/store/internal/Newest"
import { FINE_WIDTH, WIDTH, bucketOf } from "@watchword/store/internal/sql/Buckets"
import { type Partitions, modeCode } from "@watchword/store/internal/sql/Partitions"
import type { Newest } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { type Bind, all, binding, predicate } from "./Conditions.ts"
import type { Connections } from "./Connections.ts"
import type { Row } from "./Rows.ts"
import { record } from "./sql/shape.ts"
import { partitions as places } from "./sql/tables.ts"

/** The most records that are read, and the most counts, and entries of an index, that are looked at for them. */
const FEW = 1_000
const LOOKED_AT = 20_000

/** Buckets of eight minutes in one of eight hours. */
const FINE = WIDTH / FINE_WIDTH

const SAME = "t.account = p.account AND t.mode = p.mode AND t.channel = p.channel"

/** @returns the records of a query's page; null where many records may meet its conditions */
export const make = (
  { look }: Connections,
  s: string,
  { codeOf }: Partitions
): ((query: Newest) => Effect.Effect<ReadonlyArray<Row> | null, StoreError>) => {
  /** The counts of a query's partitions since its time, as `looked`. */
  const looked = (bind: Bind, { account, channels, mode, since }: Newest): string => {
    const of = `channel = ANY (${bind(channels.map(codeOf))}::smallint[])${mode === null ? "" : ` AND mode = ${modeCode(mode)}`}`
    const owned =
      account === null
        ? `${places(s)}, wanted AS MATERIALIZED (SELECT * FROM places WHERE ${of})`
        : `wanted AS MATERIALIZED (
            SELECT DISTINCT account, mode, channel FROM ${s}.counts
            WHERE account = (SELECT n FROM ${s}.accounts WHERE id = ${bind(account)}) AND ${of}
          )`
    return `WITH RECURSIVE ${owned}, looked AS MATERIALIZED (
      SELECT f.* FROM wanted p CROSS JOIN LATERAL (
        SELECT * FROM ${s}.counts t WHERE ${SAME} AND t.width = ${WIDTH} AND t.bucket >= ${bind(bucketOf(since))}::bigint OFFSET 0
      ) f LIMIT ${LOOKED_AT + 1}
    )`
  }

  /** The same with the buckets of eight minutes that have a status of the query, as `fine`. */
  const fine = (bind: Bind, query: Newest): string => {
    const status = inStatus(bind, query)
    return `${looked(bind, query)}, cells AS MATERIALIZED (
      SELECT DISTINCT account, mode, channel, bucket FROM looked t WHERE ${status}
    ), fine AS MATERIALIZED (
      SELECT DISTINCT f.account, f.mode, f.channel, f.bucket FROM cells p CROSS JOIN LATERAL (
        SELECT * FROM ${s}.counts t WHERE ${SAME} AND t.width = ${FINE_WIDTH}
          AND t.bucket BETWEEN p.bucket * ${FINE} AND p.bucket * ${FINE} + ${FINE - 1} AND ${status} OFFSET 0
      ) f
    )`
  }

  const isFew = Effect.fnUntraced(function* (write: (bind: Bind) => string, most: number) {
    const { bind, values } = binding()
    const [row] = yield* look<[counts: number, size: number]>(write(bind), values)
    const [counts, size] = row ?? [0, 0]
    return counts <= LOOKED_AT && size <= most
  })

  return Effect.fnUntraced(function* (query) {
    const sized = (bind: Bind): string =>
      `${looked(bind, query)} SELECT count(*), coalesce(sum(n) FILTER (WHERE ${inStatus(bind, query)}), 0)::bigint FROM looked t`
    if (!(yield* isFew(sized, FEW))) return null
    const entries = (bind: Bind): string =>
      `${fine(bind, query)} SELECT 0::bigint, coalesce(sum(f.n), 0)::bigint FROM fine p CROSS JOIN LATERAL (
        SELECT n FROM ${s}.counts t WHERE ${SAME} AND t.width = ${FINE_WIDTH} AND t.bucket = p.bucket OFFSET 0
      ) f`
    if (!(yield* isFew(entries, LOOKED_AT))) return null
    const { bind, values } = binding()
    const { end, first } = idsOf(query)
    const met = (table: string) => all([`${table}.id >= ${bind(first)}`, `${table}.id < ${bind(end)}`])
    const rows = yield* look<[record: Row]>(
      `${fine(bind, query)} SELECT ${record("d", "a.id")} FROM (
        SELECT d.* FROM fine p CROSS JOIN LATERAL (
          SELECT t.id FROM ${s}.deliveries t WHERE ${SAME}
            AND t.listed_at BETWEEN p.bucket::bigint * ${FINE_WIDTH} AND p.bucket::bigint * ${FINE_WIDTH} + ${FINE_WIDTH - 1}
            AND ${inStatus(bind, query)} AND ${met("t")} OFFSET 0
        ) k CROSS JOIN LATERAL (SELECT * FROM ${s}.deliveries t WHERE t.id = k.id OFFSET 0) d
        WHERE ${all(query.where.map((condition) => predicate(bind, condition)))}
        ORDER BY d.id DESC LIMIT ${bind(query.limit)}::bigint
      ) d JOIN ${s}.accounts a ON a.n = d.account ORDER BY d.id DESC`,
      values
    )
    return rows.map(([row]) => row)
  })
}

const inStatus = (bind: Bind, query: Newest): string => {
  const statuses = statusesOf(query)
  return statuses === null ? "TRUE" : `t.status = ANY (${bind(statuses)}::text[])`
}
