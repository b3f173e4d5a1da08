/**
 * Accounts between two installations: until a move has ended, both have the money, and neither may act by an operator's
 * word.
 *
 * The account that is moved has the move as a setting, its copy a mark that goes when the money is gone where it was.
 */
import { Conflict } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The setting of an account that keeps its move, and that of a copy whose move has not ended. */
export const MOVE = "move"
export const ARRIVING = "arriving"

const Begun = Schema.fromJsonString(
  Schema.Struct({ to: Schema.String, isShort: Schema.optionalKey(Schema.Boolean), isDone: Schema.Boolean })
)
const decode = Schema.decodeUnknownOption(Begun)

/** Fails for an account whose move has begun and has not ended. */
export const notUnderWay = Effect.fnUntraced(function* (
  account: AccountId
): Effect.fn.Return<void, Conflict | StoreError, Store> {
  const settings = yield* Store.use((store) => store.settings(account))
  const begun = begunIn(settings)
  if (begun !== null && !begun.isDone) {
    return yield* underWay(
      `Account ${account} is being moved to ${begun.to}: continue with watchword move ${account} --to FILE, or cancel the move with ` +
        "--give-up before anything has been copied."
    )
  }
  if (settings.some(({ name }) => name === ARRIVING)) {
    return yield* underWay(
      `Account ${account} is being moved here: continue with watchword move ${account} --to FILE in its old cell.`
    )
  }
})

/** The same for a credit, which lets a move continue that has found less money than was copied. */
export const mayCredit = Effect.fnUntraced(function* (account: AccountId) {
  const begun = begunIn(yield* Store.use((store) => store.settings(account)))
  if (begun === null || begun.isShort !== true) yield* notUnderWay(account)
})

const begunIn = (settings: ReadonlyArray<{ readonly name: string; readonly value: string }>) =>
  Option.getOrNull(decode(settings.find(({ name }) => name === MOVE)?.value))

const underWay = (message: string) => Effect.fail(new Conflict({ message, reason: "move_under_way" }))
