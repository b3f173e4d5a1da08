/**
 * The budget of wrong guesses at the fixed code of a test number: no guard limits its verifications, so that without
 * one the code could be guessed over any number of them. Once it is spent no code is right, until an operator adds the
 * number again.
 */
import { TooManyRequests } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import { sha256 } from "@watchword/schemas/Sha256"
import { masked } from "@watchword/schemas/PhoneNumber"
import type { Added, Counter } from "@watchword/store/Counters"
import { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { testNumbers } from "./VerifySettings.ts"
import { beginTestChecks } from "./VerificationMetrics.ts"

export interface TestGuesses {
  /**
   * Takes a guess away before it is compared, so that no number of guesses at once learns more than the budget allows.
   */
  readonly spend: (account: AccountId, number: string) => Effect.Effect<Spent, TooManyRequests | StoreError>
  /** Says what became of a guess, and gives one back that was not wrong. */
  readonly settle: (spent: Spent, outcome: "approved" | "wrong" | "none") => Effect.Effect<void, StoreError>
}

export type Spent = ReadonlyArray<Added>

/** Wrong guesses of a day, over all verifications of a number in an account. */
const BUDGET: Pick<Counter, "window" | "slice" | "limit"> = { window: 86_400_000 - 1, slice: 1, limit: 20 }

export const make: Effect.Effect<TestGuesses, never, Settings | Store> = Effect.gen(function* () {
  const settings = yield* Settings
  const store = yield* Store
  const count = yield* beginTestChecks

  const lock = Effect.fnUntraced(function* (account: AccountId, number: string) {
    const setting = testNumbers.of(number)
    const known = Option.getOrNull(yield* settings.get(account, setting))
    if (known === null || known.locked === true) return
    yield* settings.note(account, setting, { ...known, locked: true })
    yield* Effect.logWarning(
      "the code of a test number was guessed at: no code is right until an operator adds the number again",
      { account, number: masked(number) }
    )
  })

  return {
    spend: Effect.fnUntraced(function* (account, number) {
      const known = Option.getOrNull(yield* settings.get(account, testNumbers.of(number)))
      const key = `test.${sha256(`${account} ${number} ${known?.added ?? ""}`).slice(0, 32)}`
      const { added, counted } = yield* store.count([{ ...BUDGET, key, amount: 1 }])
      if (counted && known?.locked !== true) return added
      count("refused")
      if (counted) yield* store.uncount(added)
      yield* lock(account, number)
      return yield* new TooManyRequests({
        message: "This test number has no checks left: an operator has to add it again.",
        reason: "no_checks_left"
      })
    }),
    settle: (spent, outcome) => {
      if (outcome !== "none") count(outcome)
      return outcome === "wrong" ? Effect.void : store.uncount(spent)
    }
  }
})
