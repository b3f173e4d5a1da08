/**
 * Records of all accounts where few meet the conditions, however many others lie between them: the counts of an
 * account, or of a rare status, lead to them.
 */
import { idsOf, statusesOf } from "@watchword/store/Listing"
import { FINE_WIDTH, type Partitions, WIDTH, bucketOf, modeCode } from "@watchword/store/sql"
import type { Newest } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { type Bind, all, binding, predicate } from "./Conditions.ts"
import type { Connections } from "./Connections.ts"
import type { Row } from "./Rows.ts"
import { record } from "./sql/shape.ts"
import { partitions as places } from "./sql/tables.ts"

/** The most records that are read, and the most entries of an index that are looked at for them. */
const FEW = 1_000
const LOOKED_AT = 20_000

/** Buckets of eight minutes in one of eight hours. */
const FINE = WIDTH / FINE_WIDTH

const SAME = "t.account = p.account AND t.mode = p.mode AND t.channel = p.channel"

/** @returns the records of a query's page; null if many records may meet its conditions */
export const make = (
  { look }: Connections,
  s: string,
  { codeOf }: Partitions
): ((query: Newest) => Effect.Effect<ReadonlyArray<Row> | null, StoreError>) => {
  /**
   * Counts of records that may meet the conditions, as `looked`: each has a record at least, so that a few are enough.
   */
  const looked = (bind: Bind, query: Newest): string => {
    const { account, channels, mode, since } = query
    const of = (table: string) =>
      all([
        `${table}.channel = ANY (${bind(channels.map(codeOf))}::smallint[])`,
        ...(mode === null ? [] : [`${table}.mode = ${modeCode(mode)}`])
      ])
    const owned = account === null ? "TRUE" : `account = (SELECT n FROM ${s}.accounts WHERE id = ${bind(account)})`
    const counted = `width = ${WIDTH} AND bucket >= ${bind(bucketOf(since))}::bigint`
    if (statusesOf(query) !== null) {
      return `WITH looked AS MATERIALIZED (
        SELECT * FROM ${s}.counts t WHERE ${all([counted, owned, of("t"), inStatus(bind, query)])} LIMIT ${FEW + 1}
      )`
    }
    return `WITH RECURSIVE ${places(s, owned)}, looked AS MATERIALIZED (
      SELECT f.* FROM places p CROSS JOIN LATERAL (
        SELECT * FROM ${s}.counts t WHERE ${SAME} AND ${counted} ORDER BY bucket, status OFFSET 0
      ) f WHERE ${of("p")} LIMIT ${FEW + 1}
    )`
  }

  /** The same with the buckets of eight minutes that have a status of the query, as `fine`. */
  const fine = (bind: Bind, query: Newest): string =>
    `${looked(bind, query)}, cells AS MATERIALIZED (
      SELECT DISTINCT account, mode, channel, bucket FROM looked
    ), fine AS MATERIALIZED (
      SELECT DISTINCT f.account, f.mode, f.channel, f.bucket FROM cells p CROSS JOIN LATERAL (
        SELECT * FROM ${s}.counts t WHERE ${SAME} AND t.width = ${FINE_WIDTH}
          AND t.bucket BETWEEN p.bucket * ${FINE} AND p.bucket * ${FINE} + ${FINE - 1} AND ${inStatus(bind, query)} OFFSET 0
      ) f
    )`

  const isFew = (write: (bind: Bind) => string, most: number) => {
    const { bind, values } = binding()
    return Effect.map(look<[size: number]>(write(bind), values), ([row]) => (row?.[0] ?? 0) <= most)
  }

  return Effect.fnUntraced(function* (query) {
    const records = (bind: Bind): string => `${looked(bind, query)} SELECT coalesce(sum(n), 0)::bigint FROM looked`
    if (!(yield* isFew(records, FEW))) return null
    const entries = (bind: Bind): string =>
      `${fine(bind, query)} SELECT coalesce(sum(f.n), 0)::bigint FROM fine p CROSS JOIN LATERAL (
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
            AND ${inStatus(bind, query)} AND ${met("t")} ORDER BY t.listed_at, t.id OFFSET 0
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
