/**
 * Send steps, and queries that find, list and sweep records, or return those due. `Conditions` provides the column
 * names in lists.
 */
import type { Product } from "@watchword/schemas/Channel"
import { type DeliveryId, firstUlid } from "@watchword/schemas/Ids"
import type { Delivery } from "@watchword/store/Delivery"
import { expression, joined, predicate } from "@watchword/store/sql"
import { keptSince } from "@watchword/store/Traffic"
import * as Step from "@watchword/store/step"
import type { DeliveryStore, Found, Listing, Newest, Page, StatusCount } from "@watchword/store/Store"
import * as Option from "effect/Option"
import { apply } from "./Changes.ts"
import type { Database } from "./Database.ts"
import { snapshotOf, tenantOf } from "./Snapshot.ts"
import { NOW, transact } from "./Transaction.ts"

export const deliveriesOf = (database: Database): DeliveryStore => {
  const { all, one, run } = database
  const does = transact(database)
  const snapshot = snapshotOf(database)
  const step = <Answer>(decide: () => Step.Decision<Answer>) =>
    does(() => {
      const { answer, changes } = decide()
      apply(database, changes)
      return answer
    })
  const isAbandoned = `owner NOT IN (SELECT id FROM processes WHERE until > ${NOW})`
  return {
    open: (request) => step(() => Step.open(snapshot, request)),
    close: (request) => step(() => Step.close(snapshot, request)),
    report: (request) => step(() => Step.report(snapshot, request)),
    find: ({ account, channel, id, mode }) =>
      does(() =>
        Option.fromUndefinedOr(
          one<Delivery>(
            "SELECT record FROM deliveries WHERE id = ? AND tenant = ? AND channel = ?",
            id,
            tenantOf(account, mode),
            channel
          )
        )
      ),
    findByRef: ({ channel, ref }) =>
      does(() => {
        const part = snapshot.part(channel, ref)
        return Option.fromUndefinedOr(part && snapshot.delivery(part.delivery))
      }),
    list: (listing) => does(() => pageOf(database, listing)),
    unresolved: ({ abandoned, createdBefore, limit, phase }) =>
      does(() =>
        all<Delivery>(
          `SELECT record FROM deliveries WHERE phase = ? AND created_at < ? AND (NOT ? OR ${isAbandoned})
           ORDER BY created_at, id LIMIT ?`,
          phase,
          createdBefore,
          abandoned ? 1 : 0,
          limit
        )
      ),
    abandoned: ({ channel, createdBefore, createdFrom, limit, mode, status }) =>
      does(() =>
        all<Delivery>(
          `SELECT record FROM deliveries WHERE channel = ? AND status = ? AND ${isAbandoned}
             AND coalesce(?, record ->> '$.mode') = record ->> '$.mode' AND created_at >= ? AND created_at < ?
           ORDER BY created_at, id LIMIT ?`,
          channel,
          status,
          mode,
          createdFrom,
          createdBefore,
          limit
        )
      ),
    deliveriesTo: ({ limit, since, to, until }) =>
      does(() =>
        all<Delivery>(
          `SELECT record FROM deliveries WHERE record ->> 'to' = ? AND record ->> 'createdAt' >= ?
             AND record ->> 'statusAt' <= ? ORDER BY record ->> 'createdAt' DESC, id DESC LIMIT ?`,
          to,
          since,
          until,
          limit
        )
      ),
    newestDeliveries: (query) => does(() => newestOf(database, query)),
    countDeliveries: ({ products, since, until }) =>
      does(() =>
        products.flatMap(({ listedBy, name }) =>
          all<StatusCount>(
            `SELECT json_object('mode', record ->> 'mode', 'channel', channel, 'status', status, 'count', count(*))
             FROM deliveries WHERE channel = ? AND record ->> ? >= ? AND record ->> ? < ? GROUP BY record ->> 'mode', status`,
            name,
            listedBy,
            since,
            listedBy,
            until
          )
        )
      ),
    due: ({ channel, limit }) =>
      does(() =>
        all<Delivery>(
          `SELECT record FROM deliveries WHERE channel = ? AND due_at <= ${NOW} ORDER BY due_at, id LIMIT ?`,
          channel,
          limit
        )
      ),
    sweep: ({ at, unmatchedBefore, unmatchedLimit }) =>
      does(() => {
        run("DELETE FROM claims WHERE expires_at < ?", at)
        run(`DELETE FROM counters WHERE until <= ${NOW}`)
        run("DELETE FROM traffic WHERE hour < ?", keptSince(at))
        run("DELETE FROM unmatched WHERE at < ?", unmatchedBefore)
        const excess = all<{ readonly n: number; readonly channel: Product }>(
          `SELECT json_object('n', n, 'channel', channel) FROM (
             SELECT n, channel, row_number() OVER (PARTITION BY channel ORDER BY at DESC, n DESC) AS place FROM unmatched
           ) WHERE place > ?`,
          unmatchedLimit
        )
        const dropped = new Map<Product, number>()
        for (const { channel, n } of excess) {
          run("DELETE FROM unmatched WHERE n = ?", n)
          dropped.set(channel, (dropped.get(channel) ?? 0) + 1)
        }
        return { dropped }
      })
  }
}

const pageOf = ({ all, one }: Database, { account, channel, limit, mode, offset, sort, where }: Listing): Page => {
  const partition = { text: "tenant = ? AND channel = ?", values: [tenantOf(account, mode), channel] }
  const met = joined("AND", [partition, ...where.map(predicate)])
  const by = expression(sort.field)
  const order = sort.direction === "ASC" ? "ASC" : "DESC"
  return {
    total: one<number>(`SELECT count(*) FROM deliveries WHERE ${met.text}`, ...met.values) ?? 0,
    rows: all<Delivery>(
      `SELECT record FROM deliveries WHERE ${met.text} ORDER BY ${by.text} ${order}, id ${order} LIMIT ? OFFSET ?`,
      ...met.values,
      ...by.values,
      limit,
      offset
    )
  }
}

const newestOf = ({ all }: Database, { limit, reach, ...query }: Newest): Found => {
  const { account, before, channels, mode, since, until, where } = query
  const end = [firstUlid(until), ...(before === null ? [] : [before])].toSorted()[0] ?? ""
  const looked = "SELECT * FROM deliveries WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?"
  const met = joined("AND", [
    { text: "channel IN (SELECT value FROM json_each(?))", values: [JSON.stringify(channels)] },
    ...(account === null ? [] : [{ text: "record ->> 'account' = ?", values: [account] }]),
    ...(mode === null ? [] : [{ text: "record ->> 'mode' = ?", values: [mode] }]),
    ...where.map(predicate)
  ])
  const of = [firstUlid(since), end, reach]
  const rows = all<Delivery>(
    `SELECT record FROM (${looked}) WHERE ${met.text} ORDER BY id DESC LIMIT ?`,
    ...of,
    ...met.values,
    limit
  )
  const ids = all<DeliveryId>(`SELECT json_quote(id) FROM (${looked}) LIMIT 1 OFFSET ?`, ...of, reach - 1)
  return { rows, next: (rows.length === limit ? rows.at(-1)?.id : ids[0]) ?? null }
}
