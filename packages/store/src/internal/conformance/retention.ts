/**
 * Cases of retention: persons are taken out of records, old records go, and the money stays.
 */
import { type AccountId, DeliveryId, firstUlid, nextDeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ERASED } from "../../Delivery.ts"
import { PURGED } from "../RetentionStore.ts"
import { Store } from "../../Store.ts"
import { onAccount, same } from "./Case.ts"
import {
  AT,
  DAY,
  accepted,
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
  status
} from "./Fixtures.ts"

const NUMBER = "+4915123456789"
const OTHER = "+4915198765432"

const all = { to: true, from: true, details: { text: null, words: "gone", absent: "never" } } as const

const details = { text: "Your code is 424242", words: "theirs", encoding: "gsm7" }

/** An id of this very time: the process's own ids continue from the latest time that it has seen. */
const idAt = (at: number): DeliveryId => DeliveryId.make(firstUlid(at).slice(0, 10) + nextDeliveryId(at).slice(10))

/** A send that ends in the step that opens it. */
const ended = (account: AccountId, fields: Parameters<typeof opening>[1] = {}, at = AT, close = ending("accepted")) =>
  opened(account, { id: idAt(at), ...fields }, { at, close })

const sent = (
  account: AccountId,
  fields: Parameters<typeof opening>[1] = {},
  at = AT,
  refs: ReadonlyArray<string> = []
) => ended(account, fields, at, ending("accepted", { refs }))

const pageOf = (account: AccountId) =>
  Effect.flatMap(Store, (store) =>
    store.list({
      account,
      mode: "live",
      channel: "sms",
      where: [],
      sort: { field: "statusAt", direction: "DESC" },
      offset: 0,
      limit: 10
    })
  )

const redaction = [
  onAccount("a redaction takes number, sender and details, and leaves the rest", { sends: 1 }, function* (on) {
    const { account, store } = on
    const before = yield* sent(account, { details })
    same("changed", yield* store.redact([{ id: before.id, ...all }]), 1)
    const after = { ...before, to: ERASED, from: null, details: { text: null, words: "gone", encoding: "gsm7" } }
    same("the record", yield* live(account, before.id), after)
    same("the listed record", (yield* pageOf(account)).rows, [after])
    same("ledger", yield* kindsOf(account), "credit hold settle")
    const found = yield* store.deliveriesTo({ to: NUMBER, since: 0, until: AT + DAY, limit: 10 })
    same("deliveries to the number", found, [])
    same("changed again", yield* store.redact([{ id: before.id, ...all }]), 0)
  }),

  onAccount("a redaction of details alone keeps the number", { sends: 1 }, function* ({ account, store }) {
    const before = yield* sent(account, { details })
    yield* store.redact([{ id: before.id, to: false, from: false, details: { text: null } }])
    same("the record", yield* live(account, before.id), { ...before, details: { ...details, text: null } })
  }),

  onAccount("a redaction leaves records that are under way, and other records", { sends: 4 }, function* (on) {
    const { account, store } = on
    const pending = yield* opened(account, { details })
    const unknown = yield* opened(account, { details }, { close: ending("unknown") })
    const due = yield* sent(account, { channel: "verify", price: zero, details, dueAt: AT + DAY })
    const other = yield* sent(account, { to: OTHER, details })
    const redactions = [pending, unknown, due].map(({ id }) => ({ id, ...all }))
    same("changed", yield* store.redact(redactions), 0)
    same("pending", yield* live(account, pending.id), pending)
    same("unknown", yield* live(account, unknown.id), unknown)
    same("other", yield* live(account, other.id), other)
    same("balance", yield* balanceOf(account), balance(1, 2))
    yield* store.close(closing(pending.id, "accepted"))
    same("changed once it is closed", yield* store.redact(redactions), 1)
  }),

  onAccount("a late receipt moves a record without a person, and brings none back", { sends: 1 }, function* (on) {
    const { account, store } = on
    const { id } = yield* sent(account, { details }, AT, ["r-1", `verify ${NUMBER}`])
    yield* store.redact([{ id, ...all }])
    const named = yield* store.findByRef({ channel: "sms", ref: `verify ${NUMBER}` })
    same("by a ref with the number", Option.isNone(named), true)
    const answer = yield* store.report(receipt(["r-1"], { refund: true, message: { to: NUMBER, reference: 7 } }))
    same("answer", answer._tag, "Moved")
    const after = yield* live(account, id)
    same("number", after.to, ERASED)
    same("status", after.status.name, "delivered")
    same("ledger", yield* kindsOf(account), "credit hold settle refund")
  }),

  onAccount("what is kept under a number is forgotten", { sends: 2 }, function* ({ account, store }) {
    const isHeld = (key: string) =>
      Effect.map(store.open(opening(account, {}, { claims: [claim(key)] })), ({ _tag }) => _tag === "Claimed")
    yield* opened(account, {}, { claims: [claim(`verifying:${NUMBER}`)], close: ending("accepted") })
    yield* opened(account, { channel: "verify", price: zero }, { claims: [claim(`pending:${NUMBER}`)] })
    yield* opened(account, { price: zero }, { claims: [claim(`verifying:${OTHER}`)], close: ending("accepted") })
    yield* store.report(receipt(["early"], { message: { to: NUMBER, reference: null } }))
    yield* store.report(receipt(["other"], { message: { to: OTHER, reference: null } }))
    yield* store.changeSetting({ account, name: `allow:${NUMBER}`, value: "true" })
    yield* store.changeSetting({ account: null, name: `allow:${NUMBER}`, value: "true" })
    yield* store.changeSetting({ account, name: `allow:${OTHER}`, value: "true" })

    const query = { to: NUMBER, settings: [`allow:${NUMBER}`] }
    same("forgotten", yield* store.forget(query), { claims: 1, reports: 1, settings: 2 })
    same("forgotten again", yield* store.forget(query), { claims: 0, reports: 0, settings: 0 })
    same("settings", yield* store.settings(account), [{ name: `allow:${OTHER}`, value: "true" }])
    same("a claim that is under way", yield* isHeld(`pending:${NUMBER}`), true)
    same("a claim of another number", yield* isHeld(`verifying:${OTHER}`), true)
    same("the claim", yield* isHeld(`verifying:${NUMBER}`), false)
  }),

  onAccount("an unmatched report that was forgotten is not replayed", { sends: 1 }, function* ({ account, store }) {
    yield* store.report(receipt(["early"], { message: { to: NUMBER, reference: null } }))
    yield* store.forget({ to: NUMBER, settings: [] })
    const id = yield* accepted(account, ["early"])
    same("status", (yield* live(account, id)).status.name, status.sent.name)
  })
]

