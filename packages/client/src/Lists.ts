/**
 * Lists of records: the body that asks for a page, and the pages.
 */
import type { CallOptions } from "./Options.ts"
import type { Request } from "./internal/Request.ts"
import { toWire } from "./internal/Spelling.ts"

/** Bounds of a number or a time, which is ISO 8601. */
export interface Bounds {
  readonly gte?: string | number
  readonly gt?: string | number
  readonly lte?: string | number
  readonly lt?: string | number
}

/** A condition on a field: a value, one of several, or bounds. */
export type Condition<Value> = Value | ReadonlyArray<Value> | Bounds

/** The fields that records can be filtered and sorted by: fields with a single value. */
export type Listed<Fields> = {
  [Name in keyof Fields]-?: Exclude<Fields[Name], undefined> extends string | number | boolean | null ? Name : never
}[keyof Fields] &
  string

/** Conditions by field, all of which a record must meet. */
export type Filter<Fields> = { readonly [Name in Listed<Fields>]?: Condition<Exclude<Fields[Name], undefined>> }

/** Which page of which records, in which order. `{}` asks for the newest twenty. */
export interface ListBody<Fields> {
  /** Counted from 1. */
  readonly page?: number
  /** 1 to 100; 20 unless given. */
  readonly rows_per_page?: number
  /** The field to sort by; the time field by default. */
  readonly sort_by?: Listed<Fields>
  /** `DESC` unless given. */
  readonly sort_direction?: "ASC" | "DESC"
  /** Conditions by field, all of which a record must meet. */
  readonly filter?: Filter<Fields>
}

/** One page. */
export interface Page<Item> {
  /** Records matching the filter. */
  readonly total: number
  /** Pages of these records, of `rows_per_page` each. */
  readonly total_pages: number
  /** Whether a page follows. */
  readonly has_next_page: boolean
  /** Whether a page precedes this one. */
  readonly has_previous_page: boolean
  /** The records of this page. */
  readonly list: ReadonlyArray<Item>
}

/**
 * A list: `await` gives the page, `for await` the records of that page and of all pages after it, which are requested
 * one after the other. Nothing is requested before one of the two.
 *
 * A record that is written meanwhile can push records of a page to the next page, where they appear again. To get every
 * record once, sort by the time of creation, upwards: `{ sort_by: "created_at", sort_direction: "ASC" }`.
 */
export type Listing<Item> = Promise<Page<Item>> & AsyncIterable<Item>

/**
 * Makes a list from a function that returns its pages, for programs with lists of their own.
 *
 * @param first the page that `await` gives, counted from 1
 *
 * @example
 * ```ts
 * import { type Page, listingOf } from "@watchword/client"
 *
 * const pageOf = async (page: number): Promise<Page<number>> => ({
 *   total: 2,
 *   total_pages: 2,
 *   has_next_page: page < 2,
 *   has_previous_page: page > 1,
 *   list: [page]
 * })
 * for await (const item of listingOf(pageOf)) console.log(item) // 1, then 2
 * ```
 */
export const listingOf = <Item>(pageOf: (page: number) => Promise<Page<Item>>, first = 1): Listing<Item> => {
  let asked: Promise<Page<Item>> | null = null
  const page = () => (asked ??= pageOf(first))
  return {
    // oxlint-disable-next-line unicorn/no-thenable -- a list requests its page only once it is awaited
    then: (resolve, reject) => page().then(resolve, reject),
    catch: (reject) => page().catch(reject),
    finally: (after) => page().finally(after),
    [Symbol.toStringTag]: "Listing",
    async *[Symbol.asyncIterator]() {
      let part = await page()
      yield* part.list
      for (let number = first; part.has_next_page;) {
        part = await pageOf(++number)
        yield* part.list
      }
    }
  }
}

/** The list of an endpoint. */
export const listing = <Item, Fields>(
  request: Request,
  path: string,
  body: ListBody<Fields> = {},
  options?: CallOptions,
  isSpelled = false
): Listing<Item> => {
  const asked = isSpelled ? toWire(body) : body
  return listingOf<Item>(
    (page) => request({ method: "POST", path, body: { ...asked, page }, repeats: "harmless", isSpelled }, options),
    body.page
  )
}
