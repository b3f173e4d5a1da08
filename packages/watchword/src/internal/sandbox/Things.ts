/**
 * All things of an account's sandbox that a drawing of its phones shows: phones, messages and calls, and verifications.
 */
import { Siblings } from "@watchword/send/internal/channel/Siblings"
import type { ProductEntry } from "@watchword/schemas/internal/ChannelRegistry"
import type { PhoneEvent } from "@watchword/schemas/internal/Phone"
import type { Principal } from "@watchword/schemas/Principal"
import { Verification } from "@watchword/schemas/Verification"
import { type Delivery, ERASED } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Cleared from "./Cleared.ts"
import type { ReadAll } from "./Feeds.ts"
import * as Messages from "./Messages.ts"
import type { Show } from "./PhoneRecords.ts"
import type { Phones } from "./Phones.ts"

/** How far back things are shown. */
const REACH = Duration.toMillis("24 hours")

/** @param products those of messages */
export const make = Effect.fnUntraced(function* (
  products: ReadonlyArray<ProductEntry>,
  phones: Phones,
  show: Show
): Effect.fn.Return<ReadAll, never, Store> {
  const store = yield* Store
  const siblings = yield* Siblings

  const deliveries = Effect.fnUntraced(function* ({ account: { id: account } }: Principal, since: number) {
    const networks = new Map((yield* siblings).map(({ channel, network }) => [channel.name, network]))
    const after = yield* Cleared.read(store, account)
    const found = yield* Messages.records(store, { account, products, to: null, after, since })
    const shownOf = (delivery: Delivery): ReadonlyArray<PhoneEvent> => {
      const shown = show(delivery, networks.get(delivery.channel) ?? null)
      return shown === null ? [] : [shown]
    }
    return found.flatMap(shownOf)
  })

  const verifications = Effect.fnUntraced(function* (principal: Principal, since: number) {
    const list = (yield* siblings).find(({ channel }) => channel.name === "verify")?.operations["list"]
    if (list?._tag !== "List") return []
    const page = yield* Effect.mapError(list.run(principal, { rows_per_page: Messages.MOST }), unread)
    if (!isPage(page)) return []
    return page.list
      .filter(({ created_at, to }) => Date.parse(created_at) >= since && to !== ERASED)
      .map((verification): PhoneEvent => ({ type: "verification", verification }))
  })

  return Effect.fnUntraced(function* (principal) {
    const since = (yield* Clock.currentTimeMillis) - REACH
    const all = yield* phones.all(principal.account.id)
    const found = yield* Effect.all([deliveries(principal, since), verifications(principal, since)], {
      concurrency: "unbounded"
    })
    return [...all.map((phone): PhoneEvent => ({ type: "phone", phone })), ...found.flat()]
  })
})

const isPage = Schema.is(Schema.Struct({ list: Schema.Array(Verification) }))

const unread = (error: unknown): StoreError =>
  error instanceof StoreError
    ? error
    : new StoreError({ reason: "Unavailable", message: "The verifications of the sandbox could not be listed." })
