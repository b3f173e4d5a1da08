import type { Condition } from "@watchword/pagination/Fields"
import type { Field } from "@watchword/store/Delivery"
import { describe, expect, it } from "vitest"
import { type Plan, UNBOUNDED, planOf } from "@watchword/store/sql"

const status: Condition<Field> = { _tag: "In", field: "status", values: ["failed", "sent"] }
const time: Condition<Field> = { _tag: "Range", field: "statusAt", gte: 10, lt: 20 }
const to: Condition<Field> = { _tag: "In", field: "to", values: ["+4915100000001"] }
const price: Condition<Field> = { _tag: "In", field: "price", values: [1] }
const created: Condition<Field> = { _tag: "Range", field: "createdAt", gte: 10 }

const window = { first: 10, last: 19, statuses: ["failed", "sent"] }

const plan = (where: ReadonlyArray<Condition<Field>>, field: Field = "statusAt"): Plan =>
  planOf({ where, sort: { field, direction: "DESC" } }, "statusAt")

describe("the plan of a list", () => {
  it("is counted where it has at most a window, in order of its time", () => {
    expect(plan([])).toEqual({ _tag: "Counted", window: UNBOUNDED })
    expect(plan([status, time])).toEqual({ _tag: "Counted", window })
  })

  it("has the window of any list, whatever else is asked", () => {
    expect(plan([time, price, status])).toEqual({ _tag: "Search", window, rest: [price] })
    expect(plan([time, status], "price")).toEqual({ _tag: "Search", window, rest: [] })
    expect(plan([to, time, price, status])).toEqual({
      _tag: "Recipients",
      recipients: ["+4915100000001"],
      window,
      rest: [price]
    })
  })

  it("goes by ids before numbers, and by the first of several conditions on either", () => {
    const ids: Condition<Field> = { _tag: "In", field: "id", values: ["A", "B"] }
    const others: Condition<Field> = { _tag: "In", field: "id", values: ["B"] }
    expect(plan([to, ids, others])).toEqual({ _tag: "Ids", ids: ["A", "B"], window: UNBOUNDED, rest: [to, others] })
  })

  it("bounds several conditions on the window by all of them", () => {
    const narrower: Condition<Field> = { _tag: "Range", field: "statusAt", gt: 11.5, lte: 30 }
    const fewer: Condition<Field> = { _tag: "In", field: "status", values: ["sent", "read", 7] }
    expect(plan([status, time, narrower, fewer])).toEqual({
      _tag: "Counted",
      window: { first: 12, last: 19, statuses: ["sent"] }
    })
  })

  it("asks each record for another time than that of the list, and for bounds that are no numbers", () => {
    expect(plan([created])).toEqual({ _tag: "Search", window: UNBOUNDED, rest: [created] })
    const text: Condition<Field> = { _tag: "Range", field: "statusAt", gte: "2026" }
    expect(plan([text])).toEqual({ _tag: "Search", window: UNBOUNDED, rest: [text] })
  })

  it("is nothing where no record can be meant", () => {
    const none: ReadonlyArray<ReadonlyArray<Condition<Field>>> = [
      [{ _tag: "In", field: "status", values: [] }],
      [status, { _tag: "In", field: "status", values: ["read"] }],
      [{ _tag: "In", field: "to", values: [null, 4_915_100_000_001] }],
      [{ _tag: "In", field: "id", values: [] }],
      [{ _tag: "Range", field: "statusAt", gte: 10, lt: 10 }]
    ]
    for (const where of none) expect(plan(where)).toEqual({ _tag: "Nothing" })
  })
})
