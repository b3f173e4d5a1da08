import type { Scalar } from "@watchword/pagination/Fields"
import { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import type { Delivery } from "@watchword/store/Delivery"
import { compare, meets, pageOf, valueOf } from "@watchword/store/Listing"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const delivery = (n: number, fields: Partial<Delivery> = {}): Delivery => ({
  id: DeliveryId.make(`01KAJ3T8ZZ00000000000000${String(n).padStart(2, "0")}`),
  account: AccountId.make("acc_01KAJ3T8ZZ0000000000000000"),
  mode: "live",
  channel: "sms",
  to: "+4915123456789",
  from: null,
  phase: "accepted",
  status: { name: "sent", rank: 1 },
  price: zero,
  parts: 1,
  named: 0,
  reference: 7,
  createdAt: n,
  statusAt: n,
  dueAt: null,
  watch: null,
  details: {},
  ...fields
})

describe("valueOf", () => {
  it("finds fields and details, and null where there is nothing", () => {
    const record = delivery(1, { details: { text: "hello", none: null } })
    expect(valueOf(record, "status")).toBe("sent")
    expect(valueOf(record, "createdAt")).toBe(1)
    expect(valueOf(record, "details.text")).toBe("hello")
    expect(valueOf(record, "details.none")).toBeNull()
    expect(valueOf(record, "details.missing")).toBeNull()
    expect(valueOf(record, "details.constructor")).toBeNull()
  })
})

describe("compare", () => {
  it("puts null below false and true, which are 0 and 1, below other numbers, below texts by code point", () => {
    const inOrder: ReadonlyArray<Scalar> = [null, -1, false, 0.5, true, 2, "", "10", "9", "A", "a", "é", "\uFFFD", "🔑"]
    for (const [index, value] of inOrder.entries()) {
      expect(compare(value, value)).toBe(0)
      for (const above of inOrder.slice(index + 1)) {
        expect(compare(value, above)).toBeLessThan(0)
        expect(compare(above, value)).toBeGreaterThan(0)
      }
    }
  })

  it("agrees with the bytes of UTF-8", () => {
    const text = fc.string({ unit: "binary", maxLength: 6 })
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compare(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      })
    )
  })
})

describe("meets", () => {
  const record = delivery(5, { details: { one: 1, yes: true, text: "b" } })

  it("compares values with their types", () => {
    expect(meets(record, { _tag: "In", field: "details.one", values: [1, 2] })).toBe(true)
    expect(meets(record, { _tag: "In", field: "details.one", values: ["1", true] })).toBe(false)
    expect(meets(record, { _tag: "In", field: "details.yes", values: [1] })).toBe(false)
    expect(meets(record, { _tag: "In", field: "from", values: [null] })).toBe(true)
    expect(meets(record, { _tag: "In", field: "status", values: [] })).toBe(false)
  })

  it("needs a value within all bounds", () => {
    expect(meets(record, { _tag: "Range", field: "createdAt", gte: 5, lte: 5 })).toBe(true)
    expect(meets(record, { _tag: "Range", field: "createdAt", gt: 5 })).toBe(false)
    expect(meets(record, { _tag: "Range", field: "createdAt", gt: 4, lt: 5 })).toBe(false)
    expect(meets(record, { _tag: "Range", field: "details.text", gt: "a", lt: "c" })).toBe(true)
    expect(meets(record, { _tag: "Range", field: "details.text", gt: 0 })).toBe(false)
    expect(meets(record, { _tag: "Range", field: "details.yes", gte: 0 })).toBe(false)
    expect(meets(record, { _tag: "Range", field: "details.yes" })).toBe(true)
    expect(meets(record, { _tag: "Range", field: "from" })).toBe(false)
  })
})

describe("pageOf", () => {
  const records = [delivery(1, { parts: 2 }), delivery(2, { parts: 1 }), delivery(3, { parts: 2 }), delivery(4)]
  const ids = (rows: ReadonlyArray<Delivery>) => rows.map(({ createdAt }) => createdAt)
  const question = { where: [], offset: 0, limit: 10 }

  it("orders ties by id, in the same direction", () => {
    const by = (direction: "ASC" | "DESC") => pageOf(records, { ...question, sort: { field: "parts", direction } })
    expect(ids(by("ASC").rows)).toEqual([2, 4, 1, 3])
    expect(ids(by("DESC").rows)).toEqual([3, 1, 4, 2])
  })

  it("cuts a page out, with the total of all", () => {
    const sort = { field: "createdAt", direction: "ASC" } as const
    const where = [{ _tag: "Range", field: "createdAt", gte: 2 }] as const
    const page = pageOf(records, { where, sort, offset: 1, limit: 1 })
    expect([page.total, ids(page.rows)]).toEqual([3, [3]])
    expect(pageOf(records, { where, sort, offset: 9, limit: 1 })).toEqual({ total: 3, rows: [] })
  })
})
