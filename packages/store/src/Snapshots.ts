/**
 * The port to all rows of a store as they are at one moment, for programs that check them as a whole.
 *
 * A snapshot takes no lock that a step waits for. It costs the database as much as a long read: the log of SQLite grows
 * until the snapshot is closed, and PostgreSQL keeps the versions of rows that it shows. Its streams can be read side
 * by side, and hold a page of rows each.
 *
 * Rows are as the database has them, even where they break a rule of the store. A delivery that a row names is an id,
 * or, where the database has no such delivery, any other text.
 */
import type { Mode, Product } from "@watchword/schemas/Channel"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { EntryKind } from "./Account.ts"
import type { Delivery } from "./Delivery.ts"
import type { StoreError } from "./StoreError.ts"

/** The figures of an account, in micro-euros. */
export interface AccountRow {
  readonly account: string
  readonly available: number
  readonly held: number
}

/** A delivery, without the fields that only its channel knows. */
export type DeliveryRow = Pick<
  Delivery,
  "id" | "mode" | "channel" | "phase" | "status" | "price" | "dueAt" | "details" | "watch"
> & { readonly account: string }

/** An entry of a ledger. */
export interface EntryRow {
  readonly id: string
  readonly account: string
  /** Null for credits and debits. */
  readonly delivery: string | null
  readonly kind: EntryKind
  readonly amount: number
  readonly at: number
}

/** A ref of a part. */
export interface RefRow {
  readonly delivery: string
  readonly channel: Product
}

/** A delivery that sends the code of a verification. */
export interface AttemptRow {
  readonly id: string
  readonly verification: string
  /** The number of the send in the plan, from 0 on. */
  readonly attempt: number
}

/** An event of the outbox that tells of a delivery. */
export interface EventRow {
  readonly id: string
  readonly endpoint: string
  readonly delivery: string
  readonly account: string
  readonly mode: Mode
  readonly version: number
}

type Rows<Row> = Stream.Stream<Row, StoreError>

export interface Snapshot {
  /** The time before which records were deleted, see `RetentionStore.purge`; 0 where none were. */
  readonly purgedBefore: Effect.Effect<number, StoreError>
  readonly accounts: Rows<AccountRow>
  /** In the order of their ids. */
  readonly deliveries: Rows<DeliveryRow>
  /**
   * Entries without a delivery come first, then the others in the order of their deliveries, and as they were written.
   */
  readonly entries: Rows<EntryRow>
  /** In the order of their deliveries. */
  readonly refs: Rows<RefRow>
  /** In the order of their verifications. */
  readonly attempts: Rows<AttemptRow>
  /** In the order of their deliveries, endpoints and versions. */
  readonly events: Rows<EventRow>
}

export interface Service {
  /** The rows of this moment, until the scope is closed. Each stream can be run once. */
  readonly take: Effect.Effect<Snapshot, StoreError, Scope>
}

/** Snapshots of the store that a program works on. */
export class Snapshots extends Context.Service<Snapshots, Service>()("@watchword/store/Snapshots") {}
