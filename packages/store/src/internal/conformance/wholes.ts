/** Records with parts: opened together, and changed in the steps that change a part. */
import { type AccountId, type DeliveryId, nextDeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { PART_OF } from "../../Delivery.ts"
import { type Follow, type Open, Store, about, aboutPart } from "../../Store.ts"
import { onAccount, same } from "./Case.ts"
import { AT, balanceOf, claim, ending, live, opening, status } from "./Fixtures.ts"

/** The opening of a record that costs nothing. */
const wholeOf = (account: AccountId, claims: Open["claims"] = []): Open =>
  opening(
    account,
    { id: nextDeliveryId(AT), channel: "verify", price: zero, status: status.sent, details: { version: 0 } },
    { claims, close: ending("accepted", { status: status.sent }) }
  )

/** The opening of a part of it. */
const partOf = (account: AccountId, whole: Open, fields: Partial<Open["delivery"]> = {}): Open => ({
  ...opening(account, { id: nextDeliveryId(AT), details: { [PART_OF]: whole.delivery.id }, ...fields }),
  whole
})

/** Counts the changes of a record's parts, and keeps the last one's status. */
const counting: Follow = (part, whole, at) =>
  about(whole.id, at, {
    when: { version: Number(whole.details["version"]) },
    details: { version: Number(whole.details["version"]) + 1, last: `${part.phase} ${part.status.name}` },
    dueAt: at + 1
  })

const found = Effect.fnUntraced(function* (account: AccountId, id: DeliveryId) {
  const store = yield* Store
  return yield* store.find({ account, mode: "live", channel: "verify", id })
})

const verification = (account: AccountId, id: DeliveryId) => Effect.map(found(account, id), Option.getOrThrow)

export const wholes = [
  onAccount(
    "open with a whole: writes both records, and holds the price of the part",
    { sends: 1 },
    function* ({ account, store }) {
      const whole = wholeOf(account, [claim("one")])
      const part = partOf(account, whole)
      const answer = yield* store.open(part)
      const record = yield* live(account, part.delivery.id)
      const other = yield* verification(account, whole.delivery.id)
      same("answer", answer, { _tag: "Opened", delivery: record, available: zero, whole: other })
      same("phases", [record.phase, other.phase], ["pending", "accepted"])
      same("repeated", yield* store.open(part), answer)
    }
  ),

  onAccount(
    "open with a whole: opens neither where the whole's claim is held",
    { sends: 2 },
    function* ({ account, store }) {
      const whole = wholeOf(account, [claim("one")])
      yield* store.open(partOf(account, whole))
      const before = yield* balanceOf(account)
      const second = partOf(account, wholeOf(account, [claim("one")]))
      const answer = yield* store.open(second)
      const by = yield* verification(account, whole.delivery.id)
      const held = { _tag: "Claimed", claim: claim("one"), sameFingerprint: true, by } as const
      same("answer", answer, { _tag: "WholeRefused", by: held })
      const unsent = yield* store.find({ account, mode: "live", channel: "sms", id: second.delivery.id })
      same("part", Option.isNone(unsent), true)
      same("balance", yield* balanceOf(account), before)
    }
  ),

  onAccount(
    "open with a whole: opens neither where the part is not paid for",
    { sends: 0 },
    function* ({ account, store }) {
      const whole = wholeOf(account, [claim("one")])
      same("answer", yield* store.open(partOf(account, whole)), { _tag: "Insufficient", available: zero })
      same("whole", Option.isNone(yield* found(account, whole.delivery.id)), true)
      const { _tag } = yield* store.open(wholeOf(account, [claim("one")]))
      same("the claim is free", _tag, "Opened")
    }
  )
]

/** The same for stores whose wholes follow in one step. */
export const following = [
  onAccount(
    "close and report: a whole follows each change of its part in the same step",
    { sends: 1 },
    function* ({ account, store }) {
      const whole = wholeOf(account)
      const part = partOf(account, whole)
      yield* store.open(part)
      const { id } = part.delivery
      const end = ending("accepted", { status: status.sent, refs: ["a"] })
      const closed = yield* store.close({ ...end, id, at: AT + 1, follow: counting })
      const first = yield* verification(account, whole.delivery.id)
      same("followed", "followed" in closed ? closed.followed?.delivery : null, first)
      same("the close", first.details, { version: 1, last: "accepted sent" })
      const receipt = aboutPart("sms", ["a"], AT + 2, { status: status.delivered })
      const reported = yield* store.report({ ...receipt, follow: counting })
      const second = yield* verification(account, whole.delivery.id)
      same("followed", "followed" in reported ? reported.followed?.delivery : null, second)
      same("the receipt", [second.details, second.dueAt], [{ version: 2, last: "accepted delivered" }, AT + 3])
      const repeated = yield* store.report({ ...receipt, follow: counting })
      same("a repeat", ["followed" in repeated, repeated._tag], [false, "Unchanged"])
      same("once", (yield* verification(account, whole.delivery.id)).details, second.details)
    }
  ),

  onAccount(
    "report: a whole stays where the rule says nothing, or its condition is not met",
    { sends: 1 },
    function* ({ account, store }) {
      const whole = wholeOf(account)
      const part = partOf(account, whole)
      yield* store.open(part)
      const stale: Follow = (_, { id }, at) => about(id, at, { when: { version: 7 }, details: { version: 8 } })
      const report = (details: object, follow: Follow) =>
        store.report({ ...about(part.delivery.id, AT + 1, { details: { ...details } }), follow })
      for (const [index, rule] of [stale, () => null].entries()) {
        const answer = yield* report({ index }, rule)
        same("answer", [answer._tag, "followed" in answer], ["Moved", false])
      }
      same("details", (yield* verification(account, whole.delivery.id)).details, { version: 0 })
    }
  )
]
