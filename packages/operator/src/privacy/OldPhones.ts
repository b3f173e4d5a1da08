/**
 * Phones of the sandbox that were set long ago: their numbers are removed like the numbers of old records.
 */
import { phoneSettings as phones } from "@watchword/sandbox/phoneSettings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

/** Removes the phones of all accounts that were set before a time. */
export const remove = Effect.fnUntraced(function* (before: number): Effect.fn.Return<void, StoreError, Store> {
  const store = yield* Store
  for (const { account } of yield* store.accounts) {
    for (const { name, value } of yield* store.settings(account.id)) {
      if (!name.startsWith(phones.prefix)) continue
      const phone = phones.of(name.slice(phones.prefix.length)).read(value)
      const isOld = Result.isSuccess(phone) && phone.success.set_at < before
      if (isOld) yield* store.changeSetting({ account: account.id, name, value: null })
    }
  }
})
