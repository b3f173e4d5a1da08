import { nextAccountId, nextDeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Delivery } from "../../Delivery.ts"
import { Store } from "../../Store.ts"
import { check, onAccount, same } from "./Case.ts"
import {
  AT,
  atOnce,
  balance,
  balanceOf,
  claim,
  closing,
  kindsOf,
  ledgerOf,
  live,
  now,
  opened,
  opening,
  prices,
  recordOf,
  tally
} from "./Fixtures.ts"

export const open = [
  onAccount("open: writes the pending record and takes the hold", { sends: 3 }, function* ({ account, store }) {
    const request = opening(account, { details: { text: "Codé 🔑", tries: 1.5, urgent: true, note: null } })
    const record: Delivery = {
      ...request.delivery,
      phase: "pending",
      named: 0,
      createdAt: AT,
      statusAt: AT,
      dueAt: null,
      watch: null
    }
    const answer = yield* store.open(request)
    same("answer", answer, { _tag: "Opened", delivery: record, available: prices(2) })
    same("record", yield* now(record), record)
    same("balance", yield* balanceOf(account), balance(2, 1))
    const [, hold] = yield* ledgerOf(account)
    same("entry", [hold?.kind, hold?.delivery, hold?.amount], ["hold", record.id, prices(1)])
  }),

  onAccount("open: keeps null, on every channel and in both modes", { sends: 8 }, function* ({ account, store }) {
    for (const channel of ["call", "sms", "chatgw", "bizchat"] as const) {
      for (const mode of ["live", "sandbox"] as const) {
        const request = opening(account, { channel, mode, from: null, reference: null, parts: 3 })
        const record = recordOf(yield* store.open(request))
        same("answer", record, {
          ...request.delivery,
          phase: "pending",
          named: 0,
          createdAt: AT,
          statusAt: AT,
          dueAt: null,
          watch: null
        })
        same("record", yield* now(record), record)
      }
    }
  }),

  onAccount(
    "open: a price of zero leaves no ledger entry and needs no balance",
    { sends: 0 },
    function* ({ account, store }) {
      const answer = yield* store.open(opening(account, { price: zero }))
      same("answer", answer._tag, "Opened")
      same("entries", yield* ledgerOf(account), [])
    }
  ),

  check(
    "open: answers NoAccount for an account that does not exist, and changes nothing",
    Effect.gen(function* () {
      const store = yield* Store
      const request = opening(nextAccountId(AT), { price: zero })
      same("answer", yield* store.open(request), { _tag: "NoAccount" })
      same("record", yield* store.find(request.delivery), Option.none())
    })
  ),

  onAccount(
    "open: answers Insufficient when the available balance is smaller than the price, and changes nothing",
    { sends: 3 },
    function* ({ account, store }) {
      yield* opened(account, { price: prices(2) })
      const request = opening(account, { price: prices(2) }, { claims: [claim("a")] })
      same("answer", yield* store.open(request), { _tag: "Insufficient", available: prices(1) })
      same("record", yield* store.find(request.delivery), Option.none())
      same("balance", yield* balanceOf(account), balance(1, 2))
      same("entries", yield* kindsOf(account), "credit hold")
      const exact = yield* store.open(opening(account, {}, { claims: [claim("a")] }))
      same("the exact amount, under the same claim", tally([exact]), { Opened: 1 })
      same("balance then", yield* balanceOf(account), balance(0, 3))
    }
  ),

  onAccount(
    "open: repeating it with the id of a delivery answers Opened with the record as it is",
    { sends: 1 },
    function* ({ account, store }) {
      const request = opening(account, {}, { claims: [claim("a")] })
      const first = yield* store.open(request)
      same("at once", yield* store.open(request), first)
      const other = { ...request, claims: [claim("b")], at: AT + 5 }
      same("with other claims, later", yield* store.open(other), first)
      yield* opened(account, { price: zero }, { claims: [claim("c")] })
      same("with a claim of another's", yield* store.open({ ...request, claims: [claim("c")] }), first)
      yield* store.close(closing(request.delivery.id, "accepted", { details: { x: 1 } }))
      const record = yield* live(account, request.delivery.id)
      same("phase", record.phase, "accepted")
      same("when it was closed", yield* store.open(request), { _tag: "Opened", delivery: record, available: zero })
      same("entries", yield* kindsOf(account), "credit hold settle")
      const free = opening(account, { price: zero }, { claims: [claim("b")] })
      same("the other claim", tally([yield* store.open(free)]), { Opened: 1 })
    }
  ),

  onAccount(
    "open: of a hundred at once on a balance for ten, ten are let through",
    { sends: 10 },
    function* ({ account, store }) {
      const answers = yield* atOnce(100, () => store.open(opening(account)))
      same("answers", tally(answers), { Opened: 10, Insufficient: 90 })
      same("balance", yield* balanceOf(account), balance(0, 10))
      same("entries", (yield* ledgerOf(account)).length, 11)
    }
  ),

  onAccount(
    "open: of twenty at once with one id, all are answered and one hold is taken",
    { sends: 20 },
    function* ({ account, store }) {
      const request = opening(account, { id: nextDeliveryId(AT) }, { claims: [claim("a")] })
      same("answers", tally(yield* atOnce(20, () => store.open(request))), { Opened: 20 })
      same("balance", yield* balanceOf(account), balance(19, 1))
    }
  )
]
