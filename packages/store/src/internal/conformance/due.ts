import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Delivery } from "../../Delivery.ts"
import { Store } from "../../Store.ts"
import { check, onAccount, reopened, same, together } from "./Case.ts"
import {
  AT,
  accountFor,
  atOnce,
  closing,
  ending,
  live,
  now,
  opened,
  opening,
  receipt,
  recordOf,
  reportOn,
  status,
  tally,
  apart
} from "./Fixtures.ts"

/** After any clock. */
const LATER = Date.UTC(2400, 0)

/** Ids of the SMS that are due, soonest first. */
const idsOfDue = Effect.map(
  Store.use((store) => store.due({ channel: "sms", limit: 100 })),
  (rows) => rows.map(({ id }) => id)
)

const idsOf = (deliveries: ReadonlyArray<Delivery>) => deliveries.map(({ id }) => id)

export const due = [
  check(
    "due: lists a channel's deliveries whose time has come, soonest first, in all accounts and modes",
    Effect.gen(function* () {
      const store = yield* Store
      const [one, other] = [yield* accountFor(9), yield* accountFor(9)]
      const third = yield* opened(one, { dueAt: AT + 3 })
      const first = yield* opened(other, { dueAt: AT + 1 })
      const second = yield* opened(one, { dueAt: AT + 2, mode: "sandbox", price: third.price })
      const call = yield* opened(one, { dueAt: AT, channel: "call" })
      for (const dueAt of [LATER, null]) yield* opened(one, { dueAt })
      yield* opened(one)
      same("all", yield* store.due({ channel: "sms", limit: 9 }), [first, second, third])
      same("the limit", yield* store.due({ channel: "sms", limit: 2 }), [first, second])
      same("another channel", yield* store.due({ channel: "call", limit: 9 }), [call])
      same("a channel without any", yield* store.due({ channel: "chatgw", limit: 9 }), [])
    })
  ),

  onAccount("due: lists deliveries of the same time by id", { sends: 20 }, function* ({ account }) {
    const deliveries = yield* atOnce(20, () => opened(account, { dueAt: AT }))
    same("order", yield* idsOfDue, idsOf(deliveries).toSorted())
  }),

  onAccount("due: goes by the store's clock", { sends: 2 }, function* ({ account }) {
    const soon = yield* opened(account, { dueAt: (yield* Clock.currentTimeMillis) + 200 })
    yield* opened(account, { dueAt: LATER })
    const found = yield* Effect.repeat(Effect.delay(idsOfDue, 50), { until: ({ length }) => length > 0 })
    same("once its time has come", found, [soon.id])
  }),

  onAccount(
    "due: an open with close may be due, and a repeated one changes nothing",
    { sends: 2 },
    function* ({ account, store }) {
      const request = opening(account, { dueAt: AT }, { close: ending("accepted") })
      const record = recordOf(yield* store.open(request))
      same("dueAt", record.dueAt, AT)
      same("due", yield* store.due({ channel: "sms", limit: 9 }), [record])
      yield* store.open({ ...request, delivery: { ...request.delivery, dueAt: LATER } })
      same("repeated", yield* store.due({ channel: "sms", limit: 9 }), [record])
    }
  ),

  onAccount(
    "due: neither a close nor a report that leaves it out changes the time",
    { sends: 1 },
    function* ({ account, store }) {
      const { id } = yield* opened(account, { dueAt: AT })
      yield* store.close(closing(id, "accepted", { refs: ["a"] }))
      yield* store.report(receipt(["a"]))
      yield* store.report(reportOn(id, { status: null, details: { a: 1 } }))
      yield* store.report(reportOn(id, { status: status.read, refund: true }))
      same("dueAt", (yield* live(account, id)).dueAt, AT)
      same("due", yield* idsOfDue, [id])
    }
  ),

  onAccount(
    "report: moves the time at which a delivery is due, and ends it with null",
    { sends: 1 },
    function* ({ account, store }) {
      const before = yield* opened(account)
      const schedule = (dueAt: number | null) => reportOn(before.id, { status: null, dueAt })
      for (const dueAt of [AT + 5, AT + 9, AT + 2]) {
        const record = { ...before, dueAt }
        same("answer", apart(yield* store.report(schedule(dueAt))), { _tag: "Moved", delivery: record })
        same("due", yield* store.due({ channel: "sms", limit: 9 }), [record])
      }
      yield* store.report(schedule(LATER))
      same("later", yield* idsOfDue, [])
      same("record", yield* now(before), { ...before, dueAt: LATER })
      yield* store.report(schedule(AT))
      same("ended", apart(yield* store.report(schedule(null))), { _tag: "Moved", delivery: before })
      same("never", yield* idsOfDue, [])
    }
  ),

  onAccount(
    "report: changes dueAt with a status, with details and with a refund, and not where it is Unchanged",
    { sends: 1 },
    function* ({ account, store }) {
      const { id } = yield* opened(account, { dueAt: AT })
      const dueAfter = (fields: Parameters<typeof reportOn>[1]) =>
        Effect.map(store.report(reportOn(id, fields)), ({ _tag, ...rest }) =>
          "delivery" in rest ? `${_tag} ${rest.delivery.dueAt === null ? "never" : rest.delivery.dueAt - AT}` : _tag
        )
      const of = (after: number | null) => ({ dueAt: after === null ? null : AT + after })
      same("status", yield* dueAfter({ status: status.delivered, ...of(1) }), "Moved 1")
      same("a lower rank", yield* dueAfter({ status: status.sent, ...of(2) }), "Unchanged 1")
      same("when is not met", yield* dueAfter({ status: status.read, when: { version: 1 }, ...of(3) }), "Unchanged 1")
      same("details", yield* dueAfter({ status: null, details: { version: 1 }, ...of(4) }), "Moved 4")
      same("when is met", yield* dueAfter({ status: null, when: { version: 1 }, ...of(null) }), "Moved never")
      same("a refund alone", yield* dueAfter({ status: status.sent, refund: true, ...of(5) }), "Moved 5")
      same("refunded already", yield* dueAfter({ status: status.sent, refund: true, ...of(6) }), "Unchanged 5")
      same("due", yield* idsOfDue, [id])
      same("record", (yield* live(account, id)).dueAt, AT + 5)
    }
  ),

  onAccount(
    "report: a report about a part never changes the time, whether matched or kept",
    { sends: 2 },
    function* ({ account, store }) {
      const { id } = yield* opened(account, { dueAt: AT })
      same("early", (yield* store.report(receipt(["b"], { dueAt: LATER })))._tag, "Unmatched")
      yield* store.close(closing(id, "accepted", { refs: ["a", "b"] }))
      same("status", (yield* live(account, id)).status, status.delivered)
      yield* store.report(receipt(["a"], { status: status.read, dueAt: null }))
      same("due", yield* store.due({ channel: "sms", limit: 9 }), [yield* live(account, id)])
    }
  ),

  onAccount(
    "report: of fifty at once that expect the same version, one changes the time",
    { sends: 1 },
    function* ({ account, store }) {
      const { id } = yield* opened(account, { details: { version: 1 }, dueAt: AT })
      const answers = yield* atOnce(50, (index) =>
        store.report(
          reportOn(id, { status: null, when: { version: 1 }, details: { version: 2, index }, dueAt: AT + 1 + index })
        )
      )
      same("answers", tally(answers), { Moved: 1, Unchanged: 49 })
      const record = yield* live(account, id)
      same("time", record.dueAt, AT + 1 + Number(record.details["index"]))
      same("due", yield* store.due({ channel: "sms", limit: 9 }), [record])
    }
  ),

  onAccount("due: finds the few that are due among many that are not", { sends: 300 }, function* ({ account, store }) {
    const times = Array.from({ length: 300 }, (_, index) => (index % 30 === 0 ? AT - index : index % 3 ? null : LATER))
    const deliveries = yield* Effect.forEach(times, (dueAt) => opened(account, { dueAt }), { concurrency: 50 })
    const expected = deliveries.filter(({ dueAt }) => dueAt !== null && dueAt < LATER).toReversed()
    same("due", yield* idsOfDue, idsOf(expected))
    yield* Effect.forEach(expected, ({ id }) => store.report(reportOn(id, { dueAt: null })), { concurrency: 50 })
    same("done", yield* idsOfDue, [])
  })
]

