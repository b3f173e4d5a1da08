/**
 * The store on PostgreSQL, through node-postgres, for any number of processes at once.
 *
 * Steps of sends waiting at the same time go to the server as one call, see Batches.ts and Steps.ts. A step whose
 * outcome is uncertain because a connection was lost is repeated with the same ids.
 */
import type { AccountId, EntryId } from "@watchword/schemas/Ids"
import { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import type { Migrator } from "@watchword/store/Migrator"
import type { Snapshots } from "@watchword/store/Snapshots"
import { type Manifest, type Service, Store, type StoreProvider } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import { makePartitions } from "@watchword/store/sql"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import * as Accounts from "./Accounts.ts"
import * as Batches from "./Batches.ts"
import * as Connections from "./Connections.ts"
import * as Counters from "./Counters.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Entries from "./Entries.ts"
import * as Events from "./Events.ts"
import * as Lists from "./Lists.ts"
import * as Newest from "./Newest.ts"
import { migrate, readStatus } from "./migrate.ts"
import * as Move from "./Move.ts"
import * as OperatorLog from "./OperatorLog.ts"
import * as PostgresUrl from "./PostgresUrl.ts"
import { quote } from "./quote.ts"
import * as Refused from "./Refused.ts"
import { type Role, rolesOf } from "./Roles.ts"
import * as Retention from "./Retention.ts"
import * as Settings from "./Settings.ts"
import * as Signals from "./Signals.ts"
import * as StoreSnapshots from "./Snapshots.ts"
import * as Steps from "./Steps.ts"
import * as Sweep from "./Sweep.ts"
import * as Traffic from "./Traffic.ts"

export interface Options {
  /** The URL of the database, as {@link PostgresUrl.parse} reads it. */
  readonly url: string | Redacted.Redacted<string>
  /** The schema of the tables, which is created if it does not exist. Defaults to `watchword`. */
  readonly schema?: string
  /**
   * The maximum number of connections, not counting the connection that listens for signals. Defaults to 10; at least
   * 3.
   */
  readonly connections?: number
  /** The maximum number of steps in one call. Defaults to 512. */
  readonly batch?: number
  /** The maximum number of steps that wait for a call; one more fails at once. Defaults to 10,000. */
  readonly waiting?: number
  /**
   * The time limit of a list in milliseconds. Defaults to 10,000. A list that takes longer fails with the reason
   * `TimeLimit`. Lists with an index never come close.
   */
  readonly listTimeLimit?: number
  /** The maximum number of lists that wait for a connection; one more fails at once. Defaults to 32. */
  readonly waitingLists?: number
  /** The maximum number of such lists of one account at a time; one more fails at once. Defaults to 2. */
  readonly waitingListsOfAccount?: number
  /**
   * The URL of the server itself, on which to listen for signals if `url` leads to a transaction pooler. Defaults to
   * `url`.
   */
  readonly direct?: string | Redacted.Redacted<string>
}

export const manifest: Manifest = { name: "postgres", durable: true, shared: true, cluster: true, follows: true }

/** Opens the database, or fails with a `StoreError` that says why it cannot be used. */
export const make: (options: Options) => Effect.Effect<Service, StoreError, ChannelRegistry | Scope> =
  Effect.fnUntraced(function* (options) {
    const {
      batch = 512,
      connections: most = 10,
      schema = "watchword",
      listTimeLimit = 10_000,
      waiting = 10_000,
      waitingLists = 32,
      waitingListsOfAccount = 2
    } = options
    const config = yield* configOf(options.url)
    const direct = options.direct === undefined ? config : yield* configOf(options.direct)
    const s = quote(schema)
    yield* migrate(config, schema)
    const connections = yield* Connections.make(config, {
      connections: most,
      listTimeLimit,
      waitingLists,
      waitingListsOfAccount
    })
    const { ask } = connections
    const { signal, signals } = yield* Signals.make(connections, direct, schema)

    const registry = yield* ChannelRegistry
    const partitions = makePartitions(registry)
    const { drain, submit } = Batches.make({ limit: batch, waiting, run: Steps.run(s, connections, partitions) })
    yield* Effect.addFinalizer(() => Effect.promise(drain))
    const counters = yield* Counters.make(connections, s, { limit: batch, waiting })

    return Store.of({
      manifest,
      ping: Effect.asVoid(ask(`SELECT FROM ${s}.accounts LIMIT 1`, [])),

      ...Accounts.make(connections, s),
      ...Settings.make(connections, s),
      entries: (page) => {
        const { text, values } = Entries.queryOf(s, page)
        return Effect.map(ask<Entries.EntryRow>(text, values), (rows) => Entries.entriesOf(page.account, rows))
      },

      open: (request) => submit(Steps.open(request)),
      close: (request) => submit(Steps.close(request)),
      report: (request) => submit(Steps.report(request)),

      ...Deliveries.make(connections, s, partitions),
      list: Lists.make(connections, s, registry, partitions),
      ...Newest.make(connections, s, partitions),

      ...Events.make(connections, s),
      ...OperatorLog.make(connections, s),
      ...Refused.make(connections, s),
      ...counters,
      ...Traffic.make(connections, s),

      signal,
      signals,
      ...Retention.make(connections, config, s, partitions),
      sweep: Sweep.make(connections, s, registry)
    })
  })

const configOf = (url: string | Redacted.Redacted<string>) =>
  Effect.map(Effect.fromResult(PostgresUrl.parse(Redacted.isRedacted(url) ? Redacted.value(url) : url)), (parsed) =>
    Connections.configOf(parsed, "watchword")
  )

/** The store in a database, as a layer. */
export const layer = (options: Options): Layer.Layer<Store, StoreError, ChannelRegistry> =>
  Layer.effect(Store, make(options))

/**
 * The store in a database, whose schema is created if it does not exist.
 *
 * @example
 * ```ts no_run
 * import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
 * import { Store } from "@watchword/store/Store"
 * import { postgres } from "@watchword/store-postgres"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const program = Store.use((store) => store.accounts)
 * const store = postgres("postgres://watchword:secret@db.example.com/otp")
 * program.pipe(Effect.provide(Layer.provide(store, ChannelRegistry.layerBuiltIn)))
 * ```
 */
export const postgres = (url: Options["url"], options: Omit<Options, "url"> = {}): StoreProvider =>
  layer({ ...options, url })

/**
 * Snapshots of a schema that a store was opened on before, each on a separate connection; for the `watchword` command.
 */
export const snapshots = ({
  schema = "watchword",
  url
}: Pick<Options, "schema" | "url">): Layer.Layer<Snapshots, StoreError, ChannelRegistry> =>
  Layer.unwrap(Effect.map(configOf(url), (config) => StoreSnapshots.layer(config, schema)))

/** The current role of each host in a URL, for an operator; empty for a URL with a single host. */
export const roles = ({ url }: Pick<Options, "url">): Effect.Effect<ReadonlyArray<Role>, StoreError> =>
  Effect.flatMap(configOf(url), (config) => Effect.promise(() => rolesOf(config)))

/** A schema that a store is opened on. */
export type Schema = Pick<Options, "schema" | "url">

/** Moves an account to another schema, for an operator's command; see Move.ts. */
export const mover = (from: Schema, to: Schema) =>
  Effect.gen(function* () {
    const places = {
      from: { config: yield* configOf(from.url), schema: from.schema ?? "watchword" },
      to: { config: yield* configOf(to.url), schema: to.schema ?? "watchword" }
    }
    return {
      /** Fails if another command is moving the account, and keeps other commands from it until the scope ends. */
      alone: (account: AccountId) => Move.alone(places.from, account),
      /** The number of messages and verifications of an account that are in progress, up to a hundred. */
      underWay: (account: AccountId) => Move.underWay(places.from, account),
      /**
       * Copies an account that is suspended and has no messages in progress. Repeating the same move changes nothing.
       */
      copy: (account: AccountId, move: EntryId) => Move.copy({ ...places, account }, move)
    }
  })

/** The migrations of a schema, for an operator's command: a store applies them when it opens. */
export const migrator = ({ schema = "watchword", url }: Pick<Options, "schema" | "url">): Migrator => ({
  status: Effect.flatMap(configOf(url), (config) => readStatus(config, schema)),
  migrate: Effect.flatMap(configOf(url), (config) => migrate(config, schema))
})
