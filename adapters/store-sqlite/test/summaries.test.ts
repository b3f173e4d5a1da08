import type { Condition, Scalar } from "@watchword/pagination/Query"
import type { Channel, Mode } from "@watchword/schemas/Channel"
import type { AccountId } from "@watchword/schemas/Ids"
import { cases } from "@watchword/store/conformance"
import type { Delivery, Details, Field } from "@watchword/store/Delivery"
import { pageOf } from "@watchword/store/Listing"
import type { Listing, Service } from "@watchword/store/Store"
import { timeOf } from "@watchword/store-sql/Window"
import { MicroEuros } from "@watchword/schemas/Money"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { SqliteStore } from "@watchword/store-sqlite"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fieldsOf } from "../src/summaries/Fields.ts"
import { AT, accountFor, closing, opening } from "./fixtures.ts"
import * as Summarising from "./summarising.ts"

describe("SqliteStore, all of whose records are summarised before each list", () => {
  const manifest = { ...SqliteStore.manifest, durable: false, shared: false }
  for (const { name, check } of cases({ manifest, store: () => Summarising.layer })) {
    it(name, () => Effect.runPromise(check))
  }
})

type Drawer = Pick<Listing, "account" | "mode" | "channel">

/** A step of a history; numbers choose among what there is then. */
type Step =
  | { readonly _tag: "Open"; readonly drawer: number; readonly at: number; readonly fields: Fields }
  | { readonly _tag: "Move"; readonly which: number; readonly at: number; readonly how: How; readonly details: Details }
  | { readonly _tag: "Summarise"; readonly steps: number }
  | { readonly _tag: "Ask"; readonly drawer: number; readonly question: Question }

type How = "accepted" | "rejected" | "delivered" | "details" | "refund"

interface Fields {
  readonly to: string
  readonly from: string | null
  readonly price: number
  readonly parts: number
  readonly details: Details
}

interface Question {
  readonly field: number
  readonly conditions: ReadonlyArray<(field: Field) => Condition<Field>>
  readonly direction: "ASC" | "DESC"
  readonly offset: number
  readonly limit: number
}

const channels: ReadonlyArray<Channel> = ["sms", "call", "chatgw", "bizchat"]

// In no order. Some are equal, so that blocks are larger than usual; the others make more blocks, so that there is a tree.
const times = fc.oneof(
  fc.nat(6).map((hours) => AT + hours * 3_600_000),
  fc.nat(400).map((minutes) => AT + minutes * 60_000)
)
const numbers = fc.oneof(fc.nat(3), fc.nat(40), fc.constantFrom(0.5, 2.25, -1))
const texts = fc.constantFrom("", "a", "b", "NO_ANSWER", 'say "so"', "\u{1F511}", "x1", "x2", "x3", "x4")
const scalars = fc.oneof(numbers, texts, fc.boolean(), fc.constant(null))
const recipients = fc.nat(12).map((index) => `+49151000000${String(index).padStart(2, "0")}`)

const details = fc.dictionary(
  fc.constantFrom("text", "hangup_cause", "pdd", "duration", "reported_status", "request_id", "is_refunded", "other"),
  scalars,
  { maxKeys: 5 }
)

const fieldsArbitrary: fc.Arbitrary<Fields> = fc.record({
  to: recipients,
  from: fc.option(texts),
  price: fc.nat(5),
  parts: fc.integer({ min: 1, max: 3 }),
  details
})

const bound = fc.option(fc.oneof(numbers, times, fc.nat(3), texts), { nil: undefined })
const range = fc
  .dictionary(fc.constantFrom("gte", "gt", "lte", "lt"), bound, { maxKeys: 3 })
  .map((bounds) => (field: Field): Condition<Field> => ({ _tag: "Range", field, ...bounds }))
const among = fc
  .array(fc.oneof(scalars, recipients, times, fc.constantFrom("sent", "delivered", "failed", "sent,delivered")), {
    maxLength: 4
  })
  .map((values) => (field: Field): Condition<Field> => ({ _tag: "In", field, values }))

const question: fc.Arbitrary<Question> = fc.record({
  field: fc.nat(20),
  conditions: fc.array(fc.oneof(among, range), { maxLength: 2 }),
  direction: fc.constantFrom("ASC" as const, "DESC" as const),
  offset: fc.nat(40),
  limit: fc.nat(12)
})

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ _tag: fc.constant("Open" as const), drawer: fc.nat(9), at: times, fields: fieldsArbitrary })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: fc.constant("Move" as const),
      which: fc.nat(100),
      at: times,
      how: fc.constantFrom<How>("accepted", "rejected", "delivered", "details", "refund"),
      details
    })
  },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Summarise" as const), steps: fc.nat(12) }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Ask" as const), drawer: fc.nat(9), question }) }
)

/** Most records are in the first drawer, so that its tree has levels. */
const drawersOf = (accounts: ReadonlyArray<AccountId>, channel: Channel): ReadonlyArray<Drawer> => {
  const [first, second] = accounts
  if (first === undefined || second === undefined) return []
  const drawer = (account: AccountId, mode: Mode): Drawer => ({ account, mode, channel })
  return [drawer(first, "live"), drawer(first, "sandbox"), drawer(second, "live")]
}

