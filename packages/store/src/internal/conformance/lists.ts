import type { Condition } from "@watchword/pagination/Fields"
import { nextAccountId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import type { Delivery, Field } from "../../Delivery.ts"
import { onAccount, same } from "./Case.ts"
import { seededRandom } from "../../checks/index.ts"
import { AT, accountFor, closing, opened, prices, reportOn } from "./Fixtures.ts"
import {
  type Partition,
  HOUR,
  agrees,
  directions,
  partitionOfMany,
  fields,
  question,
  smsOf,
  someCondition
} from "./ManyRecords.ts"

export const lists = [
  onAccount("list: an empty partition has an empty page", { sends: 0 }, function* ({ account }) {
    yield* agrees(smsOf(account), [], question())
    yield* agrees(smsOf(nextAccountId(AT)), [], question())
  }),

  onAccount(
    "list: sorts by every field in both directions, ties by id in the same direction, null below every value",
    { sends: 1_000 },
    function* ({ account }) {
      for (const partition of [smsOf(account), { ...smsOf(account), channel: "chatgw" as const }]) {
        const records = yield* partitionOfMany(seededRandom(1), partition, 30)
        for (const field of fields) {
          for (const direction of directions)
            yield* agrees(partition, records, question({ sort: { field, direction } }))
        }
      }
    }
  ),

  onAccount("list: orders texts by code points, and null below them", { sends: 10 }, function* ({ account, store }) {
    for (const from of ["\u{1F511}", "b", null, "\uFFFD", "é", "B", ""]) yield* opened(account, { from })
    const inOrder = (direction: "ASC" | "DESC") =>
      Effect.map(store.list({ ...smsOf(account), ...question({ sort: { field: "from", direction } }) }), ({ rows }) =>
        rows.map(({ from }) => from)
      )
    const expected = [null, "", "B", "b", "é", "\uFFFD", "\u{1F511}"]
    same("upwards", yield* inOrder("ASC"), expected)
    same("downwards", yield* inOrder("DESC"), expected.toReversed())
  }),

  onAccount(
    "list: cuts pages out of the order, and a page past the end is empty with the true total",
    { sends: 1_000 },
    function* ({ account }) {
      for (const partition of [smsOf(account), { ...smsOf(account), channel: "call" as const }]) {
        const records = yield* partitionOfMany(seededRandom(2), partition, 29)
        for (const field of ["createdAt", "statusAt", "price"] as const) {
          for (const direction of directions) {
            for (const offset of [0, 7, 14, 21, 28, 29, 5_000, 9e14]) {
              yield* agrees(partition, records, question({ sort: { field, direction }, offset, limit: 7 }))
            }
          }
        }
        yield* agrees(partition, records, question({ limit: 0 }))
      }
    }
  ),

  onAccount(
    "list: In has one of the values, null among them, and without values nothing",
    { sends: 1_000 },
    function* ({ account }) {
      const records = yield* partitionOfMany(seededRandom(3), smsOf(account), 40)
      const among: ReadonlyArray<Condition<Field>> = [
        { _tag: "In", field: "status", values: ["delivered"] },
        { _tag: "In", field: "status", values: ["delivered", "failed", "no such"] },
        { _tag: "In", field: "status", values: [] },
        { _tag: "In", field: "id", values: records.slice(3, 9).map(({ id }) => id) },
        { _tag: "In", field: "to", values: ["+447700900001"] },
        { _tag: "In", field: "from", values: [null] },
        { _tag: "In", field: "from", values: [null, "zurich"] },
        { _tag: "In", field: "price", values: [0, prices(2)] },
        { _tag: "In", field: "details.text", values: ['it\'s; -- "quoted" %_', ""] },
        { _tag: "In", field: "details.text", values: [null] },
        { _tag: "In", field: "details.cost", values: [0.5, 1e21] },
        { _tag: "In", field: "details.urgent", values: [true] },
        { _tag: "In", field: "details.urgent", values: [false, null] },
        { _tag: "In", field: "details.missing", values: [null] },
        { _tag: "In", field: "details.missing", values: ["x"] }
      ]
      for (const condition of among) yield* agrees(smsOf(account), records, question({ where: [condition] }))
    }
  ),

  onAccount(
    "list: values of different types are never equal, and never within each other's bounds",
    { sends: 1_000 },
    function* ({ account }) {
      const records = yield* partitionOfMany(seededRandom(4), smsOf(account), 40)
      const conditions: ReadonlyArray<Condition<Field>> = [
        { _tag: "In", field: "details.mixed", values: [1] },
        { _tag: "In", field: "details.mixed", values: ["1"] },
        { _tag: "In", field: "details.mixed", values: [true] },
        { _tag: "In", field: "details.mixed", values: [0, false] },
        { _tag: "In", field: "price", values: ["0"] },
        { _tag: "In", field: "to", values: [4_915_100_000_001, true] },
        { _tag: "Range", field: "details.mixed", gte: 0 },
        { _tag: "Range", field: "details.mixed", gte: "" },
        { _tag: "Range", field: "details.mixed", gte: 0, lt: "z" },
        { _tag: "Range", field: "price", gte: "" },
        { _tag: "Range", field: "to", gt: 0 },
        { _tag: "Range", field: "statusAt", lt: "z" }
      ]
      for (const condition of conditions) yield* agrees(smsOf(account), records, question({ where: [condition] }))
    }
  ),

  onAccount("list: Range has a value that lies within the bounds", { sends: 1_000 }, function* ({ account }) {
    const records = yield* partitionOfMany(seededRandom(5), smsOf(account), 40)
    const middle = records[20]?.statusAt ?? AT
    const ranges: ReadonlyArray<Omit<Extract<Condition<Field>, { readonly _tag: "Range" }>, "_tag">> = [
      { field: "statusAt", gte: middle },
      { field: "statusAt", gt: middle },
      { field: "statusAt", lte: middle },
      { field: "statusAt", lt: middle },
      { field: "statusAt", gte: middle - 0.5 },
      { field: "statusAt", gte: middle + 0.5 },
      { field: "statusAt", gt: middle - 0.5 },
      { field: "statusAt", gt: middle + 0.5 },
      { field: "statusAt", lte: middle - 0.5 },
      { field: "statusAt", lte: middle + 0.5 },
      { field: "statusAt", lt: middle - 0.5 },
      { field: "statusAt", lt: middle + 0.5 },
      { field: "statusAt", gt: middle - 20 * HOUR, lte: middle + 20 * HOUR },
      { field: "statusAt", gte: middle, lte: middle },
      { field: "statusAt", gte: middle, lt: middle },
      { field: "createdAt", gte: AT + 5 * HOUR + 1, lte: AT + 25 * HOUR },
      { field: "price", gt: 0 },
      { field: "from", gte: "Z", lt: "a" },
      { field: "from" },
      { field: "details.cost", gt: -2, lte: 10 },
      { field: "details.text", gt: "" },
      { field: "details.missing" }
    ]
    for (const range of ranges) {
      yield* agrees(smsOf(account), records, question({ where: [{ _tag: "Range", ...range }] }))
    }
  }),

  onAccount(
    "list: a record must meet all conditions, also those on one field",
    { sends: 1_000 },
    function* ({ account }) {
      const records = yield* partitionOfMany(seededRandom(7), smsOf(account), 40)
      const middle = records[20]?.statusAt ?? AT
      const conditions: ReadonlyArray<ReadonlyArray<Condition<Field>>> = [
        [
          { _tag: "In", field: "status", values: ["delivered", "read"] },
          { _tag: "In", field: "status", values: ["failed", "read"] }
        ],
        [
          { _tag: "In", field: "status", values: ["delivered"] },
          { _tag: "In", field: "status", values: ["failed"] }
        ],
        [
          { _tag: "Range", field: "statusAt", gte: middle - 40 * HOUR, lte: middle },
          { _tag: "Range", field: "statusAt", gte: middle - 20 * HOUR, lte: middle + 1 }
        ],
        [
          { _tag: "Range", field: "statusAt", gte: middle },
          { _tag: "In", field: "status", values: ["failed", "read"] },
          { _tag: "In", field: "parts", values: [1, 2] }
        ]
      ]
      for (const where of conditions) {
        yield* agrees(smsOf(account), records, question({ where }))
        yield* agrees(smsOf(account), records, question({ where, sort: { field: "statusAt", direction: "ASC" } }))
      }
    }
  ),

  onAccount("list: any conditions in any order, page by page", { sends: 1_000 }, function* ({ account }) {
    const random = seededRandom(6)
    for (const channel of ["sms", "chatgw"] as const) {
      const partition = { ...smsOf(account), channel }
      const records = yield* partitionOfMany(random, partition, 40)
      for (let index = 0; index < 100; index++) {
        yield* agrees(partition, records, {
          where: Array.from({ length: random.below(3) }, () => someCondition(random, records)),
          sort: { field: fields[random.below(fields.length)] ?? "id", direction: random.oneOf(directions) },
          offset: random.below(25),
          limit: 1 + random.below(30)
        })
      }
    }
  }),

  onAccount(
    "list: numbers, statuses and times together, in order of time, page by page",
    { sends: 1_000 },
    function* ({ account }) {
      const random = seededRandom(8)
      for (const [channel, time] of [["sms", "statusAt"] as const, ["call", "createdAt"] as const]) {
        const partition = { ...smsOf(account), channel }
        const records = yield* partitionOfMany(random, partition, 40)
        const timeOf = (index: number): number => records[index]?.[time] ?? AT
        for (let index = 0; index < 80; index++) {
          const [a, b] = [timeOf(random.below(records.length)), timeOf(random.below(records.length))]
          const window: Condition<Field> = { _tag: "Range", field: time, gte: Math.min(a, b), lt: Math.max(a, b) + 1 }
          const conditions: ReadonlyArray<Condition<Field>> = [
            { _tag: "In", field: "to", values: ["+4915100000001", "+447700900001"].slice(random.below(2)) },
            { _tag: "In", field: "status", values: ["delivered", "failed", "sent"].slice(random.below(3)) },
            random.below(2) === 0 ? window : { _tag: "Range", field: time, gte: a },
            { _tag: "In", field: "parts", values: [1, 3] }
          ]
          yield* agrees(partition, records, {
            where: conditions.filter(() => random.below(2) === 0),
            sort: { field: time, direction: random.oneOf(directions) },
            offset: random.below(30),
            limit: random.below(20)
          })
        }
      }
    }
  ),

  onAccount("list: details may have keys of any kind", { sends: 20 }, function* ({ account }) {
    const keys = ["a.b", 'a"b', "a'b", "a\\b", "$", "[0]", "with space", "ключ", "\u{1F511}", "", "a\nb", "__proto__"]
    const records: Array<Delivery> = []
    for (const key of keys) records.push(yield* opened(account, { details: Object.fromEntries([[key, `at ${key}`]]) }))
    for (const key of keys) {
      const field: Field = `details.${key}`
      yield* agrees(smsOf(account), records, question({ where: [{ _tag: "In", field, values: [`at ${key}`] }] }))
      yield* agrees(smsOf(account), records, question({ sort: { field, direction: "DESC" } }))
    }
  }),

  onAccount("list: sees nothing of another account, mode or channel", { sends: 20 }, function* ({ account }) {
    const other = yield* accountFor(20)
    const partitions: ReadonlyArray<Partition> = [
      smsOf(account),
      smsOf(other),
      { ...smsOf(account), mode: "sandbox" },
      { ...smsOf(account), channel: "bizchat" }
    ]
    const kept = new Map<Partition, Array<Delivery>>()
    for (const [index, partition] of partitions.entries()) {
      const records: Array<Delivery> = []
      for (let count = 0; count <= index; count++) records.push(yield* opened(partition.account, partition))
      kept.set(partition, records)
    }
    for (const [partition, records] of kept) {
      yield* agrees(partition, records, question())
      yield* agrees(partition, records, question({ where: [{ _tag: "In", field: "parts", values: [1] }] }))
    }
  }),

  onAccount("list: totals follow each step", { sends: 10 }, function* ({ account, store }) {
    const totals = Effect.gen(function* () {
      const counted: Array<number> = []
      for (const where of [[], ["sent"], ["delivered"], ["failed"], ["sent", "failed"]]) {
        const conditions = where.length === 0 ? [] : [{ _tag: "In" as const, field: "status" as const, values: where }]
        counted.push((yield* store.list({ ...smsOf(account), ...question({ where: conditions, limit: 1 }) })).total)
      }
      return counted
    })
    same("nothing yet", yield* totals, [0, 0, 0, 0, 0])
    const kept = yield* opened(account)
    const lost = yield* opened(account, {}, { at: AT - 100 * HOUR })
    same("opened", yield* totals, [2, 2, 0, 0, 2])
    yield* store.close(closing(kept.id, "accepted"))
    yield* store.close(closing(lost.id, "rejected"))
    same("closed", yield* totals, [2, 1, 0, 1, 2])
    yield* store.report(reportOn(kept.id, { at: AT + 100 * HOUR }))
    same("reported", yield* totals, [2, 0, 1, 1, 1])
    yield* store.report(reportOn(kept.id))
    yield* store.close(closing(kept.id, "rejected"))
    same("once more", yield* totals, [2, 0, 1, 1, 1])
  })
]
