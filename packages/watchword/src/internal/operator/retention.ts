/**
 * Erasure of a number, and the periods after which records and texts go.
 */
import type { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import { erase } from "@watchword/operator/commands/PrivacyCommands"
import type { Erased } from "@watchword/operator/privacy/Erasure"
import * as Periods from "@watchword/operator/privacy/Periods"
import * as Effect from "effect/Effect"
import { type Run, withOptions } from "./Run.ts"

export interface ErasureOperator {
  /**
   * Takes the person of a number out of all records, in all accounts and modes; amounts stay. What is under way stays too:
   * `under_way` says how much, and the same again in some minutes erases it.
   *
   * @param options with `rewrite` the database writes its tables anew, so that not even unused bytes have the number; sends
   * wait meanwhile
   */
  readonly erase: (number: string, options?: { readonly rewrite?: boolean }) => Promise<Erased>
}

export interface RetentionOperator {
  /** The periods in days, or null for ever. */
  readonly show: () => Promise<Periods.Periods>
  /**
   * Sets the days after which records are deleted, 2 at least, and after which texts and codes are taken out of them, 1 at
   * least; null for ever. What is left out stays as it is. Services of this store keep them within minutes.
   */
  readonly set: (periods: Partial<Periods.Periods>) => Promise<Periods.Periods>
}

export const makeErasure = (run: Run<ChannelRegistry | Settings | Store>): ErasureOperator => ({
  erase: (number, options = {}) => run(Effect.flatMap(withOptions(erase, { number }, options), erase.call))
})

export const make = (run: Run<Settings>): RetentionOperator => ({
  show: () => run(Periods.get),
  set: (periods) => run(Periods.set(periods))
})