/** Fields that lists of a channel can be filtered by, summarised or not. */
const filterable = (channel: Channel): ReadonlyArray<Field> => [
  ...fieldsOf(channel).map(({ field }) => field),
  "status",
  "createdAt",
  "statusAt",
  "id",
  "details.other"
]

const whereOf = (channel: Channel, { conditions, field }: Question): ReadonlyArray<Condition<Field>> => {
  const fields = filterable(channel)
  const name = fields[field % fields.length] ?? "to"
  return conditions.map((condition) => condition(name))
}

const move = (store: Service, record: Delivery, { at, details, how }: Extract<Step, { _tag: "Move" }>) => {
  if (how === "accepted" || how === "rejected") return store.close(closing(record.id, { outcome: how, at, details }))
  return store.report({
    target: { _tag: "Delivery", id: record.id },
    status: how === "delivered" ? { name: "delivered", rank: 2 } : null,
    when: {},
    details,
    everyPart: false,
    refund: how === "refund",
    at
  })
}

const history = Effect.fnUntraced(function* (channel: Channel, steps: ReadonlyArray<Step>) {
  const { store, summarise } = yield* Summarising.make
  const accounts = yield* Effect.provideService(Effect.all([accountFor(1_000), accountFor(1_000)]), Store, store)
  const drawers = drawersOf(accounts, channel)
  const records: Array<{ readonly drawer: Drawer; delivery: Delivery }> = []
  for (const step of steps) {
    if (step._tag === "Summarise") summarise(step.steps)
    if (step._tag === "Open") {
      const drawer = drawers[Math.max(0, step.drawer - 7)]
      if (drawer === undefined) continue
      const { price, ...fields } = step.fields
      const request = opening(drawer.account, {
        ...drawer,
        ...fields,
        id: nextDeliveryId(step.at),
        price: MicroEuros.make(price)
      })
      const opened = yield* store.open({ ...request, at: step.at })
      if (opened._tag === "Opened") records.push({ drawer, delivery: opened.delivery })
    }
    if (step._tag === "Move") {
      const record = records[step.which % Math.max(1, records.length)]
      if (record === undefined) continue
      yield* move(store, record.delivery, step)
      record.delivery = Option.getOrThrow(yield* store.find({ ...record.drawer, id: record.delivery.id }))
    }
    if (step._tag === "Ask") {
      const drawer = drawers[Math.max(0, step.drawer - 7)]
      if (drawer === undefined) continue
      const { direction, limit, offset } = step.question
      const where = whereOf(channel, step.question)
      const asked = { where, sort: { field: timeOf(channel), direction }, offset, limit }
      const there = records.filter((record) => record.drawer === drawer).map(({ delivery }) => delivery)
      expect(yield* store.list({ ...drawer, ...asked })).toEqual(pageOf(there, asked))
    }
  }
})

describe("a list", () => {
  for (const channel of channels) {
    it(
      `of ${channel} is what the records are, whenever they were summarised`,
      () =>
        fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 150, size: "max" }), (steps) =>
            Effect.runPromise(Effect.scoped(history(channel, steps)))
          ),
          // What fails is made smaller, but not for ever.
          { numRuns: 60, interruptAfterTimeLimit: 25_000 }
        ),
      60_000
    )
  }

  // A few records make a block here, so some blocks have many numbers in a field, some have texts, and some have both.
  it(
    "by a value of a call finds it among numbers and texts, before and after records changed",
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(scalars, { minLength: 6, maxLength: 40 }),
          fc.array(scalars, { maxLength: 12 }),
          (had, got) => Effect.runPromise(Effect.scoped(history("call", valued(had, got))))
        ),
        { numRuns: 60, interruptAfterTimeLimit: 25_000 }
      ),
    60_000
  )
})

/** Calls that had these durations, the first of which got others; and a list by each. */
const valued = (had: ReadonlyArray<Scalar>, got: ReadonlyArray<Scalar>): ReadonlyArray<Step> => {
  const fields = { to: "+491510000000", from: null, price: 1, parts: 1 }
  const asked = (value: Scalar): Step => ({
    _tag: "Ask",
    drawer: 0,
    question: {
      field: filterable("call").indexOf("details.duration"),
      conditions: [(field) => ({ _tag: "In", field, values: [value] })],
      direction: "ASC",
      offset: 0,
      limit: 3
    }
  })
  const opened = (duration: Scalar, index: number): Step => ({
    _tag: "Open",
    drawer: 0,
    at: AT + index * 60_000,
    fields: { ...fields, details: { duration } }
  })
  const changed = (duration: Scalar, which: number): Step => ({
    _tag: "Move",
    which,
    at: AT,
    how: "details",
    details: { duration }
  })
  const summarised: Step = { _tag: "Summarise", steps: 100 }
  return [
    ...had.map(opened),
    summarised,
    ...had.map(asked),
    ...got.map(changed),
    ...had.map(asked),
    summarised,
    ...[...had, ...got].map(asked)
  ]
}
