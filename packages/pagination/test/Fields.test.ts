import * as Fields from "@watchword/pagination/Fields"
import { ListBody } from "@watchword/pagination/Page"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const fields = Fields.listFields(
  {
    uuid: Fields.string("id"),
    messageId: Fields.mapped("id", (text) => (text.startsWith("m-") ? Option.some(text.slice(2)) : Option.none())),
    to: Fields.phoneNumber("to"),
    from: Fields.nullable(Fields.phoneNumber("from")),
    status: Fields.oneOf("status", ["sent", "delivered"]),
    timestamp: Fields.time("statusAt"),
    parts: Fields.integer("parts"),
    pdd: Fields.number("details.pdd"),
    price: Fields.euros("price"),
    is_refunded: Fields.boolean("details.refunded")
  },
  "timestamp"
)
const everyField = "uuid, messageId, to, from, status, timestamp, parts, pdd, price, is_refunded"

const query = (body: unknown) => Fields.toQuery(fields, Schema.decodeUnknownSync(ListBody)(body))
const where = (filter: unknown) => Result.map(query({ filter }), (query) => query.where)

describe("toQuery", () => {
  it("asks for the newest first when nothing is given", () => {
    expect(query({})).toEqual(
      Result.succeed({ where: [], sort: { field: "statusAt", direction: "DESC" }, offset: 0, limit: 20 })
    )
  })

  it("counts the records before a page", () => {
    expect(query({ page: 4, rows_per_page: 30 })).toMatchObject({ success: { offset: 90, limit: 30 } })
  })

  it.each([
    [{ sort_by: "to" }, { field: "to", direction: "DESC" }],
    [
      { sort_by: "messageId", sort_direction: "ASC" },
      { field: "id", direction: "ASC" }
    ],
    [{ sort_direction: "ASC" }, { field: "statusAt", direction: "ASC" }]
  ])("sorts as %j asks", (body, sort) => {
    expect(query(body)).toMatchObject({ success: { sort } })
  })

  it.each([
    [{ to: "+4915123456789" }, "to", ["+4915123456789"]],
    [{ to: ["+1", "+2", "+1"] }, "to", ["+1", "+2"]],
    [{ messageId: "m-7" }, "id", ["7"]],
    [{ messageId: ["m-7", "nonsense"] }, "id", ["7"]],
    [{ messageId: "nonsense" }, "id", []],
    [{ from: [null, "Acme"] }, "from", [null, "Acme"]],
    [{ status: "sent" }, "status", ["sent"]],
    [{ timestamp: "1970-01-01T00:00:01Z" }, "statusAt", [1000]],
    [{ timestamp: ["1970-01-01T00:00:01Z", "1970-01-01T01:00:01+01:00"] }, "statusAt", [1000]],
    [{ parts: 2 }, "parts", [2]],
    [{ parts: -0 }, "parts", [0]],
    [{ pdd: 1.25 }, "details.pdd", [1.25]],
    [{ price: 0.05 }, "price", [50_000]],
    [{ is_refunded: false }, "details.refunded", [false]]
  ])("finds %j", (filter, field, values) => {
    expect(where(filter)).toEqual(Result.succeed([{ _tag: "In", field, values }]))
  })

  it.each([
    [{ timestamp: { gte: "1970-01-01", lt: "1970-01-02" } }, { field: "statusAt", gte: 0, lt: 86_400_000 }],
    [{ parts: { gt: 1, lte: 3 } }, { field: "parts", gt: 1, lte: 3 }],
    [{ pdd: { lt: 0.5 } }, { field: "details.pdd", lt: 0.5 }],
    [{ price: { gte: 0.05 } }, { field: "price", gte: 50_000 }]
  ])("finds what lies within %j", (filter, range) => {
    expect(where(filter)).toEqual(Result.succeed([{ _tag: "Range", ...range }]))
  })

  it("needs all conditions", () => {
    expect(where({ to: "+1", status: ["sent"], parts: { gt: 1 } })).toMatchObject({
      success: [{ field: "to" }, { field: "status" }, { field: "parts" }]
    })
  })

  const bounds = "must be one of gte, gt, lte, lt"
  const euros = "must be a number of euros with at most six decimals"
  const time = "must be a date or a time with its zone in ISO 8601, for example 2026-01-31T12:00:00Z"
  const characters = "must not have control characters or unpaired surrogates"
  it.each([
    [{ nope: 1 }, "filter.nope", `is not a field of these records; must be one of ${everyField}`],
    [{ id: "x" }, "filter.id", `is not a field of these records; must be one of ${everyField}`],
    [{ constructor: 1 }, "filter.constructor", `is not a field of these records; must be one of ${everyField}`],
    [{ to: 1 }, "filter.to", "must be a string"],
    [{ to: null }, "filter.to", "must be a string"],
    [{ from: 1 }, "filter.from", "must be a string, or null"],
    [{ to: ["+1", true] }, "filter.to[1]", "must be a string"],
    [{ to: [["+1"]] }, "filter.to[0]", "must be a string"],
    [{ to: [] }, "filter.to", "must have 1 to 100 values"],
    [{ to: Array.from({ length: 101 }, String) }, "filter.to", "must have 1 to 100 values"],
    [{ to: "+4407400123456" }, "filter.to", expect.stringContaining("trunk prefix")],
    [{ to: { gte: "+1" } }, "filter.to", "must be a value or an array of values"],
    [{ to: "x".repeat(257) }, "filter.to", "must have at most 256 characters"],
    [{ to: "a\u0000" }, "filter.to", characters],
    [{ to: "a\r\nb" }, "filter.to", characters],
    [{ to: "\ud800" }, "filter.to", characters],
    [{ messageId: "a\u0000" }, "filter.messageId", characters],
    [{ messageId: 7 }, "filter.messageId", "must be a string"],
    [{ status: "SENT" }, "filter.status", "must be one of sent, delivered"],
    [{ status: ["sent", "read"] }, "filter.status[1]", "must be one of sent, delivered"],
    [{ parts: "1" }, "filter.parts", "must be a whole number"],
    [{ parts: 1.5 }, "filter.parts", "must be a whole number"],
    [{ parts: 2 ** 53 }, "filter.parts", "must be a whole number"],
    [{ pdd: "1" }, "filter.pdd", "must be a number"],
    [{ pdd: Number.POSITIVE_INFINITY }, "filter.pdd", "must be a number"],
    [{ price: 0.000_000_1 }, "filter.price", euros],
    [{ price: "0.05" }, "filter.price", euros],
    [{ price: 1e12 }, "filter.price", euros],
    [{ is_refunded: "true" }, "filter.is_refunded", "must be true or false"],
    [{ timestamp: 0 }, "filter.timestamp", time],
    [{ timestamp: "2026-02-30" }, "filter.timestamp", time],
    [{ timestamp: {} }, "filter.timestamp", "must have one of gte, gt, lte, lt"],
    [{ timestamp: { from: "2026-01-01" } }, "filter.timestamp.from", bounds],
    [{ parts: { gte: null } }, "filter.parts.gte", "must be a whole number"],
    [{ parts: { gte: [1] } }, "filter.parts.gte", "must be a whole number"],
    [
      JSON.parse('{"__proto__":1}'),
      "filter.__proto__",
      `is not a field of these records; must be one of ${everyField}`
    ],
    [JSON.parse('{"parts":{"__proto__":{"gte":1}}}'), "filter.parts.__proto__", bounds]
  ])("says what is wrong with %j", (filter, path, message) => {
    expect(where(filter)).toEqual(Result.fail([{ path, message }]))
  })

  it.each(["nope", "id", "", "__proto__", "toString"])("cannot sort by %j", (sort_by) => {
    expect(query({ sort_by })).toEqual(Result.fail([{ path: "sort_by", message: `must be one of ${everyField}` }]))
  })

  it("names everything that is wrong at once", () => {
    expect(query({ sort_by: "nope", filter: { to: 1, parts: "2", status: "sent" } })).toMatchObject({
      failure: [{ path: "sort_by" }, { path: "filter.to" }, { path: "filter.parts" }]
    })
  })

  it("keeps its answer short whatever was sent", () => {
    const filter = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`${index}${"x".repeat(1000)}`, 1]))
    const result = query({ filter })
    expect(Result.isFailure(result) && result.failure.length).toBe(20)
    expect(JSON.stringify(result).length).toBeLessThan(10_000)
  })

  const names = fc.constantFrom(...fields.fields.keys(), "__proto__", "constructor", "hasOwnProperty", "nope")
  const bound = fc.constantFrom("gte", "gt", "lte", "lt", "__proto__", "eq")
  const scalar = fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.integer(), fc.boolean(), fc.constant(null))
  const value = fc.oneof(scalar, fc.array(scalar), fc.dictionary(bound, scalar), fc.jsonValue())
  const stored = new Set([...fields.fields.values()].map((field) => field.name))

  it("answers any filter with known fields of the store or with issues inside the filter", () => {
    fc.assert(
      fc.property(fc.dictionary(names, value), (filter) => {
        const result = where(filter)
        if (Result.isFailure(result)) {
          expect(result.failure.length).toBeGreaterThan(0)
          for (const { path } of result.failure) expect(path.startsWith("filter.")).toBe(true)
        } else {
          expect(result.success.length).toBe(Object.keys(filter).length)
          for (const condition of result.success) expect(stored.has(condition.field)).toBe(true)
        }
      }),
      { numRuns: 1000 }
    )
  })

  it("reads euros exactly, as values and as bounds", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (micro) => {
        const price = micro / 1_000_000
        expect(where({ price })).toEqual(Result.succeed([{ _tag: "In", field: "price", values: [micro] }]))
        expect(where({ price: { gte: price, lte: price } })).toEqual(
          Result.succeed([{ _tag: "Range", field: "price", gte: micro, lte: micro }])
        )
      })
    )
  })
})
