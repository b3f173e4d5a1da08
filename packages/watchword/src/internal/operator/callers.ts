/**
 * The pools of numbers that accounts' calls come from.
 */
import type { Accounts } from "@watchword/ledger/Accounts"
import * as AccountCallers from "@watchword/send/internal/AccountCallers"
import type { Settings } from "@watchword/store/Settings"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Run, accountId } from "./Run.ts"

/** A pool: numbers, and ranges such as `+4930901820000-+4930901821999`. */
export interface Callers {
  /** Numbers in E.164 form, and ranges of them. */
  readonly callers: ReadonlyArray<string>
  /** Whether calls verify although the pool has fewer than 1,000 endings; false unless given. */
  readonly allowSmall?: boolean
}

export interface CallersOperator {
  /** The pool of an account; null where it has none. */
  readonly get: (account: string) => Promise<Required<Callers> | null>
  /**
   * Sets the pool that an account's calls come from where neither the call nor the account names a caller. The callers of
   * verifications' calls are codes, and always come from it.
   */
  readonly set: (account: string, callers: Callers) => Promise<void>
  /** Takes the pool of an account away. */
  readonly remove: (account: string) => Promise<void>
}

export const make = (run: Run<Accounts | Settings>): CallersOperator => ({
  get: (account) =>
    run(Effect.map(Effect.flatMap(accountId(account), AccountCallers.get), (callers) => Option.getOrNull(callers))),
  set: (account, callers) =>
    run(Effect.asVoid(Effect.flatMap(accountId(account), (id) => AccountCallers.set(id, callers)))),
  remove: (account) => run(Effect.asVoid(Effect.flatMap(accountId(account), AccountCallers.remove)))
})
