import { nextDeliveryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import { Store } from "../Store.ts"
import { check, same } from "./Case.ts"
import {
  AT,
  accepted,
  accountFor,
  atOnce,
  balance,
  balanceOf,
  closing,
  kindsOf,
  live,
  opened,
  opening,
  receipt,
  reportOn,
  status,
  tally
} from "./Fixtures.ts"

export const report = [
  check(
    "report: by id moves the status alone",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const before = yield* opened(account, { parts: 3, details: { a: 1, b: 2 } })
      const answer = yield* store.report(reportOn(before.id, { details: { b: 3 }, everyPart: true }))
      const record = { ...before, status: status.delivered, statusAt: AT + 2_000, details: { a: 1, b: 3 } }
      same("answer", answer, { _tag: "Moved", delivery: record })
      same("record", yield* live(account, before.id), record)
      same("balance", yield* balanceOf(account), balance(0, 1))
    })
  ),

  check(
    "report: changes nothing unless the rank is higher",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const { id } = yield* opened(account)
      yield* store.report(reportOn(id))
      const record = yield* live(account, id)
      for (const late of [status.delivered, status.failed, status.sent, status.begun]) {
        const answer = yield* store.report(reportOn(id, { status: late, details: { x: 1 }, at: AT + 9_000 }))
        same(late.name, answer, { _tag: "Unchanged", delivery: record })
      }
      same("record", yield* live(account, id), record)
      same("a higher rank", (yield* store.report(reportOn(id, { status: status.read })))._tag, "Moved")
    })
  ),

  check(
    "report: without a status changes details alone, and is Moved",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const before = yield* opened(account, { details: { a: 1, b: 2 } })
      const answer = yield* store.report(reportOn(before.id, { status: null, details: { b: null, c: "new" } }))
      const record = { ...before, details: { a: 1, b: null, c: "new" } }
      same("answer", answer, { _tag: "Moved", delivery: record })
      same("record", yield* live(account, before.id), record)
      same("balance", yield* balanceOf(account), balance(0, 1))
      yield* store.report(reportOn(before.id))
      yield* store.report(reportOn(before.id, { status: null, details: { a: 9 }, at: AT + 9_000 }))
      const final = { ...record, status: status.delivered, statusAt: AT + 2_000, details: { ...record.details, a: 9 } }
      same("whatever the status", yield* live(account, before.id), final)
    })
  ),

  check(
    "report: takes effect only when the details have what it names",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const before = yield* opened(account, { details: { a: 1, n: null } })
      for (const when of [{ a: 2 }, { a: "1" }, { a: null }, { n: 0 }, { absent: false }, { a: 1, n: "x" }]) {
        for (const moved of [null, status.delivered]) {
          const answer = yield* store.report(reportOn(before.id, { status: moved, when, details: { b: 1 } }))
          same(JSON.stringify(when), answer, { _tag: "Unchanged", delivery: before })
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
    })
  ),

  check(
    "report: of many at once under the same condition, one takes effect",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const { id } = yield* opened(account)
      const answers = yield* atOnce(20, (index) =>
        store.report(reportOn(id, { status: null, when: { winner: null }, details: { winner: index } }))
      )
      same("answers", tally(answers), { Moved: 1, Unchanged: 19 })
      const moved = answers.find(({ _tag }) => _tag === "Moved")
      same("record", moved?._tag === "Moved" ? moved.delivery : null, yield* live(account, id))
    })
  ),

  check(
    "report: without a status about a part proves it, and is kept with its condition until its close",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      const known = yield* opened(account)
      yield* store.close(closing(known.id, "unknown", { refs: ["a"] }))
      const seen = receipt(["a"], { status: null, everyPart: false, details: { seen: true } })
      same("answer", (yield* store.report(seen))._tag, "Moved")
      const record = yield* live(account, known.id)
      same("record", [record.phase, record.status, record.details], ["accepted", status.begun, { seen: true }])
      const early = yield* opened(account, { details: { x: 1 } })
      const about = { status: null, everyPart: false } as const
      yield* store.report(receipt(["b"], { ...about, when: { x: 2 }, details: { no: true } }))
      same("parked", (yield* store.report(receipt(["b"], { ...about, details: { yes: true } })))._tag, "Parked")
      yield* store.close(closing(early.id, "accepted", { refs: ["b"] }))
      same("applied", (yield* live(account, early.id)).details, { x: 1, yes: true })
      same("status", (yield* live(account, early.id)).status, status.sent)
    })
  ),

  check(
    "inStatus: lists a channel's deliveries in a status, oldest first, in all accounts and modes",
    Effect.gen(function* () {
      const store = yield* Store
      const accounts = [yield* accountFor(5), yield* accountFor(5)] as const
      const ringing = { name: "ringing", rank: 1 }
      const days = (count: number) => ({ at: AT + count * 86_400_000 })
      const call = { channel: "call", status: ringing } as const
      const third = yield* opened(accounts[0], call, days(2))
      const first = yield* opened(accounts[1], call, days(0))
      const second = yield* opened(accounts[0], { ...call, mode: "sandbox" }, days(1))
      const over = yield* opened(accounts[0], call, days(1))
      yield* opened(accounts[0], { status: ringing }, days(0))
      yield* opened(accounts[0], { channel: "call" }, days(0))
      yield* store.report(reportOn(over.id, { status: { name: "ended", rank: 2 } }))
      const found = (limit: number, name = "ringing") => store.inStatus({ channel: "call", status: name, limit })
      same("all", yield* found(10), [first, second, third])
      same("some", yield* found(2), [first, second])
      same(
        "those that are over",
        (yield* found(10, "ended")).map(({ id }) => id),
        [over.id]
      )
      same("a status that none has", yield* found(10, "nothing"), [])
      yield* store.close(closing(first.id, "rejected", { status: { name: "failed", rank: 2 } }))
      same("the rest", yield* found(10), [second, third])
    })
  ),

  check(
    "report: is Missing for an id that no delivery has",
    Effect.gen(function* () {
      const store = yield* Store
      same("answer", yield* store.report(reportOn(nextDeliveryId(AT))), { _tag: "Missing" })
    })
  ),

  check(
    "report: about a part reaches the delivery that its ref was given to",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      const [one, other] = [yield* accepted(account, ["a"]), yield* accepted(account, ["b"])]
      const answer = yield* store.report(receipt(["b"], { details: { carrier: "DELIVRD" } }))
      const record = yield* live(account, other)
      same("answer", answer, { _tag: "Moved", delivery: record })
      same("record", [record.status, record.details], [status.delivered, { carrier: "DELIVRD" }])
      same("the other", (yield* live(account, one)).status, status.sent)
      same("again", yield* store.report(receipt(["b"])), { _tag: "Unchanged", delivery: record })
    })
  ),

  check(
    "report: the first spelling of a ref that is known counts",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      const [decimal, hexadecimal] = [yield* accepted(account, ["255"]), yield* accepted(account, ["ff"])]
      yield* store.report(receipt(["0xff", "ff", "255"]))
      same("the first", (yield* live(account, hexadecimal)).status, status.delivered)
      same("the second", (yield* live(account, decimal)).status, status.sent)
    })
  ),

  check(
    "report: refs are of a channel",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const id = yield* accepted(account, ["a"])
      same("another channel", yield* store.report(receipt(["a"], { channel: "bizchat" })), { _tag: "Parked" })
      same("status", (yield* live(account, id)).status, status.sent)
    })
  ),

  check(
    "report: about a part settles what was unknown, whether or not the status moves",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      const [one, other] = [yield* opened(account), yield* opened(account)]
      yield* store.close(closing(one.id, "unknown", { refs: ["a"] }))
      yield* store.close(closing(other.id, "unknown", { refs: ["b"] }))
      same("moved", (yield* store.report(receipt(["a"])))._tag, "Moved")
      same("unmoved", (yield* store.report(receipt(["b"], { status: status.begun })))._tag, "Unchanged")
      for (const { id } of [one, other]) same("phase", (yield* live(account, id)).phase, "accepted")
      same("balance", yield* balanceOf(account), balance(0, 0))
      same("entries", yield* kindsOf(account), "credit hold hold settle settle")
      same("final", (yield* store.close(closing(one.id, "rejected")))._tag, "Unchanged")
    })
  ),

  check(
    "report: about a part takes nothing back from what was rejected",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const { id } = yield* opened(account)
      yield* store.close(closing(id, "rejected", { refs: ["a"] }))
      same("answer", (yield* store.report(receipt(["a"])))._tag, "Unchanged")
      same("phase", (yield* live(account, id)).phase, "rejected")
      same("entries", yield* kindsOf(account), "credit hold release")
    })
  ),

  check(
    "report: of every part, the status is reached with the last part, and a repeat counts once",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const id = yield* accepted(account, ["a", "b", "c"])
      const before = yield* live(account, id)
      for (const ref of ["a", "b", "a", "b"]) {
        const answer = yield* store.report(receipt([ref], { details: { part: ref } }))
        same(`part ${ref}`, answer, { _tag: "Unchanged", delivery: before })
      }
      const last = yield* store.report(receipt(["c"], { details: { part: "c" }, at: AT + 7_000 }))
      const record = { ...before, status: status.delivered, statusAt: AT + 7_000, details: { part: "c" } }
      same("the last", last, { _tag: "Moved", delivery: record })
      same("after that", (yield* store.report(receipt(["a"])))._tag, "Unchanged")
    })
  ),

  check(
    "report: of every part, each status is counted for itself",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
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
    })
  ),

  check(
    "report: of one part is enough unless every part is asked for",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const id = yield* accepted(account, ["a", "b"])
      yield* store.report(receipt(["a"]))
      same("failed", (yield* store.report(receipt(["b"], { status: status.failed, everyPart: false })))._tag, "Moved")
      same("late", (yield* store.report(receipt(["b"])))._tag, "Unchanged")
      same("status", (yield* live(account, id)).status, status.failed)
    })
  ),

  check(
    "report: of many at once that say the same, one moves the status",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      yield* accepted(account, ["a"])
      same("answers", tally(yield* atOnce(20, () => store.report(receipt(["a"])))), { Moved: 1, Unchanged: 19 })
    })
  ),

  check(
    "report: for all parts at once, the status is reached once",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const refs = Array.from({ length: 10 }, (_, index) => `part ${index}`)
      yield* accepted(account, refs)
      const answers = yield* Effect.forEach(refs, (ref) => store.report(receipt([ref])), { concurrency: "unbounded" })
      same("answers", tally(answers), { Unchanged: 9, Moved: 1 })
    })
  ),

  check(
    "report: about an unknown part is kept, and applied by the close that brings its ref",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const before = yield* opened(account)
      const early = receipt(["not this", "a"], { details: { carrier: "DELIVRD" }, at: AT + 500 })
      same("report", yield* store.report(early), { _tag: "Parked" })
      same("until then", yield* live(account, before.id), before)
      const answer = yield* store.close(closing(before.id, "accepted", { refs: ["a"], details: { x: 1 } }))
      const record = {
        ...before,
        phase: "accepted" as const,
        status: status.delivered,
        statusAt: AT + 500,
        details: { x: 1, carrier: "DELIVRD" }
      }
      same("close", answer, { _tag: "Closed", delivery: record, available: (yield* balanceOf(account)).available })
      same("record", yield* live(account, before.id), record)
      same("entries", yield* kindsOf(account), "credit hold settle")
      same("again", (yield* store.report(early))._tag, "Unchanged")
    })
  ),

  check(
    "report: what was parked is applied in its order",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const { id } = yield* opened(account)
      const said = [status.sent, status.failed, status.delivered, status.sent]
      for (const [index, reported] of said.entries()) {
        const details = { [`said ${index}`]: true }
        yield* store.report(receipt(["a"], { status: reported, details, everyPart: false, at: AT + index }))
      }
      yield* store.close(closing(id, "accepted", { refs: ["a"], status: status.begun }))
      const record = yield* live(account, id)
      same("status", [record.status, record.statusAt], [status.failed, AT + 1])
      same("details", record.details, { "said 0": true, "said 1": true })
    })
  ),

  check(
    "report: what was parked for the parts of one message is put together",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      const [whole, half] = [yield* opened(account, { parts: 2 }), yield* opened(account, { parts: 2 })]
      for (const ref of ["b", "a", "a", "c"]) yield* store.report(receipt([ref]))
      yield* store.close(closing(whole.id, "accepted", { refs: ["a", "b"] }))
      yield* store.close(closing(half.id, "accepted", { refs: ["c", "d"] }))
      same("both", (yield* live(account, whole.id)).status, status.delivered)
      same("one", (yield* live(account, half.id)).status, status.sent)
      same("the other", (yield* store.report(receipt(["d"])))._tag, "Moved")
    })
  ),

  check(
    "report: what was parked is applied once, under whichever spelling comes first",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      const [one, other] = [yield* opened(account), yield* opened(account)]
      yield* store.report(receipt(["255", "ff"]))
      yield* store.close(closing(one.id, "accepted", { refs: ["ff"] }))
      yield* store.close(closing(other.id, "accepted", { refs: ["255"] }))
      same("the first", (yield* live(account, one.id)).status, status.delivered)
      same("the second", (yield* live(account, other.id)).status, status.sent)
    })
  ),

  check(
    "report: what was parked settles an outcome that is closed as unknown",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const { id } = yield* opened(account)
      yield* store.report(receipt(["a"]))
      const answer = yield* store.close(closing(id, "unknown", { refs: ["a"] }))
      same("answer", answer, { _tag: "Closed", delivery: yield* live(account, id), available: balance(0, 0).available })
      same("phase", (yield* live(account, id)).phase, "accepted")
      same("entries", yield* kindsOf(account), "credit hold settle")
    })
  ),

  check(
    "report: what was parked is applied by a close that changes nothing else",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const { id } = yield* opened(account)
      yield* store.close(closing(id, "accepted"))
      yield* store.report(receipt(["a"]))
      const answer = yield* store.close(closing(id, "accepted", { refs: ["a"] }))
      same("answer", answer, {
        _tag: "Unchanged",
        delivery: yield* live(account, id),
        available: balance(0, 0).available
      })
      same("status", (yield* live(account, id)).status, status.delivered)
    })
  ),

  check(
    "report: an unknown ref is taken to be of the one open delivery with its number and reference",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(4)
      const otherwise = { to: "+4915100000001", reference: 65_535 }
      for (const phase of ["pending", "unknown"] as const) {
        const taken = yield* opened(account, otherwise)
        yield* store.close(closing(taken.id, "accepted"))
        const { id } = yield* opened(account, otherwise)
        if (phase === "unknown") yield* store.close(closing(id, "unknown"))
        const lost = receipt([`lost ${phase}`, `LOST ${phase}`], { message: otherwise })
        same(phase, yield* store.report(lost), { _tag: "Moved", delivery: yield* live(account, id) })
        const record = yield* live(account, id)
        same("record", [record.phase, record.status], ["accepted", status.delivered])
        same("again", (yield* store.report(lost))._tag, "Unchanged")
        same("in the other spelling", (yield* store.report(receipt([`LOST ${phase}`])))._tag, "Unchanged")
        const late = yield* store.close(closing(id, "accepted", { refs: [`lost ${phase}`] }))
        same("the close that was late", late._tag, "Unchanged")
        same("the one taken before", (yield* live(account, taken.id)).status, status.sent)
      }
      same("balance", yield* balanceOf(account), balance(0, 0))
    })
  ),

  check(
    "report: an unknown ref is parked when several open deliveries could be meant, or none",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      const otherwise = { to: "+4915100000001", reference: 1 }
      const [one, other] = [yield* opened(account, otherwise), yield* opened(account, otherwise)]
      const tags = []
      for (const guess of [
        receipt(["a"], { message: otherwise }),
        receipt(["b"], { message: { ...otherwise, reference: 2 } }),
        receipt(["c"], { message: { ...otherwise, to: "+4915100000002" } }),
        receipt(["d"])
      ]) {
        tags.push((yield* store.report(guess))._tag)
      }
      same("answers", tags, ["Parked", "Parked", "Parked", "Parked"])
      for (const { id } of [one, other]) same("phase", (yield* live(account, id)).phase, "pending")
      same("one left", (yield* store.close(closing(one.id, "accepted", { refs: ["a"] })))._tag, "Closed")
      const elsewhere = receipt(["e"], { message: otherwise, channel: "bizchat" })
      same("on another channel", (yield* store.report(elsewhere))._tag, "Parked")
      same("then", (yield* store.report(receipt(["f"], { message: otherwise })))._tag, "Moved")
      same("the other", (yield* live(account, other.id)).status, status.delivered)
    })
  ),

  check(
    "report: a spelling that belongs to a message to another number is not meant",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      const about = { to: "+4915100000001", reference: 1 }
      const open = yield* opened(account, about)
      const known = yield* accepted(account, ["a"])
      yield* store.report(receipt(["A", "a"], { message: about }))
      same("the known one", (yield* live(account, known)).status, status.sent)
      same("the open one", (yield* live(account, open.id)).status, status.delivered)
    })
  ),

  check(
    "report: among spellings that are known the reference decides, then their order",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(5)
      const to = "+4915100000001"
      const take = Effect.fnUntraced(function* (ref: string, reference: number) {
        const { id } = yield* opened(account, { to, reference })
        yield* store.close(closing(id, "accepted", { refs: [ref] }))
        return id
      })
      const [first, second] = [yield* take("321", 1), yield* take("801", 2)]
      const [third, fourth] = [yield* take("5", 3), yield* take("9", 4)]
      const statusOf = Effect.fnUntraced(function* (id: typeof first) {
        return (yield* live(account, id)).status.name
      })
      yield* store.report(receipt(["321", "801"], { message: { to, reference: 2 } }))
      same("by reference", [yield* statusOf(first), yield* statusOf(second)], ["sent", "delivered"])
      yield* store.report(receipt(["321", "801"], { message: { to: "015100000001", reference: null } }))
      same("by order, the number in its national form", yield* statusOf(first), "delivered")
      same("not meant", (yield* store.report(receipt(["6", "5"], { message: { to, reference: 9 } })))._tag, "Parked")
      const open = yield* opened(account, { to, reference: 8 })
      yield* store.report(receipt(["5"], { message: { to, reference: 8 } }))
      same("an open one by number and reference", yield* statusOf(open.id), "delivered")
      yield* store.report(receipt(["9"], { message: { to, reference: 99 } }))
      same("else the preferred spelling is believed", yield* statusOf(fourth), "delivered")
      same("the one whose id was used again", yield* statusOf(third), "sent")
    })
  ),

  check(
    "report: what is parked waits for a message that it fits",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      const to = "+4915100000001"
      const [other, meant] = [
        yield* opened(account, { to, reference: 1 }),
        yield* opened(account, { to, reference: 2 })
      ]
      yield* store.report(receipt(["321", "801"], { message: { to: null, reference: 2 } }))
      yield* store.close(closing(other.id, "accepted", { refs: ["801"] }))
      same("another message", (yield* live(account, other.id)).status, status.sent)
      yield* store.close(closing(meant.id, "accepted", { refs: ["321"] }))
      same("the message", (yield* live(account, meant.id)).status, status.delivered)
    })
  ),

  check(
    "report: a part found by number and reference is still one part when its ref is met again",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const otherwise = { to: "+4915100000001", reference: 1 }
      const { id } = yield* opened(account, { ...otherwise, parts: 2 })
      const first = yield* store.report(receipt(["255", "ff"], { message: otherwise }))
      const proved = yield* live(account, id)
      same("the first part", first, { _tag: "Unchanged", delivery: proved })
      same("its phase", proved.phase, "accepted")
      yield* store.close(closing(id, "accepted", { refs: ["ff", "fe"] }))
      same("the first part again", (yield* store.report(receipt(["ff"])))._tag, "Unchanged")
      same("the second part", (yield* store.report(receipt(["fe"])))._tag, "Moved")
      same("entries", yield* kindsOf(account), "credit hold settle")
    })
  ),

  check(
    "sweep: forgets reports parked before a time, and no others",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      const [one, other] = [yield* opened(account), yield* opened(account)]
      yield* store.report(receipt(["old", "older"], { at: AT + 9 }))
      yield* store.report(receipt(["kept"], { at: AT + 10 }))
      yield* store.sweep({ at: 0, parkedBefore: AT + 10 })
      yield* store.close(closing(one.id, "accepted", { refs: ["old", "older"] }))
      yield* store.close(closing(other.id, "accepted", { refs: ["kept"] }))
      same("old", (yield* live(account, one.id)).status, status.sent)
      same("kept", (yield* live(account, other.id)).status, status.delivered)
    })
  ),

  check(
    "report: on what is being opened at the same time is applied or kept, never lost",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(30)
      const requests = Array.from({ length: 30 }, (_, index) => opening(account, { reference: index }))
      yield* Effect.forEach(
        requests.flatMap((request, index) => [
          Effect.asVoid(store.open(request)),
          Effect.asVoid(
            store.report(receipt([`ref ${index}`], { message: { to: request.delivery.to, reference: index } }))
          )
        ]),
        (step) => step,
        { concurrency: "unbounded", discard: true }
      )
      for (const [index, { delivery }] of requests.entries()) {
        yield* store.close(closing(delivery.id, "accepted", { refs: [`ref ${index}`] }))
        same("status", (yield* live(account, delivery.id)).status, status.delivered)
      }
      same("balance", yield* balanceOf(account), balance(0, 0))
    })
  )
]
