import { nextDeliveryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import { onAccount, same } from "./Case.ts"
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
  live,
  opened,
  opening,
  receipt,
  reportOn,
  status,
  tally
} from "./Fixtures.ts"

/** Steps of accounts that are suspended. */
export const suspension = [
  onAccount(
    "open: is not let through while the account is suspended, in both modes, and changes nothing",
    { sends: 2 },
    function* ({ account, store }) {
      const other = yield* accountFor(1)
      yield* store.changeAccount({ account, suspended: true })
      for (const mode of ["live", "sandbox"] as const) {
        const request = opening(account, { mode }, { claims: [claim("a")] })
        same(mode, yield* store.open(request), { _tag: "Suspended" })
        same("with close", yield* store.open({ ...request, close: ending("accepted") }), { _tag: "Suspended" })
      }
      same("money", yield* balanceOf(account), balance(2, 0))
      same("another account", (yield* store.open(opening(other)))._tag, "Opened")
      yield* store.changeAccount({ account, suspended: false })
      same("resumed", (yield* store.open(opening(account, {}, { claims: [claim("a")] })))._tag, "Opened")
      same("entries", yield* kindsOf(account), "credit hold")
    }
  ),

  onAccount(
    "open: of many at once all are refused while the account is suspended",
    { sends: 40 },
    function* ({ account, store }) {
      const other = yield* accountFor(20)
      yield* store.changeAccount({ account, suspended: true })
      const answers = yield* atOnce(40, (index) => store.open(opening(index % 2 === 0 ? account : other)))
      same("answers", tally(answers), { Suspended: 20, Opened: 20 })
      same("money", yield* balanceOf(account), balance(40, 0))
    }
  ),

  onAccount(
    "open: asks whether the account is suspended before claims and money, and after the delivery's own id",
    { sends: 1 },
    function* ({ account, store }) {
      const { id } = yield* opened(account, {}, { claims: [claim("a")] })
      yield* store.changeAccount({ account, suspended: true })
      same("a claim", (yield* store.open(opening(account, {}, { claims: [claim("a")] })))._tag, "Suspended")
      same("no money", (yield* store.open(opening(account)))._tag, "Suspended")
      same("a repeat", (yield* store.open(opening(account, { id })))._tag, "Opened")
    }
  ),

  onAccount("close and report: go on while the account is suspended", { sends: 3 }, function* ({ account, store }) {
    const [settled, released, lost] = [yield* opened(account), yield* opened(account), yield* opened(account)]
    yield* store.changeAccount({ account, suspended: true })
    same("accepted", (yield* store.close(closing(settled.id, "accepted", { refs: ["a"] })))._tag, "Closed")
    same("rejected", (yield* store.close(closing(released.id, "rejected")))._tag, "Closed")
    same("receipt", (yield* store.report(receipt(["a"])))._tag, "Moved")
    same("by id", (yield* store.report(reportOn(lost.id, { refund: true })))._tag, "Moved")
    same("status", (yield* live(account, settled.id)).status, status.delivered)
    same("money", yield* balanceOf(account), balance(2, 0))
  }),

  onAccount(
    "open: that races with a suspension is let through or not, and none after it",
    { sends: 100 },
    function* ({ account, store }) {
      const ids = Array.from({ length: 50 }, () => nextDeliveryId(AT))
      const suspend = store.changeAccount({ account, suspended: true })
      const opens = ids.map((id, index) => {
        const open = store.open(opening(account, { id }))
        return index === 25 ? Effect.andThen(suspend, open) : open
      })
      const answers = yield* Effect.all(opens, { concurrency: "unbounded" })
      same("after it", answers[25]?._tag, "Suspended")
      const through = answers.filter(({ _tag }) => _tag === "Opened").length
      same("money", yield* balanceOf(account), balance(100 - through, through))
    }
  )
]
