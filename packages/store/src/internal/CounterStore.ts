/**
 * The part of the port that counts: how much of something happened within a time that slides along, for rate limits.
 */
import type * as Effect from "effect/Effect"
import type { Added, Counted, Counter } from "../Counters.ts"
import type { StoreError } from "../StoreError.ts"

export interface CounterStore {
  /**
   * Adds to each of the counters its amount, unless one of them would be above its limit then: nothing is counted in
   * that case. Returns the amounts before the call. Requests at the same time count one after the other, in all
   * processes, so that together they never pass a limit.
   *
   * An amount counts from now, by the store's clock, for the counter's window, and for less than a slice longer:
   * amounts of a slice are one bucket and end together. `@watchword/store/Counters` has these rules as functions.
   * Counters are of all accounts and modes, at most 32 in a request, each with a key of its own.
   *
   * A request that is repeated because its answer was lost may count twice.
   *
   * Counts survive the end of the process, but need not survive the machine's.
   */
  readonly count: (counters: ReadonlyArray<Counter>) => Effect.Effect<Counted, StoreError>

  /**
   * Takes back what `count` has added, from the buckets that it was added to. No bucket has less than zero then, and an
   * ended bucket is not recreated. It is done once for each call: an amount removed twice is subtracted twice.
   */
  readonly uncount: (added: ReadonlyArray<Added>) => Effect.Effect<void, StoreError>
}
