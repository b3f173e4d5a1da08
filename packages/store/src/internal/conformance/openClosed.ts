/** Sends whose outcome is known when they are opened: both steps in one. */
import { nextAccountId, nextDeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Store } from "../../Store.ts"
import { check, onAccount, same } from "./Case.ts"
import {
  AT,
  accountFor,
  atOnce,
  balance,
  balanceOf,
  claim,
  closing,
  ending,
  kindsOf,
  ledgerOf,
  live,
  opened,
  opening,
  prices,
  receipt,
  recordOf,
  status,
  tally
} from "./Fixtures.ts"

const outcomes = ["accepted", "rejected", "refunded", "unknown"] as const

const byRef = Effect.fnUntraced(function* (ref: string) {
  const store = yield* Store
  return yield* store.findByRef({ channel: "sms", ref })
})

export const openClosed = [
  check(
    "open with close: comes to the same as both steps, whatever the outcome and the price",
    Effect.gen(function* () {
      const store = yield* Store
      for (const outcome of outcomes) {
        for (const price of [prices(2), zero]) {
          const fields = { id: nextDeliveryId(AT), price, parts: 2, details: { encoding: "gsm7", route: "a" } }
          const end = ending(outcome, { details: { route: "b", cost: 2, none: null } })
          const [stepwise, whole] = [yield* accountFor(3), yield* accountFor(3)]
          yield* opened(stepwise, fields)
          const closed = yield* store.close({ ...end, id: fields.id, at: AT })
          const before = yield* live(stepwise, fields.id)
          const other = opening(whole, { ...fields, id: nextDeliveryId(AT) }, { close: end })
          const record = { ...before, id: other.delivery.id, account: whole }
          const available = closed._tag === "Closed" ? closed.available : zero
          same(`${outcome}: answer`, yield* store.open(other), { _tag: "Opened", delivery: record, available })
          same(`${outcome}: record`, yield* live(whole, record.id), record)
          same(`${outcome}: balance`, yield* balanceOf(whole), yield* balanceOf(stepwise))
          const entries = (account: typeof whole) =>
            Effect.map(ledgerOf(account), (all) =>
              all.map(({ amount, at, from, kind, to }) => [kind, from, to, amount, at])
            )
          same(`${outcome}: entries`, yield* entries(whole), yield* entries(stepwise))
        }
      }
    })
  ),

  onAccount(
    "open with close: names the delivery in both entries, the hold first",
    { sends: 2 },
    function* ({ account }) {
      const kept = yield* opened(account, {}, { close: ending("accepted") })
      const lost = yield* opened(account, {}, { close: ending("rejected") })
      const [, ...entries] = yield* ledgerOf(account)
      same(
        "entries",
        entries.map(({ delivery, kind }) => [kind, delivery]),
        [
          ["hold", kept.id],
          ["settle", kept.id],
          ["hold", lost.id],
          ["release", lost.id]
        ]
      )
      same("ids", new Set(entries.map(({ id }) => id)).size, 4)
    }
  ),

  onAccount("open with close: moves the status only to a higher rank", { sends: 1 }, function* ({ account }) {
    const equal = { name: "equal", rank: status.begun.rank }
    const record = yield* opened(account, {}, { close: ending("accepted", { status: equal }) })
    same("record", [record.phase, record.status, record.statusAt], ["accepted", status.begun, AT])
  }),

  onAccount(
    "open with close: is listed, counted and resolved as what it is",
    { sends: 9 },
    function* ({ account, store }) {
      const records = yield* Effect.forEach(outcomes, (outcome) => opened(account, {}, { close: ending(outcome) }))
      const partition = { account, mode: "live", channel: "sms" } as const
      const sort = { field: "id", direction: "ASC" } as const
      const all = yield* store.list({ ...partition, where: [], sort, offset: 0, limit: 10 })
      same("list", all, { total: 4, rows: records })
      const where = [{ _tag: "In", field: "status", values: [status.failed.name] }] as const
      const failed = yield* store.list({ ...partition, where, sort, offset: 0, limit: 10 })
      same("failed", failed, { total: 1, rows: records.slice(1, 2) })
      const open = (phase: "pending" | "unknown") =>
        store.unresolved({ phase, createdBefore: AT + 1, abandoned: false, limit: 10 })
      same("pending", yield* open("pending"), [])
      same("unknown", yield* open("unknown"), records.slice(3))
    }
  ),

  onAccount(
    "open with close: an unknown outcome may be closed later, a final one may not",
    { sends: 2 },
    function* ({ account, store }) {
      const unknown = yield* opened(account, {}, { close: ending("unknown", { refs: ["a"] }) })
      same("unknown", (yield* store.close(closing(unknown.id, "accepted", { refs: ["b"] })))._tag, "Closed")
      same("its first part", (yield* store.report(receipt(["a"])))._tag, "Moved")
      const final = yield* opened(account, {}, { close: ending("accepted") })
      same("final", (yield* store.close(closing(final.id, "rejected")))._tag, "Unchanged")
      same("entries", yield* kindsOf(account), "credit hold settle hold settle")
    }
  ),

  onAccount(
    "open with close: receipts find the delivery by its refs, also by those that another had before",
    { sends: 2 },
    function* ({ account, store }) {
      const old = yield* opened(account, {}, { close: ending("accepted", { refs: ["a"] }) })
      same("one part", yield* byRef("a"), Option.some(old))
      const young = yield* opened(account, { parts: 2 }, { close: ending("accepted", { refs: ["a", "b"] }) })
      for (const ref of ["a", "b"]) same(ref, yield* byRef(ref), Option.some(young))
      same("the first part", (yield* store.report(receipt(["a"])))._tag, "Unchanged")
      same("the first part again", (yield* store.report(receipt(["a"])))._tag, "Unchanged")
      same("the second part", (yield* store.report(receipt(["b"])))._tag, "Moved")
      same("old", (yield* live(account, old.id)).status, status.sent)
      same("young", (yield* live(account, young.id)).status, status.delivered)
    }
  ),

  onAccount(
    "open with close: replays the unmatched reports under its refs, in their order",
    { sends: 2 },
    function* ({ account, store }) {
      yield* store.report(receipt(["a"], { status: status.sent, details: { first: true }, at: AT + 1 }))
      yield* store.report(receipt(["b", "a"], { details: { last: true }, at: AT + 2 }))
      yield* store.report(receipt(["a"], { message: { to: "+4915100000009", reference: null } }))
      const end = ending("accepted", { status: status.begun, refs: ["a"] })
      const request = opening(account, {}, { close: end })
      const record = {
        ...request.delivery,
        phase: "accepted" as const,
        named: 1,
        status: status.delivered,
        createdAt: AT,
        statusAt: AT + 2,
        dueAt: null,
        watch: null,
        details: { first: true, last: true }
      }
      const answer = { _tag: "Opened" as const, delivery: record, available: prices(1) }
      same("answer", yield* store.open(request), answer)
      same("record", yield* live(account, record.id), record)
      same("again", yield* store.open(request), answer)
      same("a report for another number still waits", (yield* store.report(receipt(["c"])))._tag, "Unmatched")
      const meant = opening(account, { to: "+4915100000009" }, { close: end })
      same("and is applied there", recordOf(yield* store.open(meant)).status, status.delivered)
      same("entries", yield* kindsOf(account), "credit hold settle hold settle")
    }
  ),

  onAccount(
    "open with close: an unmatched report proves an unknown outcome, and gives the price back",
    { sends: 3 },
    function* ({ account, store }) {
      yield* store.report(receipt(["a"]))
      const proven = opening(account, {}, { close: ending("unknown", { refs: ["a"] }) })
      const first = yield* store.open(proven)
      const record = yield* live(account, proven.delivery.id)
      same("proven", first, { _tag: "Opened", delivery: record, available: prices(2) })
      same("phase", [record.phase, record.status], ["accepted", status.delivered])
      for (const outcome of ["accepted", "unknown"] as const) {
        yield* store.report(receipt([outcome], { refund: true }))
        const answer = yield* store.open(opening(account, {}, { close: ending(outcome, { refs: [outcome] }) }))
        same("available", answer._tag === "Opened" ? answer.available : null, prices(2))
        same("refunded", recordOf(answer).phase, "refunded")
      }
      same("entries", yield* kindsOf(account), "credit hold settle hold settle refund hold release")
      same("balance", yield* balanceOf(account), balance(2, 0))
    }
  ),

  onAccount(
    "open with close: unmatched reports for all parts are put together",
    { sends: 2 },
    function* ({ account, store }) {
      for (const ref of ["a", "b", "c"]) yield* store.report(receipt([ref]))
      const open = (refs: ReadonlyArray<string>) =>
        opened(account, { parts: 2 }, { close: ending("accepted", { refs }) })
      same("both", (yield* open(["a", "b"])).status, status.delivered)
      same("one", (yield* open(["c", "d"])).status, status.sent)
      same("the other", (yield* store.report(receipt(["d"])))._tag, "Moved")
    }
  ),

  onAccount(
    "open with close: repeating it answers Opened with the record as it is, and changes nothing",
    { sends: 3 },
    function* ({ account, store }) {
      const request = opening(account, {}, { claims: [claim("a")], close: ending("accepted", { refs: ["a"] }) })
      const first = yield* store.open(request)
      same("at once", yield* store.open(request), first)
      const otherwise = { ...request, claims: [claim("b")], close: ending("rejected", { refs: ["b"] }), at: AT + 5 }
      same("otherwise", yield* store.open(otherwise), first)
      same("without an end", yield* store.open(opening(account, { id: request.delivery.id })), first)
      same("the other ref", yield* byRef("b"), Option.none())
      yield* store.report(receipt(["a"]))
      const record = yield* live(account, request.delivery.id)
      same("later", yield* store.open(request), { _tag: "Opened", delivery: record, available: prices(2) })
      const pending = yield* opened(account)
      const late = opening(account, { id: pending.id }, { close: ending("accepted", { refs: ["c"] }) })
      same("the pending one stays pending", recordOf(yield* store.open(late)), pending)
      same("entries", yield* kindsOf(account), "credit hold settle hold")
    }
  ),

  onAccount(
    "open with close: one that is not let through leaves nothing behind",
    { sends: 1 },
    function* ({ account, store }) {
      yield* opened(account, { price: zero }, { claims: [claim("a")] })
      for (const early of [false, true]) {
        if (early) yield* store.report(receipt(["r"]))
        const close = ending("accepted", { refs: ["r"] })
        const refused = [
          opening(account, {}, { claims: [claim("free"), claim("a")], close }),
          opening(account, { price: prices(2) }, { claims: [claim("free")], close }),
          opening(account, { price: prices(2) }, { close: ending("rejected", { refs: ["r"] }) }),
          opening(nextAccountId(AT), {}, { close })
        ]
        const tags = []
        for (const request of refused) {
          tags.push((yield* store.open(request))._tag)
          same("record", yield* store.find(request.delivery), Option.none())
          same("ref", yield* byRef("r"), Option.none())
        }
        same("answers", tags, ["Claimed", "Insufficient", "Insufficient", "NoAccount"])
      }
      same("entries", yield* kindsOf(account), "credit")
      const free = opening(account, {}, { claims: [claim("free")], close: ending("accepted", { refs: ["r"] }) })
      same("the unmatched report is still there", recordOf(yield* store.open(free)).status, status.delivered)
    }
  ),

  onAccount(
    "open with close: a claim passes on from a delivery that was rejected, or has ended, as it says",
    { sends: 20 },
    function* ({ account, store }) {
      for (const outcome of outcomes) {
        for (const heldUntil of ["expiry", "rejection", "end"] as const) {
          const key = `${outcome}, held until ${heldUntil}`
          const attempt = () =>
            store.open(opening(account, {}, { claims: [claim(key, { heldUntil })], close: ending(outcome) }))
          const first = recordOf(yield* attempt())
          const next = yield* attempt()
          const ended = outcome === "rejected" || (outcome === "refunded" && heldUntil === "end")
          const passes = ended && heldUntil !== "expiry"
          same(key, next._tag, passes ? "Opened" : "Claimed")
          if (next._tag === "Claimed") same(`${key}, by`, next.by, first)
        }
      }
    }
  ),

  check(
    "open with close: of a hundred at once on a balance for ten, ten are let through; of those released at once, all",
    Effect.gen(function* () {
      const store = yield* Store
      const [settling, releasing] = [yield* accountFor(10), yield* accountFor(10)]
      const attempt = (account: typeof settling, outcome: (typeof outcomes)[number]) =>
        atOnce(100, (index) =>
          store.open(opening(account, {}, { close: ending(outcome, { refs: [`${outcome} ${index}`] }) }))
        )
      same("accepted", tally(yield* attempt(settling, "accepted")), { Opened: 10, Insufficient: 90 })
      same("balance", yield* balanceOf(settling), balance(0, 0))
      same("entries", (yield* ledgerOf(settling)).length, 21)
      same("rejected", tally(yield* attempt(releasing, "rejected")), { Opened: 100 })
      same("balance", yield* balanceOf(releasing), balance(10, 0))
      same("entries", (yield* ledgerOf(releasing)).length, 201)
    })
  ),

  onAccount(
    "open with close: with its receipt at the same time comes to the same in either order",
    { sends: 40 },
    function* ({ account, store }) {
      const requests = Array.from({ length: 40 }, (_, index) => {
        const close = ending(index % 4 === 0 ? "unknown" : "accepted", { refs: [`ref ${index}`] })
        return opening(account, {}, { close })
      })
      yield* Effect.forEach(
        requests.flatMap((request, index) => {
          const both = [Effect.asVoid(store.open(request)), Effect.asVoid(store.report(receipt([`ref ${index}`])))]
          return index % 2 === 0 ? both : both.toReversed()
        }),
        (step) => step,
        { concurrency: "unbounded", discard: true }
      )
      for (const { delivery } of requests) {
        const record = yield* live(account, delivery.id)
        same("record", [record.phase, record.status.name], ["accepted", "delivered"])
      }
      same("balance", yield* balanceOf(account), balance(0, 0))
    }
  )
]
