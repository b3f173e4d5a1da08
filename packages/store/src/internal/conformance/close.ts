import { nextDeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import * as Effect from "effect/Effect"
import { Store } from "../../Store.ts"
import { check, onAccount, same } from "./Case.ts"
import {
  AT,
  accountFor,
  atOnce,
  balance,
  balanceOf,
  closing,
  kindsOf,
  ledgerOf,
  live,
  opened,
  prices,
  receipt,
  reportOn,
  status,
  tally,
  apart
} from "./Fixtures.ts"

export const close = [
  onAccount(
    "close: accepted settles the hold, moves the record and merges the details",
    { sends: 3 },
    function* ({ account, store }) {
      const before = yield* opened(account, { details: { encoding: "gsm7", route: "a" } })
      const request = closing(before.id, "accepted", { details: { route: "b", cost: 2, none: null } })
      const record = {
        ...before,
        phase: "accepted" as const,
        status: status.sent,
        statusAt: request.at,
        details: { encoding: "gsm7", route: "b", cost: 2, none: null }
      }
      same("answer", apart(yield* store.close(request)), { _tag: "Closed", delivery: record, available: prices(2) })
      same("record", yield* live(account, before.id), record)
      same("balance", yield* balanceOf(account), balance(2, 0))
      same("entries", yield* kindsOf(account), "credit hold settle")
    }
  ),

  onAccount("close: rejected releases the hold", { sends: 3 }, function* ({ account, store }) {
    const before = yield* opened(account)
    const answer = yield* store.close(closing(before.id, "rejected"))
    const record = { ...before, phase: "rejected" as const, status: status.failed, statusAt: AT + 1_000 }
    same("answer", apart(answer), { _tag: "Closed", delivery: record, available: prices(3) })
    same("balance", yield* balanceOf(account), balance(3, 0))
    same("entries", yield* kindsOf(account), "credit hold release")
  }),

  onAccount("close: unknown leaves the hold", { sends: 3 }, function* ({ account, store }) {
    const before = yield* opened(account)
    const answer = yield* store.close(closing(before.id, "unknown", { details: { failure: "TIMEOUT" } }))
    const record = { ...before, phase: "unknown" as const, details: { failure: "TIMEOUT" } }
    same("answer", apart(answer), { _tag: "Closed", delivery: record, available: prices(2) })
    same("entries", yield* kindsOf(account), "credit hold")
  }),

  onAccount(
    "close: from unknown it may become accepted or rejected, but not unknown again",
    { sends: 2 },
    function* ({ account, store }) {
      const [kept, lost] = [yield* opened(account), yield* opened(account)]
      for (const { id } of [kept, lost]) yield* store.close(closing(id, "unknown"))
      const again = yield* store.close(closing(kept.id, "unknown", { status: status.sent, details: { x: 1 } }))
      same("again", apart(again), { _tag: "Unchanged", delivery: { ...kept, phase: "unknown" }, available: prices(0) })
      same("accepted", (yield* store.close(closing(kept.id, "accepted")))._tag, "Closed")
      same("rejected", (yield* store.close(closing(lost.id, "rejected")))._tag, "Closed")
      same("balance", yield* balanceOf(account), balance(1, 0))
      same("entries", yield* kindsOf(account), "credit hold hold settle release")
    }
  ),

  onAccount("close: accepted and rejected are final", { sends: 2 }, function* ({ account, store }) {
    for (const outcome of ["accepted", "rejected"] as const) {
      const { id } = yield* opened(account)
      yield* store.close(closing(id, outcome))
      const [record, money] = [yield* live(account, id), yield* balanceOf(account)]
      for (const other of ["accepted", "rejected", "unknown"] as const) {
        const again = closing(id, other, { status: status.read, details: { x: 1 }, at: AT + 9_000 })
        const answer = { _tag: "Unchanged", delivery: record, available: money.available }
        same(`${other} after ${outcome}`, apart(yield* store.close(again)), answer)
      }
      same("record", yield* live(account, id), record)
      same("balance", yield* balanceOf(account), money)
    }
    same("entries", yield* kindsOf(account), "credit hold settle hold release")
  }),

  check(
    "close: is Missing for an id that no delivery has",
    Effect.gen(function* () {
      const store = yield* Store
      yield* accountFor(1)
      const answer = yield* store.close(closing(nextDeliveryId(AT), "accepted", { refs: ["a"] }))
      same("answer", answer, { _tag: "Missing" })
    })
  ),

  onAccount("close: moves the status only to a higher rank", { sends: 2 }, function* ({ account, store }) {
    const { id } = yield* opened(account)
    yield* store.report(reportOn(id, { at: AT + 5 }))
    yield* store.close(closing(id, "accepted", { details: { x: 1 } }))
    const record = yield* live(account, id)
    same("phase", record.phase, "accepted")
    same("status", [record.status, record.statusAt], [status.delivered, AT + 5])
    same("details", record.details, { x: 1 })
    const other = yield* opened(account)
    yield* store.close(closing(other.id, "accepted", { status: { name: "equal", rank: status.begun.rank } }))
    const equal = yield* live(account, other.id)
    same("the same rank", [equal.status, equal.statusAt], [status.begun, AT])
  }),

  onAccount("close: a price of zero leaves no ledger entry", { sends: 0 }, function* ({ account, store }) {
    const [kept, lost] = [yield* opened(account, { price: zero }), yield* opened(account, { price: zero })]
    same("accepted", (yield* store.close(closing(kept.id, "accepted")))._tag, "Closed")
    same("rejected", (yield* store.close(closing(lost.id, "rejected")))._tag, "Closed")
    same("entries", yield* ledgerOf(account), [])
  }),

  onAccount("close: keeps refs that are new when nothing else changes", { sends: 2 }, function* ({ account, store }) {
    for (const outcome of ["accepted", "unknown"] as const) {
      const { id } = yield* opened(account)
      yield* store.close(closing(id, outcome))
      same("again", (yield* store.close(closing(id, outcome, { refs: [`late ${outcome}`] })))._tag, "Unchanged")
      same("receipt", (yield* store.report(receipt([`late ${outcome}`])))._tag, "Moved")
      same("status", (yield* live(account, id)).status, status.delivered)
    }
  }),

  onAccount(
    "close: a ref that a gateway uses again reaches the delivery that it was given to last",
    { sends: 2 },
    function* ({ account, store }) {
      const [old, young] = [yield* opened(account), yield* opened(account)]
      yield* store.close(closing(old.id, "accepted", { refs: ["a"] }))
      yield* store.close(closing(young.id, "accepted", { refs: ["a"] }))
      yield* store.report(receipt(["a"]))
      same("old", (yield* live(account, old.id)).status, status.sent)
      same("young", (yield* live(account, young.id)).status, status.delivered)
    }
  ),

  onAccount("close: of twenty at once, one moves the record", { sends: 1 }, function* ({ account, store }) {
    const { id } = yield* opened(account)
    const answers = yield* atOnce(20, (index) => store.close(closing(id, index % 2 === 0 ? "accepted" : "rejected")))
    same("answers", tally(answers), { Closed: 1, Unchanged: 19 })
    const { phase } = yield* live(account, id)
    const settled = phase === "accepted"
    same("balance", yield* balanceOf(account), balance(settled ? 0 : 1, 0))
    same("entries", yield* kindsOf(account), `credit hold ${settled ? "settle" : "release"}`)
  }),

  onAccount(
    "close: a close and a receipt at once come to the same in either order",
    { sends: 40 },
    function* ({ account, store }) {
      const ids = yield* atOnce(40, (index) => Effect.map(opened(account, { reference: index }), ({ id }) => id))
      yield* Effect.forEach(
        ids.flatMap((id, index) => {
          const both = [
            Effect.asVoid(
              store.close(closing(id, index % 4 === 0 ? "unknown" : "accepted", { refs: [`ref ${index}`] }))
            ),
            Effect.asVoid(store.report(receipt([`ref ${index}`])))
          ]
          return index % 2 === 0 ? both : both.toReversed()
        }),
        (step) => step,
        { concurrency: "unbounded", discard: true }
      )
      for (const id of ids) {
        const record = yield* live(account, id)
        same("record", [record.phase, record.status.name], ["accepted", "delivered"])
      }
      same("balance", yield* balanceOf(account), balance(0, 0))
      same("entries", (yield* ledgerOf(account)).filter(({ kind }) => kind === "settle").length, 40)
    }
  )
]
