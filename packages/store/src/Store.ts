/**
 * The port to a database, in ten parts: accounts and their money, settings, deliveries, events, counters, traffic, the
 * operators' log, refused requests, retention, and processes.
 *
 * Each method is atomic by itself: it happens completely or not at all, whatever else happens at the same time, and
 * once it has answered it survives a crash (within the limits of the manifest). There is no `transaction(fn)`, because
 * not every database can hold a transaction open across a round trip. The comment of a method is its contract;
 * `@watchword/store/conformance` checks it.
 *
 * Times are milliseconds since the epoch, and passed in. Times that processes must agree on come from the store's
 * clock, which is the database's if it has one: the clocks of two servers may differ.
 */
import * as Context from "effect/Context"
import type { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { AccountStore } from "./internal/AccountStore.ts"
import type { CounterStore } from "./internal/CounterStore.ts"
import type { DeliveryStore } from "./internal/DeliveryStore.ts"
import type { EventStore } from "./internal/EventStore.ts"
import type { LogStore } from "./internal/LogStore.ts"
import type { ProcessStore } from "./internal/ProcessStore.ts"
import type { RefusedStore } from "./internal/RefusedStore.ts"
import type { RetentionStore } from "./internal/RetentionStore.ts"
import type { SettingStore } from "./internal/SettingStore.ts"
import type { StoreError } from "./StoreError.ts"
import type { TrafficStore } from "./internal/TrafficStore.ts"

export type { AccountStore, EntryPage } from "./internal/AccountStore.ts"
export type { AccountChange } from "./step/AccountChanges.ts"
export type { Adjusted, Adjustment } from "./step/Adjustments.ts"
export type { Redaction } from "./step/Redaction.ts"
export type { Added, Counted, Counter, Tally } from "./Counters.ts"
export type { CounterStore } from "./internal/CounterStore.ts"
export type { DeliveryStore } from "./internal/DeliveryStore.ts"
export type { Event, Note, Watch } from "./Event.ts"
export type {
  Bounds,
  EventBacklog,
  EventState,
  EventStore,
  EventSummary,
  KeptEvent,
  Settlement,
  TakenEvent
} from "./internal/EventStore.ts"
export type { Counting, Found, Listing, Newest, Page, StatusCount } from "./Listing.ts"
export { about, aboutPart } from "./internal/Reports.ts"
export type { LogEntry, LogStore } from "./internal/LogStore.ts"
export type { Lease, ProcessStore, Signal } from "./internal/ProcessStore.ts"
export type { FoundRefused, RefusedQuery, RefusedRequest, RefusedStore } from "./internal/RefusedStore.ts"
export { FORGOTTEN, type Forgotten, PURGED, type Reclaim, type RetentionStore } from "./internal/RetentionStore.ts"
export type { Setting, SettingStore } from "./internal/SettingStore.ts"
export type { TrafficKey, TrafficQuery, TrafficRow, TrafficSum } from "./Traffic.ts"
export type { TrafficStore } from "./internal/TrafficStore.ts"
export type {
  AboutMessage,
  Before,
  Claim,
  Close,
  Closed,
  Follow,
  Followed,
  HeldUntil,
  Open,
  OpenRefused,
  Opened,
  Report,
  Reported,
  Sweep,
  Swept,
  Target
} from "./internal/Requests.ts"

/** The abilities of a store, by which the conformance suite chooses its cases. */
export interface Manifest {
  readonly name: string
  /** Answered steps survive a crash of the process. */
  readonly durable: boolean
  /** Several processes may use the same data at once: a serving process, and an operator's commands next to it. */
  readonly shared: boolean
  /** Several processes may serve at once. Where only one can, the first lease of a process ends all others. */
  readonly cluster: boolean
  /**
   * Calls `follow`, the rule of a `close` or a `report`, within the step. A store that writes requests down cannot do
   * this, and gets requests without a rule: the change that the rule makes is then a step of its own.
   */
  readonly follows: boolean
}

export interface Service
  extends
    AccountStore,
    SettingStore,
    DeliveryStore,
    EventStore,
    CounterStore,
    TrafficStore,
    LogStore,
    RefusedStore,
    RetentionStore,
    ProcessStore {
  readonly manifest: Manifest

  /** Answers when the database does. */
  readonly ping: Effect.Effect<void, StoreError>
}

/**
 * A store for the option of a service: `createWatchword({ store: sqlite("app.db") })`. It opens when the service
 * starts. For programs written with Effect it is a layer of {@link Store}.
 */
export interface StoreProvider extends Layer.Layer<Store, StoreError, ChannelRegistry> {}

/** The store that a program works on. */
export class Store extends Context.Service<Store, Service>()("@watchword/store/Store") {}
