import type { Before } from "../Requests.ts"
import { onAccount, same } from "./Case.ts"
import { accepted, closing, live, opened, receipt, reportOn, status } from "./Fixtures.ts"

/** What statistics read of the record before a step. */
const known = (answer: { readonly _tag: string; readonly before?: Before }) => {
  const { before } = answer
  return before === undefined ? answer._tag : [before.phase, before.status, before.statusAt, before.details]
}

export const before = [
  onAccount("close: answers the record before it", { sends: 3 }, function* ({ account, store }) {
    const details = { a: 1 }
    for (const outcome of ["accepted", "rejected", "unknown"] as const) {
      const record = yield* opened(account, { details })
      const asked = closing(record.id, outcome, { details: { b: 2 } })
      same(outcome, known(yield* store.close(asked)), ["pending", status.begun, record.statusAt, details])
      const after = yield* live(account, record.id)
      const again = [after.phase, after.status, after.statusAt, after.details]
      same("again", known(yield* store.close(asked)), again)
      if (outcome !== "unknown") continue
      same("at last", known(yield* store.close(closing(record.id, "accepted"))), again)
    }
  }),

  onAccount(
    "close: answers the record before the reports that it replays",
    { sends: 1 },
    function* ({ account, store }) {
      const record = yield* opened(account)
      yield* store.report(receipt(["a"], { details: { x: 1 } }))
      const answer = yield* store.close(closing(record.id, "accepted", { refs: ["a"] }))
      same("before", known(answer), ["pending", status.begun, record.statusAt, {}])
      same("after", (yield* live(account, record.id)).status, status.delivered)
    }
  ),

  onAccount(
    "report: answers the record before it, whether it moved or not",
    { sends: 3 },
    function* ({ account, store }) {
      const id = yield* accepted(account, ["a"])
      const sent = yield* live(account, id)
      const first = yield* store.report(receipt(["a"], { details: { x: 1 } }))
      same("moved", known(first), ["accepted", status.sent, sent.statusAt, sent.details])
      const record = yield* live(account, id)
      const late = yield* store.report(receipt(["a"], { status: status.failed }))
      same("unchanged", known(late), ["accepted", status.delivered, record.statusAt, record.details])
      const noted = yield* store.report(reportOn(id, { status: null, details: { y: 2 } }))
      same("details", known(noted), ["accepted", status.delivered, record.statusAt, { x: 1 }])
      const back = yield* store.report(reportOn(id, { status: null, refund: true }))
      same("refund", known(back), ["accepted", status.delivered, record.statusAt, { x: 1, y: 2 }])
    }
  ),

  onAccount("report: that proves a send answers that it was open", { sends: 1 }, function* ({ account, store }) {
    const message = { to: "+4915123456789", reference: 7 }
    const record = yield* opened(account, { parts: 2 })
    const answer = yield* store.report(receipt(["a"], { message }))
    same("before", known(answer), ["pending", status.begun, record.statusAt, {}])
    same("after", (yield* live(account, record.id)).phase, "accepted")
  })
]