/** For stores whose manifest says `durable`. */
export const lastingDue = [
  reopened(
    "durable: what is due is due still, and what is not is not",
    Effect.gen(function* () {
      const account = yield* accountFor(3)
      const [, moved, ended] = [
        yield* opened(account, { dueAt: LATER }),
        yield* opened(account),
        yield* opened(account, { dueAt: AT })
      ]
      yield* Store.use((store) => store.report(reportOn(moved.id, { status: null, dueAt: AT })))
      yield* Store.use((store) => store.report(reportOn(ended.id, { dueAt: null })))
      return moved.id
    }),
    (id) => Effect.map(idsOfDue, (ids) => same("due", ids, [id]))
  )
]

/** For stores whose manifest says `shared`. */
export const sharedDue = [
  together("shared: of many that take the same step that is due, one does", (one, other) =>
    Effect.gen(function* () {
      const account = yield* accountFor(10)
      yield* atOnce(10, () => opened(account, { dueAt: AT, details: { step: 1 } }))
      const found = yield* Effect.forEach([one, other], (store) => store.due({ channel: "sms", limit: 20 }))
      same("both find them", [found[0]?.length, found[1]], [10, found[0]])
      const answers = yield* Effect.forEach(
        [one, other].flatMap((store) => (found[0] ?? []).map(({ id }) => ({ store, id }))),
        ({ id, store }) =>
          store.report(reportOn(id, { status: null, when: { step: 1 }, details: { step: 2 }, dueAt: null })),
        { concurrency: "unbounded" }
      )
      same("answers", tally(answers), { Moved: 10, Unchanged: 10 })
      same("none is left", yield* idsOfDue, [])
    })
  )
]
