/**
 * The available balance below which an account's endpoints receive `balance.low`: the account's setting, or else the
 * installation's. The event is written by the send that takes the balance below it, once for each time.
 */
import { BadRequest, type NotFound } from "@watchword/schemas/Errors"
import { MicroEuros, fromEuros } from "@watchword/schemas/Money"
import * as Setting from "@watchword/store/Setting"
import { type Owner, Settings } from "@watchword/store/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

export const lowBalance = Setting.make({ name: "low-balance", title: "low balance", schema: MicroEuros })

/** Sets it, in EUR; null takes it away. */
export const set = Effect.fnUntraced(function* (
  owner: Owner,
  euros: number | string | null
): Effect.fn.Return<void, BadRequest | NotFound | StoreError, Settings> {
  const settings = yield* Settings
  if (euros === null) {
    yield* settings.remove(owner, lowBalance)
    return
  }
  const amount = fromEuros(euros)
  if (Option.isNone(amount) || amount.value <= 0) {
    return yield* new BadRequest({
      message: "The low balance is not valid.",
      issues: [{ path: "euros", message: "must be an amount in EUR, more than 0, with at most six decimals" }]
    })
  }
  yield* settings.set(owner, lowBalance, amount.value)
})
