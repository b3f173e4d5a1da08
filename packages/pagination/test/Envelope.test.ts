import { Envelope, envelope } from "@watchword/pagination/Page"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

describe("envelope", () => {
  it("tells totals and neighbours of a page in the middle", () => {
    expect(envelope(41, 2, 20, ["a"])).toEqual({
      total: 41,
      total_pages: 3,
      has_next_page: true,
      has_previous_page: true,
      list: ["a"]
    })
  })

  it("has no pages without records", () => {
    expect(envelope(0, 1, 20, [])).toEqual({
      total: 0,
      total_pages: 0,
      has_next_page: false,
      has_previous_page: false,
      list: []
    })
  })

  it("keeps the true totals on a page past the end", () => {
    expect(envelope(41, 9, 20, [])).toEqual({
      total: 41,
      total_pages: 3,
      has_next_page: false,
      has_previous_page: true,
      list: []
    })
  })

  it("leads through every record exactly once, and never claims a page that is empty", () => {
    fc.assert(
      fc.property(fc.nat(300), fc.integer({ min: 1, max: 100 }), (total, rows) => {
        const records = Array.from({ length: total }, (_, index) => index)
        const seen: Array<number> = []
        let page = 1
        for (;;) {
          const answer = envelope(total, page, rows, records.slice((page - 1) * rows, page * rows))
          expect(answer.has_previous_page).toBe(seen.length > 0)
          seen.push(...answer.list)
          if (!answer.has_next_page) {
            expect(answer.total_pages).toBe(total === 0 ? 0 : page)
            break
          }
          page++
        }
        expect(seen).toEqual(records)
      })
    )
  })
})

describe("Envelope", () => {
  const schema = Envelope(Schema.Struct({ uuid: Schema.String }))

  it("decodes what envelope makes", () => {
    const made = envelope(1, 1, 20, [{ uuid: "x" }])
    expect(Schema.decodeUnknownSync(schema)(JSON.parse(JSON.stringify(made)))).toEqual(made)
  })

  it("refuses other records", () => {
    expect(() => Schema.decodeUnknownSync(schema)(envelope(1, 1, 20, [{ id: 1 }]))).toThrow()
  })
})
