/**
 * The store in memory, for tests and trials: everything is gone when the process ends. Nothing else runs while a step
 * looks facts up and applies its changes, which makes it the plainest reading of the port.
 */
import { type EntryId, nextEntryId } from "@watchword/schemas/Ids"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { isIn } from "./internal/memory/Deliveries.ts"
import * as Counters from "./internal/memory/Counters.ts"
import * as Keys from "./internal/memory/Keys.ts"
import * as OperatorLog from "./internal/memory/OperatorLog.ts"
import * as Refused from "./internal/memory/Refused.ts"
import * as Retention from "./internal/memory/Retention.ts"
import * as Settings from "./internal/memory/Settings.ts"
import * as MemorySnapshots from "./internal/memory/Snapshots.ts"
import * as Tables from "./internal/memory/Tables.ts"
import * as Traffic from "./internal/memory/Traffic.ts"
import { Snapshots } from "./Snapshots.ts"
import * as Step from "./step/Step.ts"
import { type Manifest, type Service, Store } from "./Store.ts"

export const manifest: Manifest = { name: "memory", durable: false, shared: false, cluster: false, follows: true }

/** The store, and the snapshots that are taken of it. */
export interface Made extends Service {
  readonly snapshots: Snapshots["Service"]
}

/**
 * A store of its own; nothing is shared between two of them.
 *
 * @param entryId makes the id of each entry that a send writes in a ledger, by its time in milliseconds. The default's
 * ids differ each time; with ids by number the same changes in the same order make the same store again, for a store
 * that replays a journal of them
 */
