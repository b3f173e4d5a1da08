/**
 * The newest deliveries of all accounts, and counts of them.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import { idsOf, isSparse } from "@watchword/store/Listing"
import { NewestSql, type Partitions, type Segment, modeCode, modeOf, reading, segments } from "@watchword/store/sql"
import type { Newest, Service } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { type Bind, all, binding, predicate } from "./Conditions.ts"
import type { Connections } from "./Connections.ts"
import { type Row, decoder } from "./Rows.ts"
import * as Sparse from "./Sparse.ts"
import { record } from "./sql/shape.ts"
import { partitions as places } from "./sql/tables.ts"

export const make = (
  connections: Connections,
  s: string,
  partitions: Partitions
): Pick<Service, "newestDeliveries" | "countDeliveries"> => {
  const { channelOf, codeOf } = partitions
  const sparse = Sparse.make(connections, s, partitions)
  const { ask, look } = connections
  const decode = decoder(partitions)

  /** The id of the last record that a query looks at. */
  const reachOf = (query: Newest) => {
    const { end, first } = idsOf(query)
    return Effect.map(
      ask<[id: DeliveryId]>(
        `SELECT id FROM ${s}.deliveries WHERE id >= $1 AND id < $2 ORDER BY id DESC LIMIT 1 OFFSET $3`,
        [first, end, query.reach - 1]
      ),
      ([row]) => row?.[0]
    )
  }

  const met = (bind: Bind, { account, channels, mode, where }: Newest): string =>
    all([
      `d.channel = ANY (${bind(channels.map(codeOf))}::smallint[])`,
      ...(mode === null ? [] : [`d.mode = ${modeCode(mode)}`]),
      ...(account === null ? [] : [`d.account = (SELECT n FROM ${s}.accounts WHERE id = ${bind(account)})`]),
      ...where.map((condition) => predicate(bind, condition))
    ])

  /** The records of a query's page behind that one. */
  const walked = (query: Newest, last: DeliveryId | undefined) => {
    const { bind, values } = binding()
    const { end, first } = idsOf(query)
    // The ids lead to the records: an index of an account may have more of them.
    const text = `SELECT ${record("d", "a.id")} FROM (
        SELECT d.* FROM (
          SELECT * FROM ${s}.deliveries WHERE id >= ${bind(last ?? first)} AND id < ${bind(end)} ORDER BY id DESC OFFSET 0
        ) d WHERE ${met(bind, query)} ORDER BY d.id DESC LIMIT ${bind(query.limit)}::bigint
      ) d JOIN ${s}.accounts a ON a.n = d.account ORDER BY d.id DESC`
    return Effect.map(look<[record: Row]>(text, values), (rows) => rows.map(([row]) => row))
  }

  return {
    newestDeliveries: Effect.fnUntraced(function* (query) {
      const last = yield* reachOf(query)
      const found = yield* walked(query, last)
      const all = last !== undefined && isSparse(query, found.length) ? yield* sparse(query) : null
      const rows = yield* reading(() => (all ?? found).map(decode))
      return { rows, next: NewestSql.nextOf(query, rows, all === null ? last : undefined) }
    }),

    countDeliveries: ({ products, since, until }) => {
      const { bind, values } = binding()
      const wanted = bind(products.map(({ name }) => codeOf(name)))
      const parts = segments(since, until - 1).map((segment) => countIn(s, bind, segment))
      if (parts.length === 0) return Effect.succeed([])
      return Effect.map(
        look<[mode: number, channel: number, status: string, n: number]>(
          `WITH RECURSIVE ${places(s)}, wanted AS MATERIALIZED (
             SELECT * FROM places WHERE channel = ANY (${wanted}::smallint[])
           )
           SELECT mode, channel, status, sum(n)::bigint FROM (${parts.join(" UNION ALL ")}) c
           GROUP BY 1, 2, 3 HAVING sum(n) > 0`,
          values
        ),
        (rows) =>
          rows.map(([mode, channel, status, count]) => ({
            mode: modeOf(mode),
            channel: channelOf(channel),
            status,
            count
          }))
      )
    }
  }
}

const countIn = (s: string, bind: Bind, { first, last, width }: Segment): string => {
  const between = `BETWEEN ${bind(first)}::bigint AND ${bind(last)}::bigint`
  const of = "account = w.account AND mode = w.mode AND channel = w.channel"
  const rows =
    width === 1
      ? // The order is that of the index with the status.
        `SELECT status, count(*) AS n FROM (
          SELECT status FROM ${s}.deliveries WHERE ${of} AND listed_at ${between} ORDER BY listed_at, id OFFSET 0
        ) d GROUP BY 1`
      : `SELECT status, sum(n) AS n FROM ${s}.counts WHERE ${of} AND width = ${width} AND bucket ${between} GROUP BY 1`
  return `SELECT w.mode, w.channel, f.status, f.n FROM wanted w CROSS JOIN LATERAL (${rows} OFFSET 0) f`
}
