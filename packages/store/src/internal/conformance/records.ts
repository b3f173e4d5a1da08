import type { Product } from "@watchword/schemas/Channel"
import { nextAccountId, nextDeliveryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Delivery } from "../../Delivery.ts"
import { onAccount, same } from "./Case.ts"
import { AT, accountFor, closing, live, opened, reportOn, status } from "./Fixtures.ts"

export const records = [
  onAccount("find: sees nothing of another account, mode or channel", { sends: 1 }, function* ({ account, store }) {
    const other = yield* accountFor(0)
    const record = yield* opened(account)
    const { channel, id, mode } = record
    same("its own", yield* store.find({ account, mode, channel, id }), Option.some(record))
    const strangers = [
      { account: other, mode, channel, id },
      { account: nextAccountId(AT), mode, channel, id },
      { account, mode: "sandbox" as const, channel, id },
      { account, mode, channel: "call" as const, id },
      { account, mode, channel, id: nextDeliveryId(AT) }
    ]
    for (const key of strangers) same("a stranger's", yield* store.find(key), Option.none())
  }),

  onAccount(
    "findByRef: finds the delivery that was closed with a ref last, on its channel, whatever account and mode",
    { sends: 3 },
    function* ({ account, store }) {
      const other = yield* accountFor(3)
      const find = (channel: Product, ref: string) =>
        Effect.map(
          store.findByRef({ channel, ref }),
          Option.map(({ id }) => id)
        )
      const close = (delivery: Delivery, refs: ReadonlyArray<string>) =>
        store.close(closing(delivery.id, "accepted", { refs }))
      const first = yield* opened(account, { channel: "chatgw" })
      const probe = yield* opened(account, { channel: "chatgw_probe", mode: "sandbox" })
      const last = yield* opened(other, { channel: "chatgw" })
      same("nothing yet", yield* find("chatgw", "a"), Option.none())
      yield* close(first, ["a", "b"])
      yield* close(probe, ["a"])
      same(
        "on its channel",
        [yield* find("chatgw", "a"), yield* find("chatgw_probe", "a")],
        [Option.some(first.id), Option.some(probe.id)]
      )
      yield* close(last, ["a"])
      same(
        "the last",
        [yield* find("chatgw", "a"), yield* find("chatgw", "b")],
        [Option.some(last.id), Option.some(first.id)]
      )
      same("the record", yield* store.findByRef({ channel: "chatgw", ref: "b" }), yield* store.find(first))
      same("no such ref", yield* find("chatgw", "c"), Option.none())
    }
  ),

  onAccount(
    "unresolved: finds deliveries in a phase created before a time, oldest first, everywhere",
    { sends: 9 },
    function* ({ account, store }) {
      const other = yield* accountFor(9)
      const later = yield* opened(account, {}, { at: AT + 3 })
      const first = yield* opened(other, { mode: "sandbox", channel: "call" }, { at: AT + 1 })
      const middle = yield* opened(account, {}, { at: AT + 2 })
      const doubted = yield* opened(account, {}, { at: AT })
      const taken = yield* opened(account, {}, { at: AT })
      const refused = yield* opened(account, {}, { at: AT })
      yield* store.close(closing(doubted.id, "unknown"))
      yield* store.close(closing(taken.id, "accepted"))
      yield* store.close(closing(refused.id, "rejected"))
      const ids = (phase: "pending" | "unknown", createdBefore: number, limit = 10) =>
        Effect.map(store.unresolved({ phase, createdBefore, abandoned: false, limit }), (rows) =>
          rows.map(({ id }) => id)
        )
      same("pending", yield* ids("pending", AT + 10), [first.id, middle.id, later.id])
      same("the oldest two", yield* ids("pending", AT + 10, 2), [first.id, middle.id])
      same("created before", yield* ids("pending", AT + 3), [first.id, middle.id])
      same("unknown", yield* ids("unknown", AT + 10), [doubted.id])
      same("none before the first", yield* ids("pending", AT + 1), [])
      yield* store.report(reportOn(middle.id, { status: status.delivered }))
      const [, row] = yield* store.unresolved({
        phase: "pending",
        createdBefore: AT + 10,
        abandoned: false,
        limit: 10
      })
      same("the record", row, yield* live(account, middle.id))
    }
  )
]