export const makeMemory = (entryId: (at: number) => EntryId = nextEntryId): Made => {
  const keys = Keys.make()
  const settings = Settings.make()
  const counters = Counters.make()
  const tables = Tables.make(entryId)
  const traffic = Traffic.make()
  const log = OperatorLog.make()
  const refused = Refused.make()
  const retention = Retention.make(tables, settings, [log, refused])
  const { accounts, apply, deliveries, events, part, processes, snapshot, sweep } = tables

  const step = <Answer>(decide: () => Step.Decision<Answer>): Effect.Effect<Answer> =>
    Effect.sync(() => {
      const { answer, changes } = decide()
      apply(changes)
      return answer
    })

  const store = Store.of({
    manifest,
    ping: Effect.void,

    createAccount: (account) => Effect.sync(() => accounts.create(account)),
    account: (id) => Effect.sync(() => accounts.find(id)),
    accounts: Effect.sync(accounts.list),
    changeAccount: (change) => Effect.map(Clock.currentTimeMillis, (now) => accounts.change(change, now)),
    createKey: (key) =>
      Effect.sync(() => {
        if (accounts.balance(key.account) === undefined) return false
        keys.create(key)
        return true
      }),
    keyByHash: (hash) =>
      Effect.sync(() => {
        const key = keys.byHash(hash)
        if (key === undefined) return Option.none()
        return Option.map(accounts.find(key.account), ({ account }) => ({ key, account }))
      }),
    key: (id) => Effect.sync(() => Option.fromUndefinedOr(keys.find(id))),
    keys: (account) => Effect.sync(() => keys.of(account)),
    expireKey: (id, at) => Effect.sync(() => keys.expire(id, at)),
    useKey: (id, at) => Effect.sync(() => keys.use(id, at)),
    revokeKey: (id) => Effect.map(Clock.currentTimeMillis, (now) => keys.revoke(id, now)),
    keysChangedWithin: (duration) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const since = now - duration
        return keys.changedSince(since, accounts.changedSince(since))
      }),
    credit: (credit) => Effect.sync(() => accounts.adjust("credit", credit)),
    debit: (debit) => Effect.sync(() => accounts.adjust("debit", debit)),
    entries: (page) => Effect.sync(() => accounts.entries(page)),

    settings: (account) => Effect.sync(() => settings.of(account)),
    changeSetting: ({ account, name, value }) =>
      Effect.sync(() => {
        if (account !== null && accounts.balance(account) === undefined) return false
        settings.change(account, name, value)
        return true
      }),

    open: (request) => step(() => Step.open(snapshot, request)),
    close: (request) => step(() => Step.close(snapshot, request)),
    report: (request) => step(() => Step.report(snapshot, request)),
    find: (key) => Effect.sync(() => Option.filter(Option.fromUndefinedOr(deliveries.get(key.id)), isIn(key))),
    findByRef: ({ channel, ref }) =>
      Effect.sync(() => {
        const found = part(channel, ref)
        return Option.fromUndefinedOr(found && deliveries.get(found.delivery))
      }),
    list: (listing) => Effect.sync(() => deliveries.list(listing)),
    unresolved: ({ abandoned, createdBefore, limit, phase }) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const open = deliveries.unresolved(phase, createdBefore)
        return (abandoned ? open.filter(processes.isAbandoned(now)) : open).slice(0, limit)
      }),
    abandoned: ({ channel, createdBefore, createdFrom, limit, mode, status }) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        deliveries
          .inStatus(channel, status)
          .filter((row) => (mode ?? row.mode) === row.mode)
          .filter(({ createdAt }) => createdAt >= createdFrom && createdAt < createdBefore)
          .filter(processes.isAbandoned(now))
          .slice(0, limit)
      ),
    due: ({ channel, limit }) => Effect.map(Clock.currentTimeMillis, (now) => deliveries.due(channel, now, limit)),
    deliveriesTo: (query) => Effect.sync(() => deliveries.to(query)),
    newestDeliveries: (query) => Effect.sync(() => deliveries.newest(query)),
    countDeliveries: (query) => Effect.sync(() => deliveries.counts(query)),
    sweep: (request) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        counters.sweep(now)
        traffic.sweep(request.at)
        return sweep(request)
      }),

    appendEvents: (more) => Effect.sync(() => events.append(more)),
    takeEvents: (query) => Effect.map(Clock.currentTimeMillis, (now) => events.take(query, now)),
    settleEvents: (settlements) =>
      Effect.map(Clock.currentTimeMillis, (now) => settlements.forEach((settlement) => events.settle(settlement, now))),
    dropEvents: (endpoint) => Effect.sync(() => events.drop(endpoint)),
    replayEvents: ({ endpoint, since }) =>
      Effect.map(Clock.currentTimeMillis, (now) => events.replay(endpoint, since, now)),
    replayEvent: ({ endpoint, id }) =>
      Effect.map(Clock.currentTimeMillis, (now) => events.replayOne(endpoint, id, now)),
    events: (query) => Effect.sync(() => events.inState(query)),
    event: (query) => Effect.sync(() => events.find(query)),
    eventSummary: (endpoint) => Effect.sync(() => events.summary(endpoint)),
    eventBacklog: (limit) => Effect.sync(() => events.backlog(limit)),
    pruneEvents: (before) => Effect.sync(() => events.prune(before)),

    count: (request) => Effect.map(Clock.currentTimeMillis, (now) => counters.count(request, now)),
    uncount: (added) => Effect.sync(() => counters.uncount(added)),

    addTraffic: (rows) => Effect.sync(() => traffic.add(rows)),
    traffic: (query) => Effect.sync(() => traffic.select(query)),
    beginLogEntry: (entry) => Effect.sync(() => log.begin(entry)),
    endLogEntry: (end) => Effect.sync(() => log.end(end)),
    logEntries: (query) => Effect.sync(() => log.list(query)),
    pruneLogEntries: (query) => Effect.sync(() => log.prune(query)),
    addRefused: (rows) => Effect.sync(() => refused.add(rows)),
    refused: (query) => Effect.sync(() => refused.list(query)),
    pruneRefused: (query) => Effect.sync(() => refused.prune(query)),

    deliveriesBefore: (query) => Effect.sync(() => deliveries.before(query)),
    redact: (redactions) => Effect.sync(() => retention.redact(redactions)),
    forget: (query) => Effect.sync(() => retention.forget(query)),
    purge: (query) => Effect.sync(() => retention.purge(query)),
    reclaim: () => Effect.succeed(true),

    renewLease: ({ duration, process }) =>
      Effect.map(Clock.currentTimeMillis, (now) => processes.renewLease(process, now, duration)),
    leases: Effect.map(Clock.currentTimeMillis, processes.valid),
    signal: () => Effect.void,
    signals: () => Effect.void
  })
  return { ...store, snapshots: MemorySnapshots.make(tables, retention) }
}

/**
 * The store in memory, for tests and trials. Each service has one of its own, and everything in it is gone when the
 * service ends.
 *
 * @example
 * ```ts
 * import { createWatchword, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * await service.dispose()
 * ```
 */
export const memory = (): MemoryProvider => layer

/** The store in memory for the option of a service, and the snapshots that are taken of it. */
export interface MemoryProvider extends Layer.Layer<Store | Snapshots> {}

const layer = Layer.effectContext(
  Effect.sync(() => {
    const { snapshots, ...store } = makeMemory()
    return Context.make(Store, store).pipe(Context.add(Snapshots, snapshots))
  })
)
