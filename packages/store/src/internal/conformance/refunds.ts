import { onAccount, same } from "./Case.ts"
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

export const refunds = [
  onAccount("close: refunded releases the hold and is final", { sends: 2 }, function* ({ account, store }) {
    const [one, other] = [yield* opened(account), yield* opened(account)]
    yield* store.close(closing(other.id, "unknown"))
    for (const { id } of [one, other]) {
      const answer = yield* store.close(closing(id, "refunded", { status: status.failed, refs: [id] }))
      same("answer", answer._tag === "Closed" ? answer.delivery.phase : answer._tag, "refunded")
      for (const outcome of ["accepted", "rejected", "unknown", "refunded"] as const) {
        same(outcome, (yield* store.close(closing(id, outcome)))._tag, "Unchanged")
      }
      same("a late report", (yield* store.report(receipt([id], { status: status.read })))._tag, "Moved")
      same("phase", (yield* live(account, id)).phase, "refunded")
    }
    same("balance", yield* balanceOf(account), balance(2, 0))
    same("entries", yield* kindsOf(account), "credit hold hold release release")
  }),

  onAccount(
    "report: with refund gives the price back as a new entry, once, whatever the status",
    { sends: 2 },
    function* ({ account, store }) {
      const [one, other] = [yield* accepted(account, ["a"]), yield* accepted(account, ["b"])]
      for (const id of [one, other]) yield* store.report(reportOn(id))
      same("by id", (yield* store.report(reportOn(one, { refund: true, details: { x: 1 } })))._tag, "Moved")
      same("about a part", (yield* store.report(receipt(["b"], { refund: true })))._tag, "Moved")
      for (const id of [one, other]) {
        const record = yield* live(account, id)
        same("record", [record.phase, record.status, record.details], ["refunded", status.delivered, {}])
        same("again", apart(yield* store.report(reportOn(id, { refund: true }))), {
          _tag: "Unchanged",
          delivery: record
        })
      }
      same("again, about a part", (yield* store.report(receipt(["b"], { refund: true })))._tag, "Unchanged")
      same("balance", yield* balanceOf(account), balance(2, 0))
      same("entries", yield* kindsOf(account), "credit hold settle hold settle refund refund")
    }
  ),

  onAccount("report: with refund releases a price that is still held", { sends: 2 }, function* ({ account, store }) {
    const [pending, unknown] = [yield* opened(account), yield* opened(account)]
    yield* store.close(closing(unknown.id, "unknown", { refs: ["a"] }))
    yield* store.report(reportOn(pending.id, { refund: true, status: null }))
    yield* store.report(receipt(["a"], { refund: true }))
    same("record", (yield* live(account, unknown.id)).phase, "refunded")
    same("the close that follows", (yield* store.close(closing(pending.id, "accepted")))._tag, "Unchanged")
    same("entries", yield* kindsOf(account), "credit hold hold release release")
    same("balance", yield* balanceOf(account), balance(2, 0))
  }),

  onAccount(
    "report: with refund gives nothing for a rejected delivery, or when the details are others",
    { sends: 2 },
    function* ({ account, store }) {
      const refused = yield* opened(account)
      yield* store.close(closing(refused.id, "rejected"))
      const answer = yield* store.report(reportOn(refused.id, { status: status.failed, refund: true }))
      same("rejected", answer._tag, "Unchanged")
      const taken = yield* accepted(account, ["a"])
      for (const report of [reportOn(taken), receipt(["a"])]) {
        const conditional = { ...report, status: null, when: { paid: true }, refund: true }
        same("other details", (yield* store.report(conditional))._tag, "Unchanged")
      }
      same("entries", yield* kindsOf(account), "credit hold release hold settle")
    }
  ),

  onAccount(
    "report: a refund that came before its close is given with it",
    { sends: 1 },
    function* ({ account, store }) {
      const { id } = yield* opened(account)
      yield* store.report(receipt(["a"], { refund: true, status: status.failed, everyPart: false }))
      const answer = yield* store.close(closing(id, "accepted", { refs: ["a"], at: AT + 3_000 }))
      same("answer", answer._tag === "Closed" ? [answer.delivery.phase, answer.available > 0] : null, [
        "refunded",
        true
      ])
      same("entries", yield* kindsOf(account), "credit hold settle refund")
    }
  ),

  onAccount("report: of twenty refunds at once one counts", { sends: 1 }, function* ({ account, store }) {
    const id = yield* accepted(account, ["a"])
    const answers = yield* atOnce(20, (index) =>
      store.report(
        index % 2 === 0 ? reportOn(id, { status: null, refund: true }) : receipt(["a"], { status: null, refund: true })
      )
    )
    same("answers", tally(answers), { Moved: 20 })
    same("entries", yield* kindsOf(account), "credit hold settle refund")
    same("balance", yield* balanceOf(account), balance(1, 0))
  })
]
