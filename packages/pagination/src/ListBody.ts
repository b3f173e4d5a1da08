/**
 * The body that every list endpoint takes.
 *
 * Source: the interface's section "List body".
 */
import { ignored } from "@watchword/schemas/Issues"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const MAX_ROWS = 100

// So that the number of skipped records stays a safe integer.
const MAX_PAGE = Math.floor(Number.MAX_SAFE_INTEGER / MAX_ROWS)

const wholeNumber = (minimum: number, maximum: number, otherwise: number, description: string) => {
  const message = `must be a whole number from ${minimum} to ${maximum}`
  return (
    Schema.Number.annotate({ message })
      .check(Schema.isInt({ message }).abort(), Schema.isBetween({ minimum, maximum }, { message }))
      // Without the keyword "default", by which generators of clients would have the field given.
      .annotate({ message, description: `${description} By default ${otherwise}.` })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed(otherwise)))
  )
}

/**
 * Which page of which records, in which order. Everything may be left out: `{}` asks for the newest
 * twenty records.
 *
 * The direction is `DESC` unless it is given, with `sort_by` and without. `filter` maps a field to a
 * value, to an array of values or, for numbers and times, to bounds such as `{"gte": …, "lt": …}`;
 * which fields there are and what they hold is checked by `ListFields.toQuery`.
 *
 * @example
 * ```ts
 * import { ListBody } from "@watchword/pagination/ListBody"
 * import * as Schema from "effect/Schema"
 *
 * Schema.decodeUnknownSync(ListBody)({ page: 2, filter: { status: ["failed", "undelivered"] } })
 * // { page: 2, rows_per_page: 20, sort_direction: "DESC", filter: { status: ["failed", "undelivered"] } }
 * ```
 */
export const ListBody = Schema.Struct({
  page: wholeNumber(1, MAX_PAGE, 1, "The page, counted from 1."),
  rows_per_page: wholeNumber(1, MAX_ROWS, 20, "How many records a page has."),
  sort_by: Schema.optionalKey(
    Schema.String.annotate({
      message: "must be the name of a field",
      description: "The field to sort by; records are ordered by time when it is left out."
    })
  ),
  sort_direction: Schema.Literals(["ASC", "DESC"])
    .annotate({ message: "must be ASC or DESC", description: "ASC or DESC, by default DESC." })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed("DESC"))),
  filter: Schema.Record(Schema.String, Schema.Unknown)
    .annotate({
      message: "must be an object of field names and values",
      description:
        "Conditions by field name, all of which a record must meet: a value, an array of values or, " +
        'for numbers and times, an object with "gte", "gt", "lte" or "lt".'
    })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed({})))
}).annotate({
  identifier: "ListBody",
  message: "must be a JSON object",
  examples: [
    {
      page: 1,
      rows_per_page: 20,
      sort_direction: "DESC",
      filter: { status: ["failed"], created_at: { gte: "2026-01-01T00:00:00Z" } }
    }
  ],
  ...ignored
})
export type ListBody = typeof ListBody.Type
