/**
 * The periods of an installation after which records and texts go. Without one, all is kept.
 */
import { BadRequest, type Issue, type NotFound } from "@watchword/schemas/Errors"
import * as Setting from "@watchword/store/Setting"
import { Settings } from "@watchword/store/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Days, or null forever. */
export interface Periods {
  /** After which records are deleted. Entries of ledgers stay. */
  readonly records: number | null
  /** After which texts, codes and facts of clients are taken out of records. */
  readonly texts: number | null
}

/** The fewest days of records: what keeps a repeated request from a second send lasts for one. */
const FEWEST = { records: 2, texts: 1 } as const

const MOST = 3_650

const Days = Schema.NullOr(Schema.Int)

const setting = Setting.make<Periods, Periods>({
  name: "retention",
  title: "retention",
  schema: Schema.Struct({ records: Days, texts: Days })
})

/** The periods of the installation. */
export const get: Effect.Effect<Periods, StoreError, Settings> = Settings.use((settings) =>
  Effect.map(
    settings.get(null, setting),
    Option.getOrElse((): Periods => ({ records: null, texts: null }))
  )
)

/**
 * Sets the periods that are given and leaves the others, and answers all. Fails with `BadRequest`, which names the
 * mistake.
 */
export const set = Effect.fnUntraced(function* (
  change: Partial<Periods>
): Effect.fn.Return<Periods, BadRequest | NotFound | StoreError, Settings> {
  const settings = yield* Settings
  const periods = { ...(yield* get), ...change }
  const issues = [...issuesOf("records", periods.records), ...issuesOf("texts", periods.texts), ...orderOf(periods)]
  if (issues.length > 0) return yield* new BadRequest({ message: "The retention is not valid.", issues })
  return yield* settings.set(null, setting, periods)
})

const issuesOf = (name: "records" | "texts", days: number | null): ReadonlyArray<Issue> =>
  days === null || (Number.isInteger(days) && days >= FEWEST[name] && days <= MOST)
    ? []
    : [{ path: name, message: `must be ${FEWEST[name]}d to ${MOST}d, in whole days, or forever` }]

const orderOf = ({ records, texts }: Periods): ReadonlyArray<Issue> =>
  records !== null && texts !== null && texts > records
    ? [{ path: "texts", message: `must not be longer than records, which is ${records}d` }]
    : []

const DAYS = /^([1-9][0-9]{0,3})d$/

/** Days of a text such as `90d`, null for `forever`; NaN for another text. */
export const parse = (text: string): number | null =>
  text === "forever" ? null : Number(DAYS.exec(text)?.[1] ?? Number.NaN)

/** Days as {@link parse} reads them; null stays. */
export const written = (days: number | null): string | null => (days === null ? null : `${days}d`)
