/**
 * Snapshots of a schema: a REPEATABLE READ transaction on a connection of its own, which reads by cursors.
 */
import { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import type { Mode } from "@watchword/schemas/Channel"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Details, Watched } from "@watchword/store/Delivery"
import { PURGED } from "@watchword/store/Store"
import { type Service, type Snapshot, Snapshots } from "@watchword/store/Snapshots"
import type { StoreError } from "@watchword/store/StoreError"
import { type Partitions, entryIdOf, kindOf, makePartitions, modeOf, phaseOf } from "@watchword/store/sql"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Client } from "pg"
import { failWith } from "./Connections.ts"
import { failed } from "./failures.ts"
import * as Hosts from "./Hosts.ts"
import { quote } from "./quote.ts"

/** How many rows a stream holds. */
const PAGE = 500

/** The account of a number, by its id, or the number if there is no account. */
const accountOf = (s: string, n: string): string =>
  `coalesce((SELECT a.id FROM ${s}.accounts a WHERE a.n = ${n}), '#' || ${n})`

const sql = (s: string) => ({
  purged: `SELECT value::bigint FROM ${s}.settings WHERE account = 0 AND name = '${PURGED}'`,
  accounts: `SELECT id, available, held FROM ${s}.accounts ORDER BY n`,
  deliveries: `SELECT id, ${accountOf(s, "account")}, mode, channel, phase, status, rank, price, due_at, details, watch
    FROM ${s}.deliveries ORDER BY id`,
  entries: `SELECT delivery, ${accountOf(s, "account")}, account, n, given_id, kind, amount, at
    FROM ${s}.entries ORDER BY delivery NULLS FIRST, n`,
  refs: `SELECT delivery, channel FROM ${s}.parts WHERE delivery IS NOT NULL ORDER BY delivery`,
  attempts: `SELECT id, details ->> 'verification', (details ->> 'attempt')::integer FROM ${s}.deliveries
    WHERE details ->> 'verification' IS NOT NULL ORDER BY (details ->> 'verification') COLLATE "C", id`,
  events: `SELECT e.id, e.endpoint, f.delivery, f.account, f.mode, f.version FROM ${s}.events e CROSS JOIN LATERAL (
      SELECT (j.event #>> '{fact,delivery}') COLLATE "C" AS delivery, j.event ->> 'account' AS account,
        j.event ->> 'mode' AS mode, (j.event #>> '{fact,version}')::integer AS version
      FROM (SELECT e.event::json AS event) j WHERE j.event #>> '{fact,_tag}' = 'DeliveryChanged'
    ) f ORDER BY f.delivery, e.endpoint, f.version`
})

type DeliveryColumns = [
  id: DeliveryId,
  account: string,
  mode: number,
  channel: number,
  phase: number,
  status: string,
  rank: number,
  price: MicroEuros,
  dueAt: number | null,
  details: Details,
  watch: Watched | null
]

type EntryColumns = [
  delivery: string | null,
  account: string,
  owner: number,
  n: number,
  givenId: string | null,
  kind: number,
  amount: number,
  at: number
]

const make = (config: Hosts.Config, schema: string): Effect.Effect<Service, never, ChannelRegistry> =>
  Effect.map(ChannelRegistry, (registry) => ({
    take: Effect.map(
      Effect.acquireRelease(begin(config), (client) => Effect.promise(() => client.end().catch(() => {}))),
      (client) => snapshotOf(cursorsOn(client), sql(quote(schema)), makePartitions(registry))
    )
  }))

type Query = <Columns extends Array<unknown>, Row>(
  text: string,
  decode: (columns: Columns) => Row
) => Stream.Stream<Row, StoreError>

const snapshotOf = (rows: Query, texts: ReturnType<typeof sql>, { channelOf }: Partitions): Snapshot => ({
  purgedBefore: Effect.map(
    Stream.runHead(rows(texts.purged, ([before]: [number]) => before)),
    Option.getOrElse(() => 0)
  ),
  accounts: rows(texts.accounts, ([account, available, held]: [string, number, number]) => ({
    account,
    available,
    held
  })),
  deliveries: rows(
    texts.deliveries,
    ([id, account, mode, channel, phase, name, rank, price, dueAt, details, watch]: DeliveryColumns) => ({
      id,
      account,
      mode: modeOf(mode),
      channel: channelOf(channel),
      phase: phaseOf(phase),
      status: { name, rank },
      price,
      dueAt,
      details,
      watch
    })
  ),
  entries: rows(texts.entries, ([delivery, account, owner, n, givenId, kind, amount, at]: EntryColumns) => ({
    id: givenId ?? entryIdOf(owner, n, at),
    account,
    delivery,
    kind: kindOf(kind),
    amount,
    at
  })),
  refs: rows(texts.refs, ([delivery, channel]: [string, number]) => ({ delivery, channel: channelOf(channel) })),
  attempts: rows(texts.attempts, ([id, verification, attempt]: [string, string, number]) => ({
    id,
    verification,
    attempt
  })),
  events: rows(
    texts.events,
    ([id, endpoint, delivery, account, mode, version]: [string, string, string, string, Mode, number]) => ({
      id,
      endpoint,
      delivery,
      account,
      mode,
      version
    })
  )
})

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, StoreError> =>
  Effect.tryPromise({ try: run, catch: (error) => error }).pipe(Effect.catch(failWith))

const begin = (config: Hosts.Config): Effect.Effect<Client, StoreError> =>
  attempt(async () => {
    // The first page of a cursor may have to wait until its rows are sorted.
    const client = await Hosts.connect({ ...config, query_timeout: 0 })
    try {
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      // The first query after that decides which moment the transaction sees.
      await client.query("SELECT pg_current_snapshot()")
      return client
    } catch (error) {
      await client.end().catch(() => {})
      throw failed(error)
    }
  })

const cursorsOn = (client: Client): Query => {
  let cursors = 0
  return <Columns extends Array<unknown>, Row>(text: string, decode: (columns: Columns) => Row) =>
    Stream.unwrap(
      Effect.suspend(() => {
        const name = `rows_${++cursors}`
        const fetch = attempt(() =>
          client.query<Columns>({ text: `FETCH ${PAGE} FROM ${name}`, rowMode: "array" }).catch((error: unknown) => {
            throw failed(error)
          })
        )
        const declare = attempt(() =>
          client.query(`DECLARE ${name} NO SCROLL CURSOR FOR ${text}`).catch((error: unknown) => {
            throw failed(error)
          })
        )
        const page = Effect.map(
          fetch,
          ({ rows }) => [rows.map(decode), rows.length < PAGE ? Option.none<null>() : Option.some(null)] as const
        )
        return Effect.as(
          declare,
          Stream.paginate(null, () => page)
        )
      })
    )
}

/** Snapshots of a schema that exists. */
export const layer = (config: Hosts.Config, schema: string): Layer.Layer<Snapshots, never, ChannelRegistry> =>
  Layer.effect(Snapshots, make(config, schema))
