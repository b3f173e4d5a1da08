/** The part that a report is about. */
import * as Effect from "effect/Effect"
import { onAccount, same } from "./Case.ts"
import { accepted, apart, balance, balanceOf, closing, kindsOf, live, opened, receipt, status } from "./Fixtures.ts"

export const spellings = [
  onAccount("report: the first spelling of a ref that is known counts", { sends: 2 }, function* ({ account, store }) {
    const [decimal, hexadecimal] = [yield* accepted(account, ["255"]), yield* accepted(account, ["ff"])]
    yield* store.report(receipt(["0xff", "ff", "255"]))
    same("the first", (yield* live(account, hexadecimal)).status, status.delivered)
    same("the second", (yield* live(account, decimal)).status, status.sent)
  }),

  onAccount("report: refs are of a channel", { sends: 1 }, function* ({ account, store }) {
    const id = yield* accepted(account, ["a"])
    same("another channel", yield* store.report(receipt(["a"], { channel: "bizchat" })), { _tag: "Unmatched" })
    same("status", (yield* live(account, id)).status, status.sent)
  }),

  onAccount(
    "report: an unknown ref is taken to be of the one open delivery with its number and reference",
    { sends: 4 },
    function* ({ account, store }) {
      const otherwise = { to: "+4915100000001", reference: 65_535 }
      for (const phase of ["pending", "unknown"] as const) {
        const taken = yield* opened(account, otherwise)
        yield* store.close(closing(taken.id, "accepted"))
        const { id } = yield* opened(account, otherwise)
        if (phase === "unknown") yield* store.close(closing(id, "unknown"))
        const lost = receipt([`lost ${phase}`, `LOST ${phase}`], { message: otherwise })
        same(phase, apart(yield* store.report(lost)), { _tag: "Moved", delivery: yield* live(account, id) })
        const record = yield* live(account, id)
        same("record", [record.phase, record.status], ["accepted", status.delivered])
        same("again", (yield* store.report(lost))._tag, "Unchanged")
        same("in the other spelling", (yield* store.report(receipt([`LOST ${phase}`])))._tag, "Unchanged")
        const late = yield* store.close(closing(id, "accepted", { refs: [`lost ${phase}`] }))
        same("the close that was late", late._tag, "Unchanged")
        same("the one taken before", (yield* live(account, taken.id)).status, status.sent)
      }
      same("balance", yield* balanceOf(account), balance(0, 0))
    }
  ),

  onAccount(
    "report: an unknown ref is kept when several open deliveries could be meant, or none",
    { sends: 2 },
    function* ({ account, store }) {
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
      same("answers", tags, ["Unmatched", "Unmatched", "Unmatched", "Unmatched"])
      for (const { id } of [one, other]) same("phase", (yield* live(account, id)).phase, "pending")
      same("one left", (yield* store.close(closing(one.id, "accepted", { refs: ["a"] })))._tag, "Closed")
      const elsewhere = receipt(["e"], { message: otherwise, channel: "bizchat" })
      same("on another channel", (yield* store.report(elsewhere))._tag, "Unmatched")
      same("then", (yield* store.report(receipt(["f"], { message: otherwise })))._tag, "Moved")
      same("the other", (yield* live(account, other.id)).status, status.delivered)
    }
  ),

  onAccount(
    "report: a spelling that belongs to a message to another number is not meant",
    { sends: 2 },
    function* ({ account, store }) {
      const about = { to: "+4915100000001", reference: 1 }
      const open = yield* opened(account, about)
      const known = yield* accepted(account, ["a"])
      yield* store.report(receipt(["A", "a"], { message: about }))
      same("the known one", (yield* live(account, known)).status, status.sent)
      same("the open one", (yield* live(account, open.id)).status, status.delivered)
    }
  ),

  onAccount(
    "report: among spellings that are known the reference decides, then their order",
    { sends: 5 },
    function* ({ account, store }) {
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
      same("not meant", (yield* store.report(receipt(["6", "5"], { message: { to, reference: 9 } })))._tag, "Unmatched")
      const open = yield* opened(account, { to, reference: 8 })
      yield* store.report(receipt(["5"], { message: { to, reference: 8 } }))
      same("an open one by number and reference", yield* statusOf(open.id), "delivered")
      yield* store.report(receipt(["9"], { message: { to, reference: 99 } }))
      same("else the preferred spelling is believed", yield* statusOf(fourth), "delivered")
      same("the one whose id was used again", yield* statusOf(third), "sent")
    }
  ),

  onAccount(
    "report: a part found by number and reference is still one part when its ref is met again",
    { sends: 1 },
    function* ({ account, store }) {
      const otherwise = { to: "+4915100000001", reference: 1 }
      const { id } = yield* opened(account, { ...otherwise, parts: 2 })
      const first = yield* store.report(receipt(["255", "ff"], { message: otherwise }))
      const proved = yield* live(account, id)
      same("the first part", apart(first), { _tag: "Unchanged", delivery: proved })
      same("its phase", proved.phase, "accepted")
      yield* store.close(closing(id, "accepted", { refs: ["ff", "fe"] }))
      same("the first part again", (yield* store.report(receipt(["ff"])))._tag, "Unchanged")
      same("the second part", (yield* store.report(receipt(["fe"])))._tag, "Moved")
      same("entries", yield* kindsOf(account), "credit hold settle")
    }
  ),

  onAccount(
    "report: the parts of a message whose answers were lost are found one after the other",
    { sends: 3 },
    function* ({ account, store }) {
      for (const [reference, known] of [[], ["a"], ["b", "c"]].entries()) {
        const message = { to: "+4915100000001", reference }
        const { id } = yield* opened(account, { ...message, parts: 3 })
        yield* store.close(closing(id, "unknown", { refs: known }))
        const parts = [...known, ...["x", "y", "z"].slice(known.length)]
        for (const [index, part] of parts.entries()) {
          const one = receipt([part, part.toUpperCase()], { message })
          const isLast = index === 2
          same(`part ${part}`, (yield* store.report(one))._tag, isLast ? "Moved" : "Unchanged")
          same(`part ${part} again`, (yield* store.report(one))._tag, "Unchanged")
          same("status", (yield* live(account, id)).status, isLast ? status.delivered : status.begun)
        }
        const record = yield* live(account, id)
        same("parts", [record.phase, record.parts, record.named], ["accepted", 3, 3])
        same("one part too many", (yield* store.report(receipt(["more"], { message })))._tag, "Unmatched")
      }
      same("balance", yield* balanceOf(account), balance(0, 0))
    }
  ),

  onAccount(
    "report: one lost part of a message that fails is enough, whatever came before",
    { sends: 1 },
    function* ({ account, store }) {
      const message = { to: "+4915100000001", reference: 1 }
      const { id } = yield* opened(account, { ...message, parts: 2 })
      yield* store.report(receipt(["a"], { message }))
      const failed = receipt(["b"], { message, status: status.failed, everyPart: false })
      same("answer", (yield* store.report(failed))._tag, "Moved")
      same("status", (yield* live(account, id)).status, status.failed)
    }
  ),

  onAccount(
    "report: of two accepted messages with lost parts, the same number and reference, neither is meant",
    { sends: 2 },
    function* ({ account, store }) {
      const message = { to: "+4915100000001", reference: 1 }
      for (const ref of ["a", "b"]) {
        const { id } = yield* opened(account, { ...message, parts: 2 })
        yield* store.close(closing(id, "accepted", { refs: [ref] }))
      }
      same("answer", yield* store.report(receipt(["c"], { message })), { _tag: "Unmatched" })
    }
  )
]
