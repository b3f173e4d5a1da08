/**
 * A page of a list: the body with which a client asks for it, and the envelope of the answer.
 *
 * Source: the interface's sections "List body" and "Paginated list envelope".
 */
import { field } from "@watchword/schemas/Field"
import { ignored } from "@watchword/schemas/Errors"
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
      // Without the keyword "default", because client generators would then require the field.
      .annotate({ message, description: `${description} By default ${otherwise}.` })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed(otherwise)))
  )
}

/**
 * Which page of which records, in which order. Every field is optional: `{}` asks for the newest
 * twenty records.
 *
 * The direction is `DESC` unless it is given, with or without `sort_by`. `filter` maps a field to a
 * value, to an array of values or, for numbers and times, to bounds such as `{"gte": …, "lt": …}`;
 * `Fields.toQuery` checks the fields and their values.
 *
 * @example
 * ```ts
 * import { ListBody, envelope } from "@watchword/pagination/Page"
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

/** The schema of the envelope around a page of records of one kind. */
export const Envelope = <Item extends Schema.Constraint>(item: Item) =>
  Schema.Struct({
    total: field(Schema.Int, "How many records match, on all pages."),
    total_pages: field(Schema.Int, "How many pages there are."),
    has_next_page: field(Schema.Boolean, "Whether there is a page behind this one."),
    has_previous_page: field(Schema.Boolean, "Whether there is a page before this one."),
    list: field(Schema.Array(item), "The records of this page.")
  })

export interface Envelope<Item> {
  readonly total: number
  readonly total_pages: number
  readonly has_next_page: boolean
  readonly has_previous_page: boolean
  readonly list: ReadonlyArray<Item>
}

/**
 * Puts one page of records into its envelope. A page past the end has an empty list and the true
 * totals, and a previous page whenever there are records at all.
 *
 * @param total how many records match, on all pages
 * @param page counted from 1
 *
 * @example
 * ```ts
 * import { envelope } from "@watchword/pagination/Page"
 *
 * envelope(41, 3, 20, ["the last one"])
 * // { total: 41, total_pages: 3, has_next_page: false, has_previous_page: true, list: ["the last one"] }
 * ```
 */
export const envelope = <Item>(
  total: number,
  page: number,
  rowsPerPage: number,
  list: ReadonlyArray<Item>
): Envelope<Item> => {
  const pages = Math.ceil(total / rowsPerPage)
  return {
    total,
    total_pages: pages,
    has_next_page: page < pages,
    has_previous_page: page > 1 && total > 0,
    list
  }
}
