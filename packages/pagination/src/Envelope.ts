/**
 * The envelope that every list endpoint answers with.
 *
 * Source: the interface's section "Paginated list envelope".
 */
import { field } from "@watchword/schemas/Field"
import * as Schema from "effect/Schema"

/** The schema of an envelope around records of one kind. */
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
 * import { envelope } from "@watchword/pagination/Envelope"
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
