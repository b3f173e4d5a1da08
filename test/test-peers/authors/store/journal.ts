/**
 * A store in memory that keeps a journal: each change is written as a line of a file before it is carried out, and when
 * the file is opened, all lines are carried out again at their original times. The journal only grows, which is fine
 * for trials.
 */
import { makeMemory } from "@watchword/store/MemoryStore"
import { entryIdOf } from "@watchword/store/sql"
import { type Manifest, type Service, Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs"
import { deserialize, serialize } from "node:v8"

export const manifest: Manifest = { name: "journal", durable: true, shared: false, cluster: false, follows: false }

/** The methods that change data. All others are taken from the store in memory. */
type Change = Exclude<keyof Service, "manifest" | "ping" | "accounts" | "leases">

/** The store on a file, which is created if it does not exist. Only one process at a time may open it. */
export const layer = (path: string): Layer.Layer<Store, StoreError> =>
  Layer.effect(
    Store,
    Effect.acquireRelease(
      attempt("Broken", () => openSync(path, "a+")),
      (file) => Effect.sync(() => closeSync(file))
    ).pipe(Effect.flatMap(opened))
  )

const opened = Effect.fnUntraced(function* (file: number) {
  let entries = 0
  const memory = makeMemory((at) => entryIdOf(1, ++entries, at))
  for (const [now, name, input] of yield* attempt("Broken", () => entriesOf(file))) {
    const again: Effect.Effect<unknown, StoreError> = Reflect.apply(memory[name], memory, input)
    yield* Effect.provideService(again, Clock.Clock, stoppedAt(now))
  }

  const one = yield* Semaphore.make(1)
  // No line may follow an incomplete one, until the next start drops it.
  let broken: StoreError | null = null
  const write = (entry: Entry): Effect.Effect<void, StoreError> =>
    Effect.suspend(() => (broken === null ? attempt("Unknown", () => append(file, entry)) : Effect.fail(broken))).pipe(
      Effect.tapError(({ message }) => Effect.sync(() => (broken = new StoreError({ reason: "Broken", message }))))
    )

  /** A method behind the journal. Lines are in the order in which changes are carried out. */
  const kept =
    <Input extends ReadonlyArray<unknown>, A>(
      name: Change,
      method: (...input: Input) => Effect.Effect<A, StoreError>
    ): ((...input: Input) => Effect.Effect<A, StoreError>) =>
    (...input) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        yield* write([now, name, input])
        return yield* Effect.provideService(method(...input), Clock.Clock, stoppedAt(now))
      }).pipe(one.withPermit, Effect.uninterruptible)

  const { snapshots: _, ...store } = memory
  return Store.of({
    ...store,
    manifest,
    ping: Effect.suspend(() => (broken === null ? Effect.void : Effect.fail(broken))),
    createAccount: kept("createAccount", store.createAccount),
    changeAccount: kept("changeAccount", store.changeAccount),
    createKey: kept("createKey", store.createKey),
    expireKey: kept("expireKey", store.expireKey),
    useKey: kept("useKey", store.useKey),
    revokeKey: kept("revokeKey", store.revokeKey),
    credit: kept("credit", store.credit),
    debit: kept("debit", store.debit),
    changeSetting: kept("changeSetting", store.changeSetting),
    open: kept("open", store.open),
    close: kept("close", store.close),
    report: kept("report", store.report),
    sweep: kept("sweep", store.sweep),
    appendEvents: kept("appendEvents", store.appendEvents),
    takeEvents: kept("takeEvents", store.takeEvents),
    settleEvents: kept("settleEvents", store.settleEvents),
    dropEvents: kept("dropEvents", store.dropEvents),
    replayEvents: kept("replayEvents", store.replayEvents),
    replayEvent: kept("replayEvent", store.replayEvent),
    pruneEvents: kept("pruneEvents", store.pruneEvents),
    count: kept("count", store.count),
    uncount: kept("uncount", store.uncount),
    addTraffic: kept("addTraffic", store.addTraffic),
    beginLogEntry: kept("beginLogEntry", store.beginLogEntry),
    endLogEntry: kept("endLogEntry", store.endLogEntry),
    pruneLogEntries: kept("pruneLogEntries", store.pruneLogEntries),
    addRefused: kept("addRefused", store.addRefused),
    pruneRefused: kept("pruneRefused", store.pruneRefused),
    redact: kept("redact", store.redact),
    forget: kept("forget", store.forget),
    purge: kept("purge", store.purge),
    renewLease: kept("renewLease", store.renewLease)
  })
})

/** The time, the method and the input of a change. */
type Entry = readonly [now: number, name: Change, input: ReadonlyArray<unknown>]

const append = (file: number, entry: Entry): void => {
  writeSync(file, `${serialize(entry).toString("base64")}\n`)
  fdatasyncSync(file)
}

/** The entries of a journal, without an incomplete entry at its end, whose change was never carried out. */
const entriesOf = (file: number): ReadonlyArray<Entry> => {
  const text = readFileSync(file, "latin1")
  const end = text.lastIndexOf("\n") + 1
  ftruncateSync(file, end)
  const lines = text.slice(0, end).split("\n").slice(0, -1)
  return lines.map((line): Entry => deserialize(Buffer.from(line, "base64")))
}

const attempt = <A>(reason: StoreError["reason"], run: () => A): Effect.Effect<A, StoreError> =>
  Effect.try({ try: run, catch: (error) => new StoreError({ reason, message: `The journal: ${String(error)}` }) })

const stoppedAt = (now: number): Clock.Clock => {
  const nanos = BigInt(Math.trunc(now)) * 1_000_000n
  return {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.succeed(now),
    currentTimeNanosUnsafe: () => nanos,
    currentTimeNanos: Effect.succeed(nanos),
    monotonicTimeNanosUnsafe: () => nanos,
    monotonicTimeNanos: Effect.succeed(nanos),
    sleep: () => Effect.void
  }
}
