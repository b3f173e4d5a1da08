/**
 * The operator's command on the pool of numbers that an account's calls come from.
 */
import { Accounts } from "@watchword/ledger/Accounts"
import { BadRequest } from "@watchword/schemas/Errors"
import { optional } from "@watchword/schemas/Field"
import { FEWEST_ENDINGS, poolOfCallers, endingsOf } from "@watchword/schemas/Originators"
import * as Command from "../command/Command.ts"
import { Texts, account, accountOf, as, wire } from "../command/Wire.ts"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type AccountCallers, callersOf, getCallers, removeCallers, setCallers } from "@watchword/send/pipeline"

/** The length of codes unless a verification asks for another one. */
const DIGITS = 6

/** The pool of an output. */
export const poolFields = { callerPool: Schema.NullOr(Texts), allowSmallPool: Schema.Boolean }

export const pooled = (set: Option.Option<AccountCallers>) => ({
  callerPool: Option.match(set, { onNone: () => null, onSome: ({ callers }) => callers }),
  allowSmallPool: Option.exists(set, ({ allowSmall }) => allowSmall)
})

export const callers = Command.make({
  name: ["account", "callers"],
  description: "Set, show or clear the pool of numbers that an account's calls are placed from, at random",
  role: "operator",
  input: wire({
    account,
    numbers: as(
      { example: "+…,+…-+…" },
      optional(Texts, "Numbers and ranges such as +4930…000-+4930…999, separated by commas; shows the pool if omitted")
    ),
    allowSmall: optional(Schema.Boolean, "Allow verification calls even if the numbers have fewer than 1,000 endings"),
    clear: optional(Schema.Boolean, "Remove the pool")
  }),
  positional: ["account", "numbers"],
  output: wire({ account: accountOf, ...poolFields, numbers: Schema.Finite, endings: Schema.Finite }),
  before: ({ account }) => Effect.map(getCallers(account), Option.getOrNull),
  onlyShows: ({ clear = false, numbers }) => !clear && numbers === undefined,
  run: Effect.fnUntraced(function* ({ account: id, allowSmall = false, clear = false, numbers }) {
    if (clear && numbers !== undefined) {
      return yield* new BadRequest({ message: "Give either numbers or --clear." })
    }
    if (allowSmall && numbers === undefined) return yield* new BadRequest({ message: "--allow-small needs numbers." })
    if (clear) yield* removeCallers(id)
    if (numbers !== undefined) yield* setCallers(id, { callers: numbers, allowSmall })
    const { account } = yield* Accounts.use((accounts) => accounts.get(id))
    const live = yield* callersOf({ account, mode: "live", key: null, scopes: null })
    const pool = Option.match(live, { onNone: () => poolOfCallers([]), onSome: (callers) => callers.pool })
    const set = pooled(yield* getCallers(id))
    return { account: id, ...set, numbers: pool.size, endings: endingsOf(pool, DIGITS) }
  }),
  lines: ({ account, allowSmallPool, callerPool, endings, numbers }) => {
    if (callerPool === null) return [`Account ${account} has no caller pool.`]
    const isBound = poolOfCallers(callerPool).size > numbers
    return [
      `Calls of account ${account} without a caller of their own are placed from ${callerPool.join(", ")}.`,
      `${numbers} numbers may be used live${isBound ? " under the account's list of callers" : ""}.`,
      `Their last ${DIGITS} digits have ${endings} values. See docs/papers/odds.md for the odds of guessing one.`,
      ...(allowSmallPool || endings >= FEWEST_ENDINGS
        ? []
        : ["These are fewer than 1,000, so verifications place no calls; --allow-small allows them."])
    ]
  }
})
