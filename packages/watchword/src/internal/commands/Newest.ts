/**
 * The newest records of all accounts, by what the operator's commands ask for: page by page, and bounded work for each.
 */
import type { Condition } from "@watchword/pagination/internal/Query"
import { field, optional } from "@watchword/schemas/Field"
import { AccountId, type DeliveryId } from "@watchword/schemas/Ids"
import { Mode } from "@watchword/schemas/Channel"
import { as, maybeTime } from "@watchword/store/internal/Wire"
import { E164, callingCodeIn, countryOf, isCountry } from "@watchword/schemas/PhoneNumber"
import type { Delivery, Field } from "@watchword/store/Delivery"
import { type Newest, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The fields of inputs that ask for the newest records. */
export const filters = {
  account: as({ json: "account_id", example: "ACCOUNT" }, optional(AccountId, "Of this account only, acc_…")),
  mode: optional(Mode, "live or sandbox; both unless given"),
  status: as({ example: "STATUS" }, optional(Schema.String, "Those with this status")),
  country: as(
    { example: "DE" },
    optional(
      Schema.String.check(Schema.makeFilter((code) => isCountry(code) || "must be the code of a country, such as DE")),
      "Those to numbers of this country"
    )
  ),
  since: maybeTime("Those asked for since a time"),
  until: maybeTime("Those asked for before a time"),
  limit: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }, { message: "must be from 1 to 100" })),
    "The most that are shown, up to 100; 50 unless given"
  )
}

type Filters = Schema.Struct.Type<typeof filters>

/** The most records that a page looks at, and those of one look: others are served between two looks. */
const MOST = 50_000
const REACH = 2_000

/** Times of ids end here. */
const LAST = 2 ** 48 - 1

const timeOfId = (at: number): number => Math.min(Math.max(0, at), LAST)

export interface Page {
  readonly rows: ReadonlyArray<Delivery>
  /** The id behind which further records may be found; null at the end. */
  readonly next: DeliveryId | null
}

/** What a page is of, beside the filters. */
interface Of {
  readonly after: DeliveryId | undefined
  readonly channels: ReadonlyArray<string>
  readonly where?: ReadonlyArray<Condition<Field>>
}

/** A page of the newest records, which has fewer than the limit where many records had to be looked at for them. */
export const page = (
  { account, country, limit = 50, mode, since, status, until }: Filters,
  { after, channels, where = [] }: Of
): Effect.Effect<Page, StoreError, Store> =>
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
        ...(country === undefined ? [] : [withCode(country)])
      ],
      limit: country === undefined ? limit : OF_CODE
    }),
    (found) => (country === undefined ? found : ofCountry(found, country, limit))
  )

/** How many numbers of a calling code are looked at for those of one country: countries share calling codes. */
const OF_CODE = 500

/** Numbers with the calling code of a country: in the order of texts the next ones begin with its code and a colon. */
const withCode = (country: string): Condition<Field> => {
  const code = `+${callingCodeIn(country) ?? ""}`
  return { _tag: "Range", field: "to", gte: code, lt: `${code}:` }
}

const ofCountry = ({ next, rows }: Page, country: string, limit: number): Page => {
  const all = rows.filter(({ to }) => isE164(to) && countryOf(to) === country)
  const shown = all.slice(0, limit)
  return { rows: shown, next: all.length > limit ? (shown.at(-1)?.id ?? null) : next }
}

const isE164 = Schema.is(E164)

/** The newest records that meet conditions, until the limit is met or so many were looked at. */
export const walk = Effect.fnUntraced(function* (
  query: Omit<Newest, "reach">,
  most = MOST
): Effect.fn.Return<Page, StoreError, Store> {
  const { newestDeliveries } = yield* Store
  const rows: Array<Delivery> = []
  let next = query.before
  for (let looked = 0; looked < most; looked += REACH) {
    if (looked > 0) yield* Effect.yieldNow
    const limit = query.limit - rows.length
    const found = yield* newestDeliveries({ ...query, before: next, limit, reach: REACH })
    rows.push(...found.rows)
    next = found.next
    if (next === null || rows.length === query.limit) break
  }
  return { rows, next }
})

export const toOf = field(Schema.String, "The number as it is stored: `erased` once its person was.")

/** The description of a page's `next`. */
export const nextOf = (what: string): string =>
  `The --after of the rest; null at the end. A page may have fewer ${what} than its limit, and a rest.`

/** A line of a list. */
export const row = (cells: ReadonlyArray<string>): string => cells.join("  ").trimEnd()

/** What a list says behind its lines. */
export const restOf = (count: number, next: string | null, one: string): ReadonlyArray<string> => [
  ...(count === 0 && next === null ? [`There is no such ${one}.`] : []),
  ...(next === null ? [] : [`There may be more: --after ${next}`])
]
