/**
 * The mark that a clearing of the inbox leaves: an id, so that a message of the same millisecond is on one side of it.
 *
 * It is read from the store each time, because a test that clears the inbox may ask another process next.
 */
import { type AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { Service as Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The name of the setting. */
const CLEARED = "inbox-cleared"

const Mark = Schema.fromJsonString(DeliveryId)
const decode = Schema.decodeUnknownOption(Mark)
const encode = Schema.encodeSync(Mark)

/** The mark; null where the inbox was never cleared. */
export const read = (store: Store, account: AccountId): Effect.Effect<DeliveryId | null, StoreError> =>
  Effect.map(store.settings(account), (settings) =>
    Option.getOrNull(decode(settings.find(({ name }) => name === CLEARED)?.value))
  )

export const write = (store: Store, account: AccountId, mark: DeliveryId): Effect.Effect<void, StoreError> =>
  Effect.asVoid(store.changeSetting({ account, name: CLEARED, value: encode(mark) }))
