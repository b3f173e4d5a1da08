/**
 * The newest records of all accounts under an operator's filters: page by page, with bounded work for each page.
 */
import type { Condition } from "@watchword/pagination/Fields"
import { field, optional } from "@watchword/schemas/Field"
import { AccountId, type DeliveryId } from "@watchword/schemas/Ids"
import { Mode } from "@watchword/schemas/Channel"
import { look, slow } from "../command/SlowReads.ts"
import { as, maybeTime } from "../command/Wire.ts"
import { E164, callingCodeIn, countryOf, isCountry } from "@watchword/schemas/PhoneNumber"
import type { Delivery, Field } from "@watchword/store/Delivery"
import type { TooManyRequests } from "@watchword/schemas/Errors"
import { isSparse } from "@watchword/store/Listing"
import { type Found, type Newest, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The fields of inputs that ask for the newest records. */
export const filters = {
  account: as({ json: "account_id", example: "ACCOUNT" }, optional(AccountId, "Only this account, acc_…")),
  mode: optional(Mode, "live or sandbox; both by default"),
  status: as({ example: "STATUS" }, optional(Schema.String, "Only records with this status")),
  country: as(
    { example: "DE" },
    optional(
      Schema.String.check(Schema.makeFilter((code) => isCountry(code) || "must be the code of a country, such as DE")),
      "Only records with a number in this country"
    )
  ),
  prefix: as(
    { example: "+4915" },
    optional(
      Schema.String.check(
        Schema.isPattern(/^\+[1-9]\d{0,6}$/, { message: "must be a plus sign and 1 to 7 digits, such as +4915" })
      ),
      "Only records with a number that begins so; a whole number is looked up by why"
    )
  ),
  since: maybeTime("Only records requested since this time"),
  until: maybeTime("Only records requested before this time"),
  limit: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }, { message: "must be from 1 to 100" })),
    "How many to show, up to 100; 50 by default"
  )
}

type Filters = Schema.Struct.Type<typeof filters>

/** The most records that a page looks at, and from how many on it is a slow one. */
const MOST = 50_000
const QUICK = 10_000

/** The most records of one look; how many the first one has, and the least, where the store is in this process. */
const REACH = 2_000
const FIRST_REACH = 500
const LEAST_REACH = 250

/** Times of ids end here. */
const LAST = 2 ** 48 - 1

const timeOfId = (at: number): number => Math.min(Math.max(0, at), LAST)

export interface Page {
  readonly rows: ReadonlyArray<Delivery>
  /** The id behind which further records may be found; null at the end. */
  readonly next: DeliveryId | null
}

/** The scope of a page, in addition to its filters. */
interface Of {
  readonly after: DeliveryId | undefined
  readonly channels: ReadonlyArray<string>
  readonly where?: ReadonlyArray<Condition<Field>>
}

/** A page of the newest records, which has fewer than the limit where many records had to be looked at for them. */
export const page = (
  { account, country, limit = 50, mode, prefix, since, status, until }: Filters,
  { after, channels, where = [] }: Of
): Effect.Effect<Page, StoreError | TooManyRequests, Store> =>
  Effect.map(
    walk({
      since: timeOfId(since?.getTime() ?? 0),
      until: timeOfId(until?.getTime() ?? LAST),
      before: after ?? null,
      account: account ?? null,
      mode: mode ?? null,
      channels,
      where: [
        ...where,
        ...(status === undefined ? [] : [{ _tag: "In", field: "status", values: [status] } as const]),
        ...(country === undefined ? [] : [beginningWith(`+${callingCodeIn(country) ?? ""}`)]),
        ...(prefix === undefined ? [] : [beginningWith(prefix)])
      ],
      limit: country === undefined ? limit : OF_CODE
    }),
    (found) => (country === undefined ? found : ofCountry(found, country, limit))
  )

/** How many numbers of a calling code are searched for a country's numbers, because countries share calling codes. */
const OF_CODE = 500

/** Numbers with a prefix: in the order of texts the next ones begin with the prefix and a colon. */
const beginningWith = (prefix: string): Condition<Field> => ({
  _tag: "Range",
  field: "to",
  gte: prefix,
  lt: `${prefix}:`
})

const ofCountry = ({ next, rows }: Page, country: string, limit: number): Page => {
  const all = rows.filter(({ to }) => isE164(to) && countryOf(to) === country)
  const shown = all.slice(0, limit)
  return { rows: shown, next: all.length > limit ? (shown.at(-1)?.id ?? null) : next }
}

const isE164 = Schema.is(E164)

/** A query without the reach of its looks, which a walk chooses. */
type Walk = Omit<Newest, "reach" | "many">

/** A page so far, and whether counts have shown that it has to be walked for. */
interface Walked extends Page {
  readonly many: boolean
}

/** The newest records that meet conditions, until the limit is met or so many were looked at. */
export const walk = (query: Walk, most = MOST): Effect.Effect<Page, StoreError | TooManyRequests, Store> =>
  Effect.gen(function* () {
    const begun = yield* further(query, { rows: [], next: query.before, many: false }, Math.min(most, QUICK))
    if (most <= QUICK || isDone(query, begun)) return begun
    return yield* slow(further(query, begun, most - QUICK))
  })

const isDone = ({ limit }: Walk, { next, rows }: Page): boolean => next === null || rows.length >= limit

const timed = <E, R>(read: Effect.Effect<Found, E, R>) =>
  Effect.suspend(() => {
    const began = performance.now()
    return Effect.map(read, (found) => ({ ...found, took: performance.now() - began }))
  })

/** The reach of the next look, for looks of five to twenty milliseconds. */
const reachAfter = (reach: number, took: number): number => {
  if (took > 20) return Math.max(reach / 2, LEAST_REACH)
  return took < 5 ? Math.min(reach * 2, REACH) : reach
}

/** Extends a page with matches among the next records, up to a number of records. */
const further = Effect.fnUntraced(function* (
  query: Walk,
  walked: Walked,
  most: number
): Effect.fn.Return<Walked, StoreError, Store> {
  const { manifest, newestDeliveries } = yield* Store
  let reach = manifest.cluster ? REACH : FIRST_REACH
  let found = walked
  for (let looked = 0; looked < most && (looked === 0 || !isDone(query, found));) {
    const limit = query.limit - found.rows.length
    const asked = { ...query, before: found.next, limit, reach, many: found.many }
    const { next, rows, took } = yield* look(timed(newestDeliveries(asked)))
    found = { rows: [...found.rows, ...rows], next, many: asked.many || isSparse(asked, rows.length) }
    looked += reach
    if (!manifest.cluster) reach = reachAfter(reach, took)
  }
  return found
})

export const toOf = field(Schema.String, "The number as stored: `erased` after its person was erased.")

/** The description of a page's `next`. */
export const nextOf = (what: string): string =>
  `The --after of the next page; null on the last page. A page may have fewer ${what} than its limit.`

/** A line of a list. */
export const row = (cells: ReadonlyArray<string>): string => cells.join("  ").trimEnd()

/** The closing line of a list. */
export const restOf = (count: number, next: string | null, one: string): ReadonlyArray<string> => [
  ...(count === 0 && next === null ? [`There is no such ${one}.`] : []),
  ...(next === null ? [] : [`There may be more; continue with --after ${next}`])
]
