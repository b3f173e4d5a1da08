import { ListBody } from "@watchword/pagination/Page"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const decode = Schema.decodeUnknownSync(ListBody)
const decodeResult = Schema.decodeUnknownResult(ListBody, { errors: "all" })
const format = SchemaIssue.makeFormatterStandardSchemaV1()

const issues = (body: unknown): ReadonlyArray<string> =>
  Result.match(decodeResult(body), {
    onSuccess: () => [],
    onFailure: (error) => format(error.issue).issues.map(({ message, path }) => `${path?.join(".")}: ${message}`)
  })

const page = "page: must be a whole number from 1 to 90071992547409"
const rows = "rows_per_page: must be a whole number from 1 to 100"

describe("ListBody", () => {
  it("asks for the newest twenty records when nothing is given", () => {
    expect(decode({})).toEqual({ page: 1, rows_per_page: 20, sort_direction: "DESC", filter: {} })
  })

  it("takes every field, and leaves unknown ones out", () => {
    const body = { page: 3, rows_per_page: 100, sort_by: "to", sort_direction: "ASC", filter: { to: ["+1"] } }
    expect(decode({ ...body, unknown: true })).toEqual(body)
  })

  it.each([
    [{ page: 0 }, [page]],
    [{ page: -1 }, [page]],
    [{ page: 1.5 }, [page]],
    [{ page: "1" }, [page]],
    [{ page: null }, [page]],
    [{ page: 90_071_992_547_410 }, [page]],
    [{ page: 1e300 }, [page]],
    [{ page: Number.NaN }, [page]],
    [{ page: Number.POSITIVE_INFINITY }, [page]],
    [{ rows_per_page: 0 }, [rows]],
    [{ rows_per_page: 101 }, [rows]],
    [{ page: 0, rows_per_page: "20" }, [page, rows]],
    [{ sort_by: 1 }, ["sort_by: must be the name of a field"]],
    [{ sort_direction: "asc" }, ["sort_direction: must be ASC or DESC"]],
    [{ filter: [] }, ["filter: must be an object of field names and values"]],
    [{ filter: "to" }, ["filter: must be an object of field names and values"]],
    [{ filter: null }, ["filter: must be an object of field names and values"]],
    [[], [": must be a JSON object"]],
    [null, [": must be a JSON object"]],
    ["{}", [": must be a JSON object"]]
  ])("says what is wrong with %j", (body, expected) => {
    expect(issues(body)).toEqual(expected)
  })

  it("keeps a field called __proto__ an ordinary one", () => {
    const { filter } = decode(JSON.parse('{"filter":{"__proto__":{"to":1},"constructor":2}}'))
    expect(Object.keys(filter)).toEqual(["__proto__", "constructor"])
    expect(Object.getPrototypeOf(filter)).toBe(Object.prototype)
  })

  it("allows no page whose offset is not a safe integer", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        fc.integer({ min: 1, max: 100 }),
        (page, rows) => {
          const body = decodeResult({ page, rows_per_page: rows })
          if (Result.isSuccess(body)) {
            expect(Number.isSafeInteger(body.success.page * body.success.rows_per_page)).toBe(true)
          }
        }
      )
    )
    expect(decode({ page: 90_071_992_547_409 }).page).toBe(90_071_992_547_409)
  })

  it("tells its defaults and bounds to readers of the contract", () => {
    expect(Schema.toJsonSchemaDocument(ListBody)).toMatchObject({
      definitions: {
        ListBody: {
          properties: {
            page: { type: "integer", minimum: 1, description: expect.stringContaining("By default 1.") },
            rows_per_page: { minimum: 1, maximum: 100, description: expect.stringContaining("By default 20.") },
            sort_direction: { enum: ["ASC", "DESC"], description: "ASC or DESC, by default DESC." },
            filter: { type: "object" }
          }
        }
      }
    })
  })
})
