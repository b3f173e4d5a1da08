/**
 * The command on the pool of numbers that an account's calls come from.
 */
import { Accounts } from "@watchword/ledger/Accounts"
import * as CallerPool from "@watchword/schemas/internal/CallerPool"
import type { AccountId } from "@watchword/schemas/Ids"
import * as AccountCallers from "@watchword/send/internal/AccountCallers"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Database from "../Database.ts"
import { accountArgument, explainedWith, mistake, print, separated } from "./root.ts"

const flag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

export const callers = Command.make(
  "callers",
  {
    id: accountArgument,
    numbers: Argument.String("numbers").pipe(
      Argument.withDescription(
        "Numbers and ranges such as +4930…000-+4930…999, separated by commas; without, the pool is shown"
      ),
      Argument.optional
    ),
    allowSmall: flag("allow-small", "Verify by calls although the numbers have fewer than 1,000 endings"),
    clear: flag("clear", "Take the pool away")
  },
  ({ allowSmall, clear, id, numbers }) =>
    Effect.gen(function* () {
      if (clear && Option.isSome(numbers)) return yield* mistake("Numbers and --clear exclude each other.")
      if (allowSmall && Option.isNone(numbers)) return yield* mistake("--allow-small needs numbers.")
      if (clear) yield* AccountCallers.remove(id)
      if (Option.isSome(numbers)) yield* AccountCallers.set(id, { callers: separated(numbers.value), allowSmall })
      const { account } = yield* Accounts.use((accounts) => accounts.get(id))
      const live = yield* AccountCallers.of({ account, mode: "live", key: null, scopes: null })
      yield* tell(id, yield* AccountCallers.get(id), live)
    }).pipe(Effect.provide(Database.layer), explainedWith(["callers"]))
).pipe(Command.withDescription("Set, show or clear the numbers that an account's calls come from, at random"))

/** The pool as `account show` has it. */
export const described = (set: Option.Option<AccountCallers.AccountCallers>) => ({
  caller_pool: Option.match(set, { onNone: () => null, onSome: ({ callers }) => callers }),
  allow_small_pool: Option.exists(set, ({ allowSmall }) => allowSmall)
})

/** The length of codes unless a verification asks for another one. */
const DIGITS = 6

const tell = (
  account: AccountId,
  set: Option.Option<AccountCallers.AccountCallers>,
  live: Option.Option<AccountCallers.Callers>
) => {
  const pool = Option.match(live, { onNone: () => CallerPool.make([]), onSome: (callers) => callers.pool })
  const endings = CallerPool.endings(pool, DIGITS)
  const answer = { account_id: account, ...described(set), numbers: pool.size, endings }
  if (Option.isNone(set)) return print(answer, [`Account ${account} has no pool of callers.`])
  const { allowSmall, callers } = set.value
  const isBound = CallerPool.make(callers).size > pool.size
  return print(answer, [
    `Calls of account ${account} that name no caller come from ${callers.join(", ")}.`,
    `${pool.size} numbers may be used live${isBound ? ", by the account's list of callers" : ""}.`,
    `Their last ${DIGITS} digits have ${endings} values. See docs/odds.md for the chance to guess one.`,
    ...(AccountCallers.areEnough({ pool, allowSmall }, DIGITS)
      ? []
      : ["These are fewer than 1,000, so verifications make no calls; --allow-small lets them."])
  ])
}