const purges = [
  onAccount("a purge deletes old records, and the money stays", { sends: 3 }, function* ({ account, store }) {
    const old = yield* sent(account, {}, AT, ["old"])
    const rejected = yield* ended(account, {}, AT, ending("rejected"))
    const young = yield* sent(account, {}, AT + 2 * DAY)
    const before = yield* balanceOf(account)
    same("purged", yield* store.purge({ before: AT + DAY, limit: 10 }), 2)
    same("purged again", yield* store.purge({ before: AT + DAY, limit: 10 }), 0)
    for (const { id } of [old, rejected]) {
      const found = yield* store.find({ account, mode: "live", channel: "sms", id })
      same("found", Option.isNone(found), true)
    }
    same("list", yield* pageOf(account), { total: 1, rows: [young] })
    same("balance", yield* balanceOf(account), before)
    same("ledger", yield* kindsOf(account), "credit hold settle hold release hold settle")
    same("by ref", Option.isNone(yield* store.findByRef({ channel: "sms", ref: "old" })), true)
    same("a late report", (yield* store.report(reportOn(old.id)))._tag, "Missing")
    same("a late receipt", (yield* store.report(receipt(["old"])))._tag, "Unmatched")
  }),

  onAccount("a purge leaves records that are under way, or have moved since", { sends: 4 }, function* (on) {
    const { account, store } = on
    const pending = yield* opened(account, { id: idAt(AT) })
    const unknown = yield* ended(account, {}, AT, ending("unknown"))
    const due = yield* sent(account, { channel: "verify", price: zero, dueAt: AT + DAY })
    const moved = yield* sent(account)
    yield* store.report(reportOn(moved.id, { at: AT + 2 * DAY }))
    same("purged", yield* store.purge({ before: AT + DAY, limit: 10 }), 0)
    same("pending", yield* live(account, pending.id), pending)
    same("unknown", yield* live(account, unknown.id), unknown)
    const found = yield* store.find({ account, mode: "live", channel: "verify", id: due.id })
    same("due", Option.isSome(found), true)
    same("moved", (yield* live(account, moved.id)).status.name, "delivered")
    const marks = (yield* store.settings(null)).filter(({ name }) => name === PURGED)
    same("marks", marks, [])
  }),

  onAccount("a purge takes the oldest first, and raises its mark", { sends: 3 }, function* ({ account, store }) {
    for (const day of [2, 0, 1]) yield* sent(account, {}, AT + day * DAY)
    const mark = Effect.map(store.settings(null), (settings) => settings.find(({ name }) => name === PURGED)?.value)
    same("purged", yield* store.purge({ before: AT + 3 * DAY, limit: 1 }), 1)
    same("mark", yield* mark, String(AT + 3 * DAY))
    const { rows } = yield* pageOf(account)
    same(
      "days that stay",
      rows.map(({ createdAt }) => (createdAt - AT) / DAY),
      [2, 1]
    )
    same("purged of an earlier time", yield* store.purge({ before: AT + 1.5 * DAY, limit: 10 }), 1)
    same("mark after it", yield* mark, String(AT + 3 * DAY))
  }),

  onAccount("deliveries before a time come in the order of their ids", { sends: 3 }, function* (on) {
    const { account, store } = on
    const second = yield* sent(account, {}, AT + DAY)
    const first = yield* opened(account, { id: idAt(AT) })
    yield* sent(account, {}, AT + 2 * DAY)
    const before = (after: DeliveryId | null, limit = 10) =>
      store.deliveriesBefore({ before: AT + 2 * DAY, after, limit })
    same("all", yield* before(null), [first, second])
    same("a page", yield* before(null, 1), [first])
    same("the next page", yield* before(first.id), [second])
  }),

  onAccount("space is given back while the store is open", { sends: 1 }, function* ({ account, store }) {
    const { id } = yield* sent(account, { details })
    yield* store.redact([{ id, ...all }])
    for (const what of ["some", "all", "rewrite"] as const) same(what, yield* store.reclaim(what), true)
    same("number", (yield* live(account, id)).to, ERASED)
    yield* sent(account, { price: zero })
  })
]

export const retention = [...redaction, ...purges]
