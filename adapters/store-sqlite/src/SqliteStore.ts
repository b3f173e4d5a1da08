/**
 * The store on SQLite, through better-sqlite3.
 *
 * Each step is on the disk before it is answered, as under `synchronous = FULL` (see LogSync.ts). Steps waiting at the
 * same time share one transaction (see GroupCommit.ts). Lists without an index run in a thread (see Lists.ts). Other
 * processes, for example the operator's command line, may use the same file meanwhile.
 */
import { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { makePartitions } from "@watchword/store/sql"
import type { Migrator } from "@watchword/store/Migrator"
import type { Snapshots } from "@watchword/store/Snapshots"
import { type Manifest, type Service, Store, type StoreProvider } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Step from "@watchword/store/step"
import type { Database } from "better-sqlite3"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import * as AccountNumbers from "./AccountNumbers.ts"
import * as Accounts from "./Accounts.ts"
import * as Adjustments from "./Adjustments.ts"
import * as Batch from "./Batch.ts"
import * as Checkpoints from "./Checkpoints.ts"
import * as Claims from "./Claims.ts"
import * as Connection from "./Connection.ts"
import * as Counters from "./Counters.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Entries from "./Entries.ts"
import * as Events from "./Events.ts"
import * as FileIdentity from "./FileIdentity.ts"
import * as GroupCommit from "./GroupCommit.ts"
import * as Lists from "./Lists.ts"
import * as LogSync from "./LogSync.ts"
import { readStatus } from "./migrate.ts"
import * as Newest from "./Newest.ts"
import * as Parts from "./Parts.ts"
import * as OperatorLog from "./OperatorLog.ts"
import * as Processes from "./Processes.ts"
import { readFrom } from "./retryBusy.ts"
import * as Reclaim from "./Reclaim.ts"
import * as Refused from "./Refused.ts"
import * as Retention from "./Retention.ts"
import * as Searches from "./Searches.ts"
import * as ServerLock from "./ServerLock.ts"
import * as Settings from "./Settings.ts"
import * as StoreSnapshots from "./Snapshots.ts"
import * as Steps from "./Steps.ts"
import * as Sweep from "./Sweep.ts"
import * as Traffic from "./Traffic.ts"
import * as Unmatched from "./Unmatched.ts"

export interface Options {
  /** The database file, created if it does not exist, or `:memory:`. */
  readonly filename: string
  /** The maximum number of steps that share a transaction. Defaults to 512; 1 disables group commit. */
  readonly batch?: number
  /** The maximum number of steps that wait for a transaction; one more fails at once. Defaults to 10,000. */
  readonly waiting?: number
  /**
   * The time limit of a list in milliseconds. Defaults to 10,000. A list that takes longer fails with the reason
   * `TimeLimit`. Lists with an index never come close.
   */
  readonly listTimeLimit?: number
  /** The maximum number of lists that wait for the thread; one more fails at once. Defaults to 32. */
  readonly waitingLists?: number
  /** The maximum number of lists of one account that wait for the thread; one more fails at once. Defaults to 2. */
  readonly waitingListsOfAccount?: number
  /**
   * Whether several processes may have a lease at a time; defaults to false. The first lease of a process fails if
   * another process has one, because two servers on one file end each other's calls. A dead process does not count.
   */
  readonly severalServers?: boolean
}

export const manifest: Manifest = { name: "sqlite", durable: true, shared: true, cluster: false, follows: true }

/** Opens the file, or fails with a `StoreError` that says why it cannot be used. */
export const make = (options: Options): Effect.Effect<Service, StoreError, ChannelRegistry | Scope> =>
  Effect.flatMap(Connection.open(options.filename), (db) => over(db, options))

/** The store on an open connection. */
export const over: (
  db: Database,
  options?: Omit<Options, "filename">
) => Effect.Effect<Service, never, ChannelRegistry | Scope> = Effect.fnUntraced(function* (db, options = {}) {
  const {
    batch = 512,
    listTimeLimit = 10_000,
    waiting = 10_000,
    waitingLists = 32,
    waitingListsOfAccount = 2,
    severalServers = false
  } = options
  const registry = yield* ChannelRegistry
  const serverLock = severalServers ? Effect.void : yield* ServerLock.make(db)
  const partitions = makePartitions(registry)
  const numbers = AccountNumbers.make(db)
  const processes = Processes.make(db)
  const deliveries = Deliveries.make(db, numbers, processes, partitions)
  const claims = Claims.make(db)
  const parts = Parts.make(db, partitions, deliveries)
  const unmatched = Unmatched.make(db, partitions)
  const events = Events.make(db)
  const counters = Counters.make(db)
  const traffic = Traffic.make(db)
  const operatorLog = OperatorLog.make(db)
  const refused = Refused.make(db)
  const retention = Retention.make(db, deliveries, unmatched, [operatorLog, refused])
  const accounts = Accounts.make(db, numbers)
  const settings = Settings.make(db, numbers)
  const adjust = Adjustments.make(db, numbers)
  const entries = Entries.make(db, numbers)
  const take = Steps.make({ partitions, accounts: numbers, claims, deliveries, parts, unmatched, events })
  const read = readFrom(db)
  const lists = Lists.make(db, { registry, partitions, accounts: numbers, deliveries })
  const newest = Newest.make(db, deliveries, numbers, partitions)
  const list = yield* Searches.make(db, registry, lists, read, {
    timeLimit: listTimeLimit,
    waiting: waitingLists,
    waitingOfAccount: waitingListsOfAccount
  })
  const forget = (): void => {
    numbers.forget()
    processes.forget()
  }
  const begin = Batch.make(db, partitions)
  const log = LogSync.make(db)
  const hasFiles = FileIdentity.make(db)
  const commits = GroupCommit.make(db, {
    begin,
    forget,
    limit: batch,
    log,
    committed: () => checkpoints.committed(),
    hasFiles,
    waiting
  })
  const { check, drain, submit, submitBrief } = commits
  const checkpoints = yield* Checkpoints.make(db, commits)
  yield* Effect.addFinalizer(() => Effect.sync(drain))

  const channels = registry.products.map(({ name }) => name)

  const selectOne = db.prepare("SELECT 1 FROM accounts LIMIT 1")

  return Store.of({
    manifest,
    ping: Effect.andThen(check, Effect.asVoid(read(() => selectOne.get()))),

    createAccount: (account) => submit(() => accounts.create(account)),
    account: (id) => read(() => Option.fromUndefinedOr(accounts.find(id))),
    accounts: read(accounts.list),
    changeAccount: (change) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        submit(() => Option.fromUndefinedOr(accounts.change(change, now)))
      ),
    createKey: (key) => submit(() => accounts.createKey(key)),
    keyByHash: (hash) => read(() => Option.fromUndefinedOr(accounts.keyByHash(hash))),
    key: (id) => read(() => Option.fromUndefinedOr(accounts.key(id))),
    keys: (account) => read(() => accounts.keys(account)),
    expireKey: (id, at) => submit(() => accounts.expireKey(id, at)),
    useKey: (id, at) => submit(() => accounts.useKey(id, at)),
    revokeKey: (id) => Effect.flatMap(Clock.currentTimeMillis, (now) => submit(() => accounts.revokeKey(id, now))),
    keysChangedWithin: (duration) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => read(() => accounts.keysChangedSince(now - duration))),

    credit: (request) => submit((batch) => adjust(batch, "credit", request)),
    debit: (request) => submit((batch) => adjust(batch, "debit", request)),
    entries: (page) => read(() => entries(page)),

    settings: (account) => read(() => settings.list(account)),
    changeSetting: ({ account, name, value }) => submit(() => settings.change(account, name, value)),

    open: (request) => submit((batch) => take(batch, (snapshot) => Step.open(snapshot, request))),
    close: (request) => submit((batch) => take(batch, (snapshot) => Step.close(snapshot, request))),
    report: (request) => submit((batch) => take(batch, (snapshot) => Step.report(snapshot, request))),

    find: ({ account, channel, id, mode }) =>
      read(() => {
        const stored = deliveries.byId(id)
        const owner = numbers.numberOf(account)
        const found = owner !== undefined && stored?.partition === partitions.partitionOf(owner, mode, channel)
        return found ? Option.some(stored.delivery) : Option.none()
      }),
    list,
    findByRef: ({ channel, ref }) => read(() => Option.fromUndefinedOr(parts.find(channel, ref)?.stored.delivery)),
    unresolved: ({ abandoned, createdBefore, limit, phase }) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        read(() => deliveries.unresolved(phase, createdBefore, abandoned ? now : null, limit))
      ),
    abandoned: (query) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => read(() => deliveries.abandoned(query, now))),
    due: ({ channel, limit }) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => read(() => deliveries.due(channel, now, limit))),
    deliveriesTo: (query) => read(() => deliveries.to(query)),
    newestDeliveries: (query) => read(() => newest.newest(query)),
    countDeliveries: (query) => read(() => newest.counts(query)),
    appendEvents: (more) => submit(() => events.append(more)),
    takeEvents: (query) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.flatMap(
          read(() => events.mayTake(query, now)),
          (any) => (any ? submitBrief(() => events.take(query, now)) : Effect.succeed([]))
        )
      ),
    settleEvents: (settlements) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        submitBrief(() => settlements.forEach((settlement) => events.settle(settlement, now)))
      ),
    dropEvents: (endpoint) => submit(() => events.drop(endpoint)),
    replayEvents: ({ endpoint, since }) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => submit(() => events.replay(endpoint, since, now))),
    replayEvent: ({ endpoint, id }) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => submit(() => events.replayOne(endpoint, id, now))),
    events: (query) => read(() => events.inState(query)),
    event: (query) => read(() => events.find(query)),
    eventSummary: (endpoint) => read(() => events.summary(endpoint)),
    eventBacklog: (limit) => read(() => events.backlog(limit)),
    pruneEvents: Sweep.ofEvents(submit, events),
    count: (request) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => submitBrief(() => counters.count(request, now))),
    uncount: (added) => submitBrief(() => counters.uncount(added)),
    addTraffic: (rows) => submitBrief(() => traffic.add(rows)),
    traffic: (query) => read(() => traffic.select(query)),
    beginLogEntry: (entry) => submit(() => operatorLog.begin(entry)),
    endLogEntry: (end) => submit(() => operatorLog.end(end)),
    logEntries: (query) => read(() => operatorLog.list(query)),
    pruneLogEntries: (query) => submit(() => operatorLog.prune(query)),
    addRefused: (rows) => submitBrief(() => refused.add(rows)),
    refused: (query) => read(() => refused.list(query)),
    pruneRefused: (query) =>
      Effect.flatMap(
        read(() => refused.isPrunable(query)),
        (any) => (any ? submitBrief(() => refused.prune(query)) : Effect.succeed(0))
      ),
    deliveriesBefore: (query) => read(() => retention.before(query)),
    redact: (redactions) => submit(() => retention.redact(redactions)),
    forget: (query) => submit(() => retention.forget(query)),
    purge: (query) => submit((batch) => retention.purge(batch, query)),
    reclaim: Reclaim.make(db, submit),
    renewLease: ({ duration, process }) =>
      Effect.andThen(
        serverLock,
        Effect.flatMap(Clock.currentTimeMillis, (now) => submit(() => processes.renewLease(process, now, duration)))
      ),
    leases: Effect.flatMap(Clock.currentTimeMillis, (now) => read(() => processes.leases(now))),
    signal: () => Effect.void,
    signals: () => Effect.void,
    sweep: Sweep.make(submit, { claims, counters, traffic, unmatched, channels })
  })
})

