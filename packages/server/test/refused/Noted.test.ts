import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Kind, type Own, make } from "../../src/internal/refused/Noted.ts"

const AT = Date.UTC(2026, 0, 15, 12)

const kind = (fields: Partial<Kind> = {}): Kind => ({
  account: null,
  mode: null,
  operation: "POST /sms",
  status: 401,
  code: "UNAUTHORIZED",
  reason: null,
  ...fields
})

const own = (requestId: string): Own => ({ key: null, requestId, client: "192.0.2.1", number: "+49********89" })

const sum = (rows: ReadonlyArray<{ readonly count: number }>) => rows.reduce((total, { count }) => total + count, 0)

describe("noted requests", () => {
  it("have rows of their own, with what only they have", () => {
    const noted = make()
    noted.note(kind(), AT, () => own("one"))
    noted.note(kind({ status: 400 }), AT + 1, () => own("two"))
    const rows = noted.take()
    expect(rows).toMatchObject([
      { ...kind(), ...own("one"), count: 1 },
      { ...kind(), status: 400, ...own("two"), count: 1 }
    ])
    expect(rows.map(({ id }) => id.length)).toEqual([26, 26])
    expect(noted.take()).toEqual([])
  })

  it("that are alike are counted after the first ones, and nothing more is read of them", () => {
    const noted = make()
    let read = 0
    for (let n = 0; n < 5_000; n++) noted.note(kind(), AT + n, () => own(String(++read)))
    noted.note(kind({ reason: "other" }), AT, () => own("other"))
    const rows = noted.take()
    expect(read).toBe(10)
    expect(rows.filter(({ reason }) => reason === null).map(({ count }) => count)).toEqual([...Array(10).fill(1), 4990])
    expect(rows.at(-1)).toMatchObject({ ...kind(), key: null, requestId: null, client: null, number: null })
    expect(rows.some(({ reason }) => reason === "other")).toBe(true)
  })

  it("of ever more kinds share rows", () => {
    const noted = make()
    for (let n = 0; n < 20_000; n++) noted.note(kind({ operation: `POST /${n}` }), AT, () => own("x"))
    const rows = noted.take()
    expect(sum(rows)).toBe(20_000)
    expect(rows.length).toBeLessThan(2_000)
    expect(rows.find(({ operation }) => operation === "any")).toMatchObject({ status: 401, code: "UNAUTHORIZED" })
  })

  it("all count, are in bounded rows, and wait for a store that is away", () => {
    const requests = fc.record({ status: fc.constantFrom(400, 401, 500), kinds: fc.nat(3_000), times: fc.nat(2_000) })
    const batch = fc.record({ requests: fc.array(requests, { maxLength: 5 }), fails: fc.boolean() })
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 12 }), (batches) => {
        const noted = make()
        let given = 0
        let written = 0
        for (const { fails, requests } of batches) {
          for (const { kinds, status, times } of requests) {
            for (let n = 0; n < times; n++) {
              noted.note(kind({ operation: `POST /${n % (kinds + 1)}`, status }), AT, () => own("x"))
            }
            given += times
          }
          const rows = noted.take()
          expect(rows.length).toBeLessThan(8_000)
          expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
          if (fails) noted.restore(rows, AT)
          else written += sum(rows)
        }
        expect(written + sum(noted.take())).toBe(given)
      }),
      { numRuns: 50 }
    )
  })
})
