/**
 * The store on PostgreSQL, through node-postgres, for any number of processes at once.
 *
 * Every verb is one round trip. Steps of sends that wait at the same time go as one call of a function (see
 * Batches.ts and sql/batch.ts); what may have happened when a connection was lost is repeated with the same
 * identifiers.
 */
import { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { type Manifest, type Service, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Partitions from "@watchword/store-sql/Partitions"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import * as Accounts from "./Accounts.ts"
import * as Address from "./Address.ts"
import * as Batches from "./Batches.ts"
import * as Connections from "./Connections.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Entries from "./Entries.ts"
import * as Lists from "./Lists.ts"
import { migrate, quote } from "./migrate.ts"
import * as Sends from "./Sends.ts"
import * as Signals from "./Signals.ts"
import * as Steps from "./Steps.ts"

export interface Options {
  /** Where the database is; {@link Address.parse} says how it is written. */
  readonly url: string | Redacted.Redacted<string>
  /** The schema that everything is kept in, made when there is none. `watchword` unless given. */
  readonly schema?: string
  /** The most connections, besides the one that listens. 10 unless given, 3 at least. */
  readonly connections?: number
  /** The most steps in one call. 512 unless given; 1 lets each step go by itself. */
  readonly batch?: number
  /** The most steps that wait for a call; one more fails at once. 10,000 unless given. */
  readonly waiting?: number
  /**
   * The longest that a list may take, in milliseconds: 10,000 unless given. A list that takes longer fails with the
   * reason `TimeLimit`. Lists with an index never come near it.
   */
  readonly listTimeLimit?: number
  /** The most lists that wait for a connection; one more fails at once. 32 unless given. */
  readonly waitingLists?: number
  /**
   * Where signals are listened to, when `url` leads to a pooler of transactions: the server itself. The same as
   * `url` unless given.
   */
  readonly direct?: string | Redacted.Redacted<string>
}

export const manifest: Manifest = { name: "postgres", durable: true, shared: true, cluster: true }

/** How many claims, and reports, one step forgets. */
const SWEEP = 1_000

/** Opens the database, or fails with a `StoreError` that says why it cannot be used. */
export const make: (options: Options) => Effect.Effect<Service, StoreError, Scope> = Effect.fnUntraced(
  function* (options) {
    const {
      batch = 512,
      connections: most = 10,
      schema = "watchword",
      listTimeLimit = 10_000,
      waiting = 10_000,
      waitingLists = 32
    } = options
    const config = yield* configOf(options.url)
    const direct = options.direct === undefined ? config : yield* configOf(options.direct)
    const s = quote(schema)
    yield* migrate(config, schema)
    const connections = yield* Connections.make(config, { connections: most, listTimeLimit, waitingLists })
    const { ask } = connections
    const { signal, signals } = yield* Signals.make(connections, direct, schema)

    const registry = yield* ChannelRegistry
    const partitions = Partitions.make(registry)
    const sends = Sends.make(partitions)
    const { drain, submit } = Batches.make({
      limit: batch,
      waiting,
      plain: Steps.plain(s, connections),
      rest: Steps.rest(s, connections, partitions)
    })
    yield* Effect.addFinalizer(() => Effect.promise(drain))

    const sweep = Effect.fnUntraced(function* (before: { readonly at: number; readonly unmatchedBefore: number }) {
      let forgotten = SWEEP
      while (forgotten >= SWEEP) {
        const rows = yield* ask(`SELECT ${s}.sweep($1, $2, $3)`, [before.at, before.unmatchedBefore, SWEEP])
        forgotten = Number(rows[0]?.[0])
      }
    })

    return Store.of({
      manifest,
      ping: Effect.asVoid(ask(`SELECT FROM ${s}.accounts LIMIT 1`, [])),

      ...Accounts.make(connections, s),
      entries: (page) => {
        const { text, values } = Entries.queryOf(s, page)
        return Effect.map(ask<Entries.EntryRow>(text, values), (rows) => Entries.entriesOf(page.account, rows))
      },

      open: (request) => submit(sends.open(request)),
      close: (request) => submit(sends.close(request)),
      report: (request) => submit(sends.report(request)),

      ...Deliveries.make(connections, s, partitions),
      list: Lists.make(connections, s, registry, partitions),

      signal,
      signals,
      sweep
    })
  }
)

const configOf = (url: string | Redacted.Redacted<string>) =>
  Effect.map(Effect.fromResult(Address.parse(Redacted.isRedacted(url) ? Redacted.value(url) : url)), (address) =>
    Connections.configOf(address, "watchword")
  )

/** The store in a database. */
export const layer = (options: Options): Layer.Layer<Store, StoreError> => Layer.effect(Store, make(options))

/**
 * The store in a database, whose schema is made when there is none.
 *
 * @example
 * ```ts no_run
 * import { Store } from "@watchword/store/Store"
 * import { postgres } from "@watchword/store-postgres"
 * import * as Effect from "effect/Effect"
 *
 * const program = Store.use((store) => store.accounts)
 * program.pipe(Effect.provide(postgres("postgres://watchword:secret@db.example.com/otp?sslmode=verify-full")))
 * ```
 */
export const postgres = (url: Options["url"], options: Omit<Options, "url"> = {}): Layer.Layer<Store, StoreError> =>
  layer({ ...options, url })
