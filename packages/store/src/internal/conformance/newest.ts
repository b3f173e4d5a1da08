import { DeliveryId, firstUlid, nextAccountId, nextUlid } from "@watchword/schemas/Ids"
import { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import * as Effect from "effect/Effect"
import { type Newest, type StatusCount, Store } from "../../Store.ts"
import { check, onAccount, same } from "./Case.ts"
import { AT, DAY, accountFor, ending, opened, opening, prices, recordOf, reportOn, status } from "./Fixtures.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const anything: Newest = {
  since: AT,
  until: AT + DAY,
  before: null,
  account: null,
  mode: null,
  channels: ["sms", "call", "verify"],
  where: [],
  limit: 100,
  reach: 1_000,
  many: false
}

/** An id of a time: a process makes none of an earlier time than its last one. */
const idOf = (at: number): DeliveryId => DeliveryId.make(firstUlid(at).slice(0, 10) + nextUlid(at).slice(10))

const found = (query: Partial<Newest>) =>
  Store.use((store) =>
    Effect.map(store.newestDeliveries({ ...anything, ...query }), ({ next, rows }) => ({
      ids: rows.map(({ id }) => id),
      next
    }))
  )

export const newest = [
  check(
    "newestDeliveries: finds those of all accounts that meet the conditions, greatest id first",
    Effect.gen(function* () {
      const [one, other] = [yield* accountFor(9), yield* accountFor(9)]
      const sent = (account: typeof one, minutes: number, fields: Parameters<typeof opening>[1] = {}) =>
        opened(account, { id: idOf(AT + minutes * MINUTE), ...fields }, { at: AT + minutes * MINUTE })
      const first = yield* sent(one, 0)
      const second = yield* sent(other, 1, { channel: "call", details: { carrier: "blue" } })
      const third = yield* sent(one, 2, { mode: "sandbox", details: { carrier: "red" } })
      const fourth = yield* sent(other, 3, { channel: "verify", price: prices(0), status: status.delivered })
      yield* sent(one, 4, { channel: "chatgw" })
      const ids = (query: Partial<Newest>) => Effect.map(found(query), (page) => page.ids)
      const all = [fourth.id, third.id, second.id, first.id]
      same("all", yield* found({}), { ids: all, next: null })
      same("of an account", yield* ids({ account: one }), [third.id, first.id])
      same("of an account that does not exist", yield* ids({ account: nextAccountId(AT) }), [])
      same("of a mode", yield* ids({ mode: "live" }), [fourth.id, second.id, first.id])
      same("of channels", yield* ids({ channels: ["call", "verify"] }), [fourth.id, second.id])
      same("of no channel", yield* ids({ channels: [] }), [])
      same("since", yield* ids({ since: AT + MINUTE }), [fourth.id, third.id, second.id])
      same("until", yield* ids({ until: AT + 3 * MINUTE }), [third.id, second.id, first.id])
      same("before", yield* ids({ before: third.id }), [second.id, first.id])
      same("before, until", yield* ids({ before: fourth.id, until: AT + MINUTE }), [first.id])
      same("in a status", yield* ids({ where: [{ _tag: "In", field: "status", values: ["delivered"] }] }), [fourth.id])
      same("with a detail", yield* ids({ where: [{ _tag: "Range", field: "details.carrier", gte: "" }] }), [
        third.id,
        second.id
      ])
      same(
        "with both",
        yield* ids({
          account: one,
          where: [
            { _tag: "In", field: "details.carrier", values: ["red", "blue"] },
            { _tag: "In", field: "status", values: ["sent"] }
          ]
        }),
        [third.id]
      )
    })
  ),

  onAccount(
    "newestDeliveries: goes on from page to page, and looks at no more records than it may",
    { sends: 9 },
    function* ({ account }) {
      const ids: Array<DeliveryId> = []
      for (let n = 0; n < 7; n++) ids.push((yield* opened(account, { id: idOf(AT), details: { odd: n % 2 === 1 } })).id)
      /** A page by the letters of its records, from `a` on, and that of its `next`. */
      const page = (query: Partial<Newest>, before?: string) =>
        Effect.map(
          found({ ...query, before: ids["abcdefg".indexOf(before ?? "-")] ?? null }),
          ({ ids: rows, next }) =>
            `${rows.map((id) => "abcdefg"[ids.indexOf(id)]).join("")} ${next === null ? "-" : "abcdefg"[ids.indexOf(next)]}`
        )
      const odd = { where: [{ _tag: "In", field: "details.odd", values: [true] }] } as const
      same("a page", yield* page({ limit: 3 }), "gfe e")
      same("the next", yield* page({ limit: 3 }, "e"), "dcb b")
      same("the last", yield* page({ limit: 3 }, "b"), "a -")
      same("with a condition", yield* page({ ...odd, limit: 2 }), "fd d")
      same("within reach", yield* page({ ...odd, reach: 3 }), "f e")
      same("beyond it", yield* page({ ...odd, reach: 3 }, "e"), "db b")
      same("the rest", yield* page({ ...odd, reach: 3 }, "b"), " -")
    }
  ),

  check(
    "newestDeliveries: pages add up to all records that meet the conditions, however far they lie apart",
    Effect.gen(function* () {
      const store = yield* Store
      const [busy, rare] = [yield* accountFor(200), yield* accountFor(200)]
      const records = Array.from({ length: 160 }, (_, n) => {
        const isRare = n < 40 && n % 8 === 0
        return {
          at: AT + n * 7 * MINUTE,
          id: idOf(AT + n * 7 * MINUTE),
          account: isRare ? rare : busy,
          mode: n % 3 === 0 ? "sandbox" : "live",
          channel: n % 2 === 0 ? "sms" : "call",
          // Receipts come hours later, and move a text to another place in lists.
          status: n < 60 && n % 11 === 0 ? status.failed : n % 5 === 0 ? status.delivered : status.sent
        } as const
      })
      yield* Effect.forEach(
        records,
        ({ account, at, channel, id, mode, status }) =>
          Effect.andThen(
            store.open(opening(account, { id, mode, channel }, { at, close: ending("accepted") })),
            store.report(reportOn(id, { status, at: at + 9 * HOUR }))
          ),
        { concurrency: 16 }
      )
      const all = (query: Partial<Newest>) =>
        Effect.gen(function* () {
          const ids: Array<DeliveryId> = []
          let before: DeliveryId | null = null
          do {
            const page: { readonly ids: ReadonlyArray<DeliveryId>; readonly next: DeliveryId | null } = yield* found({
              ...query,
              before,
              limit: 7,
              reach: 50
            })
            ids.push(...page.ids)
            before = page.next
          } while (before !== null)
          return ids
        })
      const expected = (meets: (record: (typeof records)[number]) => boolean) =>
        records
          .filter(meets)
          .map(({ id }) => id)
          .toReversed()
      const failed = { where: [{ _tag: "In", field: "status", values: ["failed"] }] } as const
      same(
        "all",
        yield* all({}),
        expected(() => true)
      )
      same(
        "of the rare account",
        yield* all({ account: rare }),
        expected(({ account }) => account === rare)
      )
      same(
        "of a mode and a channel of it",
        yield* all({ account: rare, mode: "live", channels: ["sms"] }),
        expected(({ account, channel, mode }) => account === rare && mode === "live" && channel === "sms")
      )
      same(
        "in the rare status",
        yield* all(failed),
        expected(({ status }) => status.name === "failed")
      )
      same(
        "since a time",
        yield* all({ ...failed, since: AT + 3 * HOUR }),
        expected(({ at, status }) => at >= AT + 3 * HOUR && status.name === "failed")
      )
      same(
        "until a time",
        yield* all({ account: rare, until: AT + 2 * HOUR }),
        expected(({ account, at }) => at < AT + 2 * HOUR && account === rare)
      )
      same(
        "in two statuses at once",
        yield* all({ where: [...failed.where, { _tag: "In", field: "status", values: ["sent"] }] }),
        []
      )
    })
  ),

  check(
    "countDeliveries: counts by mode, product and status, and by the time of each product's lists",
    Effect.gen(function* () {
      const store = yield* Store
      const { products } = yield* ChannelRegistry
      const [one, other] = [yield* accountFor(99), yield* accountFor(99)]
      const sent = (account: typeof one, at: number, fields: Parameters<typeof opening>[1] = {}) =>
        Effect.map(
          store.open(opening(account, { id: idOf(at), ...fields }, { at, close: ending("accepted") })),
          recordOf
        )
      const moved = yield* sent(one, AT)
      yield* sent(other, AT + MINUTE)
      yield* sent(one, AT + 5 * HOUR)
      yield* sent(other, AT + 9 * HOUR, { channel: "call" })
      const rings = yield* sent(one, AT + 9 * HOUR, { channel: "call", mode: "sandbox" })
      yield* sent(one, AT + 30 * HOUR)
      yield* store.report(reportOn(moved.id, { at: AT + 20 * HOUR }))
      yield* store.report(reportOn(rings.id, { at: AT + 40 * HOUR }))
      const counts = (since: number, until: number, some = products) =>
        Effect.map(store.countDeliveries({ products: some, since, until }), (rows) => rows.map(written).toSorted())
      const calls = ["live call sent 1", "sandbox call delivered 1"]
      same("all", yield* counts(AT, AT + 2 * DAY), [...calls, "live sms delivered 1", "live sms sent 3"].toSorted())
      same("since a minute", yield* counts(AT + MINUTE, AT + 20 * HOUR), [...calls, "live sms sent 2"].toSorted())
      same("behind a minute", yield* counts(AT + MINUTE + 1, AT + 20 * HOUR), [...calls, "live sms sent 1"].toSorted())
      same("until", yield* counts(AT + 6 * HOUR, AT + 9 * HOUR), [])
      same("one millisecond", yield* counts(AT + 20 * HOUR, AT + 20 * HOUR + 1), ["live sms delivered 1"])
      same("no time", yield* counts(AT, AT), [])
      const sms = products.filter(({ name }) => name === "sms")
      same("of one product", yield* counts(AT + 9 * HOUR, AT + 2 * DAY, sms), [
        "live sms delivered 1",
        "live sms sent 1"
      ])
    })
  )
]

const written = ({ channel, count, mode, status }: StatusCount): string => `${mode} ${channel} ${status} ${count}`
