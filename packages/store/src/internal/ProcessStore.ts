/**
 * The part of the port that processes share: leases, by which the owner of a delivery is known to run, and signals.
 */
import type { DeliveryId, ProcessId } from "@watchword/schemas/Ids"
import type * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { StoreError } from "../StoreError.ts"

/** A message to the other processes that serve: the delivery that it is about, and the action. */
export interface Signal {
  readonly topic: string
  readonly delivery: DeliveryId
}

/** A process that serves, until a time by the store's clock unless it renews its lease. */
export interface Lease {
  readonly process: ProcessId
  readonly until: number
}

export interface ProcessStore {
  /**
   * Gives a process a lease for a time from now; given again, the later call counts, and none is left after 0. A
   * process that never had one has no lease.
   *
   * Unless the store is for a cluster, the first lease of a process ends the leases of all others.
   */
  readonly renewLease: (lease: {
    readonly process: ProcessId
    /** In milliseconds by the store's clock. */
    readonly duration: number
  }) => Effect.Effect<void, StoreError>

  /** The leases that have not ended, in the order of their processes' ids. */
  readonly leases: Effect.Effect<ReadonlyArray<Lease>, StoreError>

  /**
   * Sends a signal to all processes that listen on the same data, this one perhaps too. A signal may be lost: the
   * sender needs another way to see that nothing came of it. Does nothing unless the store is for a cluster.
   */
  readonly signal: (signal: Signal) => Effect.Effect<void, StoreError>

  /** Gives every later signal to `handle` until the scope closes. */
  readonly signals: (handle: (signal: Signal) => Effect.Effect<void>) => Effect.Effect<void, StoreError, Scope>
}
