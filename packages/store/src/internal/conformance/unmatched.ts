/** Reports that come before the close that brings their refs. */
import * as Effect from "effect/Effect"
import { Store } from "../../Store.ts"
import { check, onAccount, same } from "./Case.ts"
import { AT, apart, balance, balanceOf, closing, kindsOf, live, opened, opening, receipt, status } from "./Fixtures.ts"

export const unmatched = [
  onAccount(
    "report: about an unknown part is kept, and applied by the close that brings its ref",
    { sends: 1 },
    function* ({ account, store }) {
      const before = yield* opened(account)
      const early = receipt(["not this", "a"], { details: { carrier: "DELIVRD" }, at: AT + 500 })
      same("report", yield* store.report(early), { _tag: "Unmatched" })
      same("until then", yield* live(account, before.id), before)
      const answer = yield* store.close(closing(before.id, "accepted", { refs: ["a"], details: { x: 1 } }))
      const record = {
        ...before,
        phase: "accepted" as const,
        named: 1,
        status: status.delivered,
        statusAt: AT + 500,
        details: { x: 1, carrier: "DELIVRD" }
      }
      same("close", apart(answer), {
        _tag: "Closed",
        delivery: record,
        available: (yield* balanceOf(account)).available
      })
      same("record", yield* live(account, before.id), record)
      same("entries", yield* kindsOf(account), "credit hold settle")
      same("again", (yield* store.report(early))._tag, "Unchanged")
    }
  ),

  onAccount("report: unmatched ones are replayed in their order", { sends: 1 }, function* ({ account, store }) {
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
  }),

  onAccount(
    "report: unmatched ones for the parts of one message are put together",
    { sends: 2 },
    function* ({ account, store }) {
      const [whole, half] = [yield* opened(account, { parts: 2 }), yield* opened(account, { parts: 2 })]
      for (const ref of ["b", "a", "a", "c"]) yield* store.report(receipt([ref]))
      yield* store.close(closing(whole.id, "accepted", { refs: ["a", "b"] }))
      yield* store.close(closing(half.id, "accepted", { refs: ["c", "d"] }))
      same("both", (yield* live(account, whole.id)).status, status.delivered)
      same("one", (yield* live(account, half.id)).status, status.sent)
      same("the other", (yield* store.report(receipt(["d"])))._tag, "Moved")
    }
  ),

  onAccount(
    "report: unmatched ones are replayed once, under whichever spelling comes first",
    { sends: 2 },
    function* ({ account, store }) {
      const [one, other] = [yield* opened(account), yield* opened(account)]
      yield* store.report(receipt(["255", "ff"]))
      yield* store.close(closing(one.id, "accepted", { refs: ["ff"] }))
      yield* store.close(closing(other.id, "accepted", { refs: ["255"] }))
      same("the first", (yield* live(account, one.id)).status, status.delivered)
      same("the second", (yield* live(account, other.id)).status, status.sent)
    }
  ),

  onAccount(
    "report: an unmatched one settles an outcome that is closed as unknown",
    { sends: 1 },
    function* ({ account, store }) {
      const { id } = yield* opened(account)
      yield* store.report(receipt(["a"]))
      const answer = yield* store.close(closing(id, "unknown", { refs: ["a"] }))
      same("answer", apart(answer), {
        _tag: "Closed",
        delivery: yield* live(account, id),
        available: balance(0, 0).available
      })
      same("phase", (yield* live(account, id)).phase, "accepted")
      same("entries", yield* kindsOf(account), "credit hold settle")
    }
  ),

  onAccount(
    "report: unmatched ones are replayed by a close that changes nothing else",
    { sends: 1 },
    function* ({ account, store }) {
      const { id } = yield* opened(account)
      yield* store.close(closing(id, "accepted"))
      yield* store.report(receipt(["a"]))
      const answer = yield* store.close(closing(id, "accepted", { refs: ["a"] }))
      same("answer", apart(answer), {
        _tag: "Unchanged",
        delivery: yield* live(account, id),
        available: balance(0, 0).available
      })
      same("status", (yield* live(account, id)).status, status.delivered)
    }
  ),

  onAccount("report: an unmatched one waits for a message that it fits", { sends: 2 }, function* ({ account, store }) {
    const to = "+4915100000001"
    const [other, meant] = [yield* opened(account, { to, reference: 1 }), yield* opened(account, { to, reference: 2 })]
    yield* store.report(receipt(["321", "801"], { message: { to: null, reference: 2 } }))
    yield* store.close(closing(other.id, "accepted", { refs: ["801"] }))
    same("another message", (yield* live(account, other.id)).status, status.sent)
    yield* store.close(closing(meant.id, "accepted", { refs: ["321"] }))
    same("the message", (yield* live(account, meant.id)).status, status.delivered)
  }),

  onAccount("sweep: deletes reports kept before a time, and no others", { sends: 2 }, function* ({ account, store }) {
    const [one, other] = [yield* opened(account), yield* opened(account)]
    yield* store.report(receipt(["old", "older"], { at: AT + 9 }))
    yield* store.report(receipt(["kept"], { at: AT + 10 }))
    const { dropped } = yield* store.sweep({ at: 0, unmatchedBefore: AT + 10, unmatchedLimit: 1 })
    same("dropped", dropped.size, 0)
    yield* store.close(closing(one.id, "accepted", { refs: ["old", "older"] }))
    yield* store.close(closing(other.id, "accepted", { refs: ["kept"] }))
    same("old", (yield* live(account, one.id)).status, status.sent)
    same("kept", (yield* live(account, other.id)).status, status.delivered)
  }),

  onAccount(
    "sweep: keeps the latest unmatched reports of each channel up to a limit, and counts the others",
    { sends: 6 },
    function* ({ account, store }) {
      const refs = ["third", "first", "fourth", "second"]
      const times: ReadonlyArray<number> = [AT + 3, AT + 1, AT + 3, AT + 2]
      for (const [index, ref] of refs.entries()) {
        yield* store.report(receipt([ref, `other ${ref}`], { at: times[index] ?? AT }))
      }
      yield* store.report(receipt(["too old"], { at: AT }))
      yield* store.report(receipt(["another channel's"], { channel: "bizchat", at: AT + 1 }))
      const sweep = { at: 0, unmatchedBefore: AT + 1, unmatchedLimit: 2 }
      same("dropped", [...(yield* store.sweep(sweep)).dropped], [["sms", 2]])
      same("dropped again", [...(yield* store.sweep(sweep)).dropped], [])
      const statusOf = Effect.fnUntraced(function* (ref: string) {
        const { id } = yield* opened(account)
        yield* store.close(closing(id, "accepted", { refs: [ref] }))
        return (yield* live(account, id)).status
      })
      const statuses = yield* Effect.forEach([...refs, "other first"], statusOf)
      same("statuses", statuses, [status.delivered, status.sent, status.delivered, status.sent, status.sent])
      same("the other channel", [...(yield* store.sweep({ ...sweep, unmatchedLimit: 0 })).dropped], [["bizchat", 1]])
    }
  ),

  check(
    "sweep: gets through more than a thousand unmatched reports",
    Effect.gen(function* () {
      const store = yield* Store
      const reports = Array.from({ length: 1_050 }, (_, index) => receipt([`flood ${index}`]))
      yield* Effect.forEach(reports, store.report, { concurrency: 100, discard: true })
      const { dropped } = yield* store.sweep({ at: 0, unmatchedBefore: 0, unmatchedLimit: 10 })
      same("dropped", [...dropped], [["sms", 1_040]])
    })
  ),

  onAccount(
    "report: on a delivery that is being opened at the same time is applied or kept, never lost",
    { sends: 30 },
    function* ({ account, store }) {
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
    }
  )
]
