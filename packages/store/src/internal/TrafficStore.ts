/**
 * The part of the port that keeps the traffic roll-up. Processes add to it every few seconds, never in a step of a
 * send.
 */
import type * as Effect from "effect/Effect"
import type { StoreError } from "../StoreError.ts"
import type { TrafficQuery, TrafficRow, TrafficSum } from "../Traffic.ts"

export interface TrafficStore {
  /**
   * Adds amounts to rows, which begin at zero: to all of them or to none. Keys are different. Additions at the same
   * time add up, in all processes.
   *
   * It is done once for each call: if an answer was lost (`Unknown`), a repeat may count twice.
   *
   * Added rows survive the end of the process, but need not survive the machine's. `sweep` deletes rows that are older
   * than 400 days.
   */
  readonly addTraffic: (rows: ReadonlyArray<TrafficRow>) => Effect.Effect<void, StoreError>

  /**
   * The sums of rows by some dimensions, in the order of these: one look at the hours between, and at no other row.
   * Without dimensions one sum, or none if there is no row.
   */
  readonly traffic: (query: TrafficQuery) => Effect.Effect<ReadonlyArray<TrafficSum>, StoreError>
}
