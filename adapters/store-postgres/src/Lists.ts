/**
 * Pages of records, by the plans of `@watchword/store/sql`. Lists that look at few records are quick; all others
 * are searches, which have connections of their own.
 */
import type { Service as Registry } from "@watchword/schemas/ChannelRegistry"
import type { AccountId } from "@watchword/schemas/Ids"
import type { Listing, Page } from "@watchword/store/Listing"
import type { StoreError } from "@watchword/store/StoreError"
import { type Partitions, modeCode, planOf } from "@watchword/store/sql"
import * as Effect from "effect/Effect"
import type { Connections } from "./Connections.ts"
import * as ListSql from "./ListSql.ts"
import { type Row, decoder } from "./Rows.ts"

/** How many records a quick list looks at. */
const FEW = 10_000

/** How many records of the numbers that it asks for a quick list looks at. */
const FEW_OF_RECIPIENTS = 1_000

export const make = (
  { ask, look, search }: Connections,
  schema: string,
  registry: Registry,
  partitions: Partitions
): ((listing: Listing) => Effect.Effect<Page, StoreError>) => {
  const decode = decoder(partitions)

  // Asked for beforehand, so that the planner knows how many records the account has.
  const numberOf = (account: AccountId) =>
    Effect.map(ask<[n: number]>(`SELECT n FROM ${schema}.accounts WHERE id = $1`, [account]), ([row]) => row?.[0])

  const isQuick = (place: ListSql.Place, plan: ListSql.Plan): Effect.Effect<boolean, StoreError> => {
    if (plan._tag !== "Recipients" && plan._tag !== "Search") return Effect.succeed(true)
    const few = plan._tag === "Search" ? FEW : FEW_OF_RECIPIENTS
    const { text, values } = ListSql.size(place, plan, few + 1)
    return Effect.map(look<[n: number]>(text, values), ([row]) => (row?.[0] ?? 0) <= few)
  }

  return Effect.fnUntraced(function* (listing) {
    const plan = planOf(listing, registry.listedBy(listing.channel))
    if (plan._tag === "Nothing") return EMPTY
    const account = yield* numberOf(listing.account)
    if (account === undefined) return EMPTY
    const place = { schema, account, mode: modeCode(listing.mode), channel: partitions.codeOf(listing.channel) }
    const { text, values } = ListSql.page(place, plan, listing)
    const rows = (yield* isQuick(place, plan))
      ? yield* look<PageRow>(text, values)
      : yield* search<PageRow>(listing.account, text, values)
    const [total, records] = rows[0] ?? [0, null]
    return { total, rows: (records ?? []).map(decode) }
  })
}

const EMPTY: Page = { total: 0, rows: [] }

/** The answer of a query: one row. */
type PageRow = [total: number, records: ReadonlyArray<Row> | null]
