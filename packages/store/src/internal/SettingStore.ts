/**
 * The part of the port that keeps settings: small JSON documents of an account, or of the whole installation, by name.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import type * as Effect from "effect/Effect"
import type { StoreError } from "../StoreError.ts"

/** One setting. Name and value are texts without U+0000. */
export interface Setting {
  readonly name: string
  /** A JSON text, which stores keep as it is. */
  readonly value: string
}

export interface SettingStore {
  /**
   * All settings of an account or, with null, of the installation, in the order of their names' code points. An account
   * that does not exist has no settings.
   */
  readonly settings: (account: AccountId | null) => Effect.Effect<ReadonlyArray<Setting>, StoreError>

  /**
   * Writes one setting and leaves all others as they are, or removes it with null; of two changes the later counts.
   * False when the account does not exist.
   */
  readonly changeSetting: (change: {
    readonly account: AccountId | null
    readonly name: string
    readonly value: string | null
  }) => Effect.Effect<boolean, StoreError>
}
