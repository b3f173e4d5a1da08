import { nextDeliveryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import { Store } from "../../Store.ts"
import { check, onAccount, same } from "./Case.ts"
import {
  AT,
  accepted,
  atOnce,
  balance,
  balanceOf,
  closing,
  kindsOf,
  live,
  opened,
  receipt,
  reportOn,
  status,
  tally,
  apart
} from "./Fixtures.ts"

export const report = [
  onAccount("report: by id moves the status alone", { sends: 1 }, function* ({ account, store }) {
    const before = yield* opened(account, { parts: 3, details: { a: 1, b: 2 } })
    const answer = yield* store.report(reportOn(before.id, { details: { b: 3 }, everyPart: true }))
    const record = { ...before, status: status.delivered, statusAt: AT + 2_000, details: { a: 1, b: 3 } }
    same("answer", apart(answer), { _tag: "Moved", delivery: record })
    same("record", yield* live(account, before.id), record)
    same("balance", yield* balanceOf(account), balance(0, 1))
  }),

  onAccount("report: changes nothing unless the rank is higher", { sends: 1 }, function* ({ account, store }) {
    const { id } = yield* opened(account)
    yield* store.report(reportOn(id))
    const record = yield* live(account, id)
    for (const late of [status.delivered, status.failed, status.sent, status.begun]) {
      const answer = yield* store.report(reportOn(id, { status: late, details: { x: 1 }, at: AT + 9_000 }))
      same(late.name, apart(answer), { _tag: "Unchanged", delivery: record })
    }
    same("record", yield* live(account, id), record)
    same("a higher rank", (yield* store.report(reportOn(id, { status: status.read })))._tag, "Moved")
  }),

  onAccount(
    "report: without a status changes details alone, and is Moved",
    { sends: 1 },
    function* ({ account, store }) {
      const before = yield* opened(account, { details: { a: 1, b: 2 } })
      const answer = yield* store.report(reportOn(before.id, { status: null, details: { b: null, c: "new" } }))
      const record = { ...before, details: { a: 1, b: null, c: "new" } }
      same("answer", apart(answer), { _tag: "Moved", delivery: record })
      same("record", yield* live(account, before.id), record)
      same("balance", yield* balanceOf(account), balance(0, 1))
      yield* store.report(reportOn(before.id))
      yield* store.report(reportOn(before.id, { status: null, details: { a: 9 }, at: AT + 9_000 }))
      const final = { ...record, status: status.delivered, statusAt: AT + 2_000, details: { ...record.details, a: 9 } }
      same("whatever the status", yield* live(account, before.id), final)
    }
  ),

  onAccount(
    "report: takes effect only when the details have what it names",
    { sends: 1 },
    function* ({ account, store }) {
      const before = yield* opened(account, { details: { a: 1, n: null } })
      for (const when of [{ a: 2 }, { a: "1" }, { a: null }, { n: 0 }, { absent: false }, { a: 1, n: "x" }]) {
        for (const moved of [null, status.delivered]) {
          const answer = yield* store.report(reportOn(before.id, { status: moved, when, details: { b: 1 } }))
          same(JSON.stringify(when), apart(answer), { _tag: "Unchanged", delivery: before })
        }
      }
      same("record", yield* live(account, before.id), before)
      const when = { a: 1, n: null, absent: null }
      same(
        "all met",
        (yield* store.report(reportOn(before.id, { status: null, when, details: { b: 1 } })))._tag,
        "Moved"
      )
      same("and a status", (yield* store.report(reportOn(before.id, { when: { b: 1 } })))._tag, "Moved")
      const record = yield* live(account, before.id)
      same("status", [record.status, record.details], [status.delivered, { a: 1, n: null, b: 1 }])
    }
  ),

  onAccount(
    "report: of many at once under the same condition, one takes effect",
    { sends: 1 },
    function* ({ account, store }) {
      const { id } = yield* opened(account)
      const answers = yield* atOnce(20, (index) =>
        store.report(reportOn(id, { status: null, when: { winner: null }, details: { winner: index } }))
      )
      same("answers", tally(answers), { Moved: 1, Unchanged: 19 })
      const moved = answers.find(({ _tag }) => _tag === "Moved")
      same("record", moved?._tag === "Moved" ? moved.delivery : null, yield* live(account, id))
    }
  ),

  onAccount(
    "report: without a status about a part proves it, and is kept with its condition until its close",
    { sends: 2 },
    function* ({ account, store }) {
      const known = yield* opened(account)
      yield* store.close(closing(known.id, "unknown", { refs: ["a"] }))
      const seen = receipt(["a"], { status: null, everyPart: false, details: { seen: true } })
      same("answer", (yield* store.report(seen))._tag, "Moved")
      const record = yield* live(account, known.id)
      same("record", [record.phase, record.status, record.details], ["accepted", status.begun, { seen: true }])
      const early = yield* opened(account, { details: { x: 1 } })
      const about = { status: null, everyPart: false } as const
      yield* store.report(receipt(["b"], { ...about, when: { x: 2 }, details: { no: true } }))
      same("unmatched", (yield* store.report(receipt(["b"], { ...about, details: { yes: true } })))._tag, "Unmatched")
      yield* store.close(closing(early.id, "accepted", { refs: ["b"] }))
      same("applied", (yield* live(account, early.id)).details, { x: 1, yes: true })
      same("status", (yield* live(account, early.id)).status, status.sent)
    }
  ),

  check(
    "report: is Missing for an id that no delivery has",
    Effect.gen(function* () {
      const store = yield* Store
      same("answer", yield* store.report(reportOn(nextDeliveryId(AT))), { _tag: "Missing" })
    })
  ),

  onAccount(
    "report: about a part reaches the delivery that its ref was given to",
    { sends: 2 },
    function* ({ account, store }) {
      const [one, other] = [yield* accepted(account, ["a"]), yield* accepted(account, ["b"])]
      const answer = yield* store.report(receipt(["b"], { details: { carrier: "DELIVRD" } }))
      const record = yield* live(account, other)
      same("answer", apart(answer), { _tag: "Moved", delivery: record })
      same("record", [record.status, record.details], [status.delivered, { carrier: "DELIVRD" }])
      same("the other", (yield* live(account, one)).status, status.sent)
      same("again", apart(yield* store.report(receipt(["b"]))), { _tag: "Unchanged", delivery: record })
    }
  ),

  onAccount(
    "report: about a part settles an unknown outcome, whether or not the status moves",
    { sends: 2 },
    function* ({ account, store }) {
      const [one, other] = [yield* opened(account), yield* opened(account)]
      yield* store.close(closing(one.id, "unknown", { refs: ["a"] }))
      yield* store.close(closing(other.id, "unknown", { refs: ["b"] }))
      same("moved", (yield* store.report(receipt(["a"])))._tag, "Moved")
      same("unmoved", (yield* store.report(receipt(["b"], { status: status.begun })))._tag, "Unchanged")
      for (const { id } of [one, other]) same("phase", (yield* live(account, id)).phase, "accepted")
      same("balance", yield* balanceOf(account), balance(0, 0))
      same("entries", yield* kindsOf(account), "credit hold hold settle settle")
      same("final", (yield* store.close(closing(one.id, "rejected")))._tag, "Unchanged")
    }
  ),

  onAccount(
    "report: about a part takes nothing back from a rejected delivery",
    { sends: 1 },
    function* ({ account, store }) {
      const { id } = yield* opened(account)
      yield* store.close(closing(id, "rejected", { refs: ["a"] }))
      same("answer", (yield* store.report(receipt(["a"])))._tag, "Unchanged")
      same("phase", (yield* live(account, id)).phase, "rejected")
      same("entries", yield* kindsOf(account), "credit hold release")
    }
  ),

  onAccount(
    "report: of every part, the status is reached with the last part, and a repeat counts once",
    { sends: 1 },
    function* ({ account, store }) {
      const id = yield* accepted(account, ["a", "b", "c"])
      const before = yield* live(account, id)
      for (const ref of ["a", "b", "a", "b"]) {
        const answer = yield* store.report(receipt([ref], { details: { part: ref } }))
        same(`part ${ref}`, apart(answer), { _tag: "Unchanged", delivery: before })
      }
      const last = yield* store.report(receipt(["c"], { details: { part: "c" }, at: AT + 7_000 }))
      const record = { ...before, status: status.delivered, statusAt: AT + 7_000, details: { part: "c" } }
      same("the last", apart(last), { _tag: "Moved", delivery: record })
      same("after that", (yield* store.report(receipt(["a"])))._tag, "Unchanged")
    }
  ),

  onAccount("report: of every part, each status is counted for itself", { sends: 1 }, function* ({ account, store }) {
    const id = yield* accepted(account, ["a", "b"])
    const tags = []
    for (const [ref, reached] of [
      ["a", status.delivered],
      ["b", status.read],
      ["b", status.delivered],
      ["a", status.read]
    ] as const) {
      tags.push((yield* store.report(receipt([ref], { status: reached })))._tag)
    }
    same("answers", tags, ["Unchanged", "Unchanged", "Moved", "Moved"])
    same("status", (yield* live(account, id)).status, status.read)
  }),

  onAccount(
    "report: of one part is enough unless every part is asked for",
    { sends: 1 },
    function* ({ account, store }) {
      const id = yield* accepted(account, ["a", "b"])
      yield* store.report(receipt(["a"]))
      same("failed", (yield* store.report(receipt(["b"], { status: status.failed, everyPart: false })))._tag, "Moved")
      same("late", (yield* store.report(receipt(["b"])))._tag, "Unchanged")
      same("status", (yield* live(account, id)).status, status.failed)
    }
  ),

  onAccount(
    "report: of many at once that say the same, one moves the status",
    { sends: 1 },
    function* ({ account, store }) {
      yield* accepted(account, ["a"])
      same("answers", tally(yield* atOnce(20, () => store.report(receipt(["a"])))), { Moved: 1, Unchanged: 19 })
    }
  ),

  onAccount("report: for all parts at once, the status is reached once", { sends: 1 }, function* ({ account, store }) {
    const refs = Array.from({ length: 10 }, (_, index) => `part ${index}`)
    yield* accepted(account, refs)
    const answers = yield* Effect.forEach(refs, (ref) => store.report(receipt([ref])), { concurrency: "unbounded" })
    same("answers", tally(answers), { Unchanged: 9, Moved: 1 })
  })
]
