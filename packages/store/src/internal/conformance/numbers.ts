import * as Effect from "effect/Effect"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { Store } from "../../Store.ts"
import { check, onAccount, same } from "./Case.ts"
import { AT, accountFor, ending, opening, recordOf, reportOn, status } from "./Fixtures.ts"

const DAY = 24 * 60 * 60 * 1000
const NUMBER = "+4915112345678"

export const numbers = [
  check(
    "deliveriesTo: finds the deliveries to a number in all accounts, modes and channels, latest first",
    Effect.gen(function* () {
      const store = yield* Store
      const [one, other] = [yield* accountFor(9), yield* accountFor(9)]
      const close = ending("accepted")
      const sent = (account: typeof one, at: number, fields: Parameters<typeof opening>[1] = {}) =>
        Effect.map(
          store.open(opening(account, { to: NUMBER, id: nextDeliveryId(at), ...fields }, { at, close })),
          recordOf
        )
      const first = yield* sent(one, AT)
      const third = yield* sent(other, AT + 20 * DAY)
      const second = yield* sent(one, AT + 10 * DAY, { channel: "call" })
      const fourth = yield* sent(other, AT + 20 * DAY, { channel: "chatgw", mode: "sandbox" })
      yield* sent(one, AT + DAY, { to: `${NUMBER}9` })
      const of = (since: number, until: number, limit = 9) => store.deliveriesTo({ to: NUMBER, since, until, limit })
      same("all", yield* of(AT, AT + 20 * DAY), [fourth, third, second, first])
      same("the limit", yield* of(AT, AT + 20 * DAY, 2), [fourth, third])
      same("since", yield* of(AT + 1, AT + 20 * DAY), [fourth, third, second])
      same("until", yield* of(AT, AT + 20 * DAY - 1), [second, first])
      same("of another number", yield* store.deliveriesTo({ to: "+49151", since: AT, until: AT + DAY, limit: 9 }), [])
    })
  ),

  onAccount(
    "deliveriesTo: finds a delivery whose status has moved weeks later",
    { sends: 1 },
    function* ({ account, store }) {
      const id = nextDeliveryId(AT)
      yield* store.open(opening(account, { id, to: NUMBER }, { close: ending("accepted") }))
      yield* store.report(reportOn(id, { status: status.read, at: AT + 20 * DAY }))
      const ids = (until: number) =>
        Effect.map(store.deliveriesTo({ to: NUMBER, since: AT, until, limit: 9 }), (rows) => rows.map((row) => row.id))
      same("after it", yield* ids(AT + 20 * DAY), [id])
      same("before it", yield* ids(AT + 20 * DAY - 1), [])
    }
  )
]