/** The store on a file. */
export const layer = (options: Options): Layer.Layer<Store, StoreError, ChannelRegistry> =>
  Layer.effect(Store, make(options))

/**
 * The store on a file, which is created if it does not exist; `:memory:` keeps it in memory. Throws a `TypeError` if
 * the name is empty.
 *
 * @example
 * ```ts
 * import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
 * import { Store } from "@watchword/store/Store"
 * import { sqlite } from "@watchword/store-sqlite"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const program = Store.use((store) => store.accounts)
 * program.pipe(Effect.provide(Layer.provide(sqlite("watchword.db"), ChannelRegistry.layerBuiltIn)))
 * ```
 */
export const sqlite = (filename: string): StoreProvider => {
  // SQLite would take an empty name for a temporary file, and delete it at the end.
  if (!filename) throw new TypeError('sqlite needs the name of a file, for example sqlite("watchword.db")')
  return layer({ filename })
}

export { type Backup, backup } from "./Backup.ts"
export type { Progress } from "./Copy.ts"
export { type Restore, restore } from "./Restore.ts"

/**
 * Snapshots of a file that a store was opened on before, each on a separate connection; for the `watchword` command.
 */
export const snapshots = (filename: string): Layer.Layer<Snapshots, never, ChannelRegistry> =>
  StoreSnapshots.layer(filename)

/** The migrations of a file, for an operator's command: a store applies them when it opens. */
export const migrator = (filename: string): Migrator => ({
  status: readStatus(filename),
  migrate: Effect.tap(readStatus(filename), () => Effect.scoped(Connection.open(filename)))
})
