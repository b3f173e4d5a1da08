/**
 * All things of an account's sandbox that a drawing of its phones shows: phones, messages and calls, and verifications.
 */
import type { ProductEntry } from "@watchword/schemas/ChannelRegistry"
import type { PhoneEvent } from "@watchword/schemas/SandboxPhone"
import type { Principal } from "@watchword/schemas/Account"
import { Receiving } from "@watchword/send/channel/Receiving"
import { format as verification } from "@watchword/verify/Format"
import { type Delivery, ERASED } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { cleared } from "../inbox/Cleared.ts"
import type { ReadAll } from "./Feeds.ts"
import * as Messages from "../inbox/Messages.ts"
import type { Show } from "../phones/PhoneRecords.ts"
import type { Phones } from "../phones/Phones.ts"
import type { Networks } from "../simulator/Stages.ts"

/** How far back things are shown. */
const REACH = Duration.toMillis("24 hours")

/** @param products of messages */
export const make = Effect.fnUntraced(function* (
  products: ReadonlyArray<ProductEntry>,
  phones: Phones,
  show: Show,
  networks: Networks
): Effect.fn.Return<ReadAll, never, Store> {
  const store = yield* Store
  const receiving = yield* Receiving

  const deliveries = Effect.fnUntraced(function* ({ account: { id: account } }: Principal, since: number) {
    const after = yield* cleared.read(store, account)
    const found = yield* Messages.records(store, { account, products, to: null, after, since })
    const shownOf = (delivery: Delivery): ReadonlyArray<PhoneEvent> => {
      const shown = show(delivery, networks.get(delivery.channel) ?? null)
      return shown === null ? [] : [shown]
    }
    return found.flatMap(shownOf)
  })

  const verificationOf = (row: Delivery) =>
    Effect.map(receiving.instructions(row), (instructions): PhoneEvent => {
      const present = instructions.map(({ shown }) => shown)
      const wire = verification.toWire(row)
      return { type: "verification", verification: present.length === 0 ? wire : { ...wire, present } }
    })

  const verifications = ({ account }: Principal, since: number) =>
    Effect.flatMap(
      store.list({
        account: account.id,
        mode: "sandbox",
        channel: verification.product,
        where: [{ _tag: "Range", field: "createdAt", gte: since }],
        sort: { field: "createdAt", direction: "DESC" },
        offset: 0,
        limit: Messages.MOST
      }),
      ({ rows }) =>
        Effect.forEach(
          rows.filter(({ to }) => to !== ERASED),
          verificationOf
        )
    )

  return Effect.fnUntraced(function* (principal) {
    const since = (yield* Clock.currentTimeMillis) - REACH
    const all = yield* phones.all(principal.account.id)
    const found = yield* Effect.all([deliveries(principal, since), verifications(principal, since)], {
      concurrency: "unbounded"
    })
    return [...all.map((phone): PhoneEvent => ({ type: "phone", phone })), ...found.flat()]
  })
})
