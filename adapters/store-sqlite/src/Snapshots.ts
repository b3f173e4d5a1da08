/**
 * Snapshots of a file: a read transaction on a connection of its own. Queries that need an order without an index sort
 * in temporary files.
 */
import { CODES, ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import type { Mode, Product } from "@watchword/schemas/Channel"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import { type Partitions, entryIdOf, kindOf, makePartitions, phaseOf } from "@watchword/store/sql"
import { PURGED } from "@watchword/store/Store"
import {
  type AccountRow,
  type AttemptRow,
  type EventRow,
  type Service,
  type Snapshot,
  Snapshots
} from "@watchword/store/Snapshots"
import type { StoreError } from "@watchword/store/StoreError"
import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ReadTransaction from "./ReadTransaction.ts"
import { retryBusy } from "./retryBusy.ts"

/** How many rows a stream holds. */
const PAGE = 500

const PLACE = 2 ** 40

/** The delivery of a row `e`, by its id, or by its number if there is no delivery. */
const DELIVERY = "coalesce(d.id, '#' || e.delivery)"

/** The account of a number, by its id, or the number if there is no account. */
const accountOf = (n: string): string => `coalesce((SELECT a.id FROM accounts a WHERE a.n = ${n}), '#' || ${n})`

const SQL = {
  purged: `SELECT CAST(value AS INTEGER) FROM settings WHERE account = 0 AND name = '${PURGED}'`,
  accounts: "SELECT id AS account, available, held FROM accounts ORDER BY n",
  deliveries: `SELECT id, ${accountOf(`(partition / ${2 * CODES})`)}, partition, phase, status, rank, price, due_at, details,
    watch FROM deliveries ORDER BY id`,
  entries: `SELECT ${DELIVERY} AS delivery, ${accountOf("(e.place >> 40)")}, e.place, e.given_id, e.kind, e.amount, e.at
    FROM entries e LEFT JOIN deliveries d ON d.n = e.delivery ORDER BY 1, e.place`,
  refs: `SELECT ${DELIVERY}, e.channel FROM parts e LEFT JOIN deliveries d ON d.n = e.delivery ORDER BY 1`,
  attempts: `SELECT id, details ->> '$.verification' AS verification, details ->> '$.attempt' AS attempt FROM deliveries
    WHERE details ->> '$.verification' IS NOT NULL ORDER BY 2, 1`,
  events: `SELECT id, endpoint, event ->> '$.fact.delivery' AS delivery, event ->> '$.account' AS account,
    event ->> '$.mode' AS mode, event ->> '$.fact.version' AS version
    FROM events WHERE event ->> '$.fact._tag' = 'DeliveryChanged' ORDER BY 3, 2, 6`
}

type DeliveryColumns = readonly [
  id: DeliveryId,
  account: string,
  partition: number,
  phase: number,
  status: string,
  rank: number,
  price: MicroEuros,
  dueAt: number | null,
  details: string,
  watch: string | null
]

type EntryColumns = readonly [
  delivery: string | null,
  account: string,
  place: number,
  givenId: string | null,
  kind: number,
  amount: number,
  at: number
]

const make = (filename: string): Effect.Effect<Service, never, ChannelRegistry> =>
  Effect.map(ChannelRegistry, (registry) => ({
    take: Effect.gen(function* () {
      const db = yield* ReadTransaction.begin(filename)
      const running = new Set<IterableIterator<unknown>>()
      yield* Effect.addFinalizer(() => Effect.sync(() => end(running)))
      return snapshotOf(queryOn(db, running), makePartitions(registry))
    })
  }))

type Query = <Columns, Row>(text: string, decode: (columns: Columns) => Row) => Stream.Stream<Row, StoreError>

const snapshotOf = (rows: Query, { channelIn, channelOf, modeIn }: Partitions): Snapshot => ({
  purgedBefore: Effect.map(
    Stream.runHead(rows(SQL.purged, ([before]: [number]) => before)),
    Option.getOrElse(() => 0)
  ),
  accounts: rows(SQL.accounts, ([account, available, held]: [string, number, number]): AccountRow => ({
    account,
    available,
    held
  })),
  deliveries: rows(
    SQL.deliveries,
    ([id, account, partition, phase, name, rank, price, dueAt, details, watch]: DeliveryColumns) => ({
      id,
      account,
      mode: modeIn(partition),
      channel: channelIn(partition),
      phase: phaseOf(phase),
      status: { name, rank },
      price,
      dueAt,
      details: JSON.parse(details),
      watch: watch === null ? null : JSON.parse(watch)
    })
  ),
  entries: rows(SQL.entries, ([delivery, account, place, givenId, kind, amount, at]: EntryColumns) => ({
    id: givenId ?? entryIdOf(Math.floor(place / PLACE), place % PLACE, at),
    account,
    delivery,
    kind: kindOf(kind),
    amount,
    at
  })),
  refs: rows(SQL.refs, ([delivery, channel]: [string, number]): { delivery: string; channel: Product } => ({
    delivery,
    channel: channelOf(channel)
  })),
  attempts: rows(SQL.attempts, ([id, verification, attempt]: [string, string, number]): AttemptRow => ({
    id,
    verification,
    attempt
  })),
  events: rows(
    SQL.events,
    ([id, endpoint, delivery, account, mode, version]: [string, string, string, string, Mode, number]): EventRow => ({
      id,
      endpoint,
      delivery,
      account,
      mode,
      version
    })
  )
})

const end = (running: Iterable<IterableIterator<unknown>>): void => {
  for (const each of running) each.return?.()
}

const queryOn =
  (db: Database, running: Set<IterableIterator<unknown>>): Query =>
  <Columns, Row>(text: string, decode: (columns: Columns) => Row) =>
    Stream.unwrap(
      Effect.sync(() => {
        const rows = db.prepare<[], Columns>(text).raw().iterate()
        running.add(rows)
        return Stream.paginate(null, () =>
          retryBusy(() => {
            const page: Array<Row> = []
            while (page.length < PAGE) {
              const next = rows.next()
              if (next.done === true) return [page, Option.none<null>()] as const
              page.push(decode(next.value))
            }
            return [page, Option.some(null)] as const
          })
        )
      })
    )

/** Snapshots of a file that exists. They see what has been answered, also while a server works on the file. */
export const layer = (filename: string): Layer.Layer<Snapshots, never, ChannelRegistry> =>
  Layer.effect(Snapshots, make(filename))
