/**
 * An account's statement of a month, from its ledger: the balance before, each change by kind, and the balance after.
 *
 * It is added up from the first entry on, page by page, so that the closing balance of a month is the opening balance
 * of the next one however large the ledger is. Memory holds a page, and a sum for each channel and country.
 */
import { type BadRequest, NotFound, type TooManyRequests } from "@watchword/schemas/Errors"
import type { AccountId, DeliveryId, EntryId } from "@watchword/schemas/Ids"
import { type E164, countryOf } from "@watchword/schemas/PhoneNumber"
import { Described } from "@watchword/send/channel/Features"
import type { Entry } from "@watchword/store/Account"
import { ERASED } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { look, oneAtATime } from "../../command/SlowReads.ts"
import { spanOf } from "../Month.ts"
import { type Kind, type Sums, Summing } from "./Sums.ts"

export { LISTED } from "./Sums.ts"

export interface StatementInput {
  readonly account: AccountId
  /** Such as `2027-01`, in UTC. */
  readonly month: string
}

export interface Statement extends Sums {
  readonly account: AccountId
  /** The account's name. */
  readonly name: string
  readonly month: string
  /** Whether the month is over. Until then entries are added to it. */
  readonly isOver: boolean
}

/** How many entries one look reads, and of how many sends one look finds the records. */
const PAGE = 1_000
const BATCH = 50

/** In milliseconds: how far the clocks of servers are apart at most, so that an entry may come behind a later one. */
const SKEW = 24 * 60 * 60_000

const inTurn = oneAtATime()

export const statement = (
  input: StatementInput
): Effect.Effect<Statement, BadRequest | NotFound | StoreError | TooManyRequests, Described | Store> =>
  Effect.flatMap(spanOf(input.month), (span) => inTurn(made(input, span)))

const made = Effect.fnUntraced(function* (
  { account, month }: StatementInput,
  span: Effect.Success<ReturnType<typeof spanOf>>
): Effect.fn.Return<Statement, NotFound | StoreError, Described | Store> {
  const store = yield* Store
  const found = yield* store.account(account)
  if (Option.isNone(found)) return yield* new NotFound({ message: "There is no such account." })
  const isOver = (yield* Clock.currentTimeMillis) >= span.until
  const summing = new Summing(span)
  const kindsOf = yield* finding(account)
  let after: EntryId | null = null
  for (;;) {
    const page: ReadonlyArray<Entry> = yield* look(store.entries({ account, after, limit: PAGE }))
    const kinds = yield* kindsOf(page.filter((entry) => summing.isNamed(entry)))
    for (const entry of page) summing.add(entry, kinds.get(entry.delivery) ?? NO_RECORD)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE || page.every(({ at }) => at >= span.until + SKEW)) break
    after = last.id
  }
  return { account, name: found.value.account.name, month, isOver, ...summing.sums }
})

const NO_RECORD: Kind = { channel: "", country: "" }

/** Finds the kinds of the sends that entries name. */
const finding = Effect.fnUntraced(function* (account: AccountId) {
  const store = yield* Store
  const products = (yield* Described).flatMap(({ products }) => products.map(({ name }) => name))
  // Most accounts use few channels: a channel that had the last record is asked first.
  let order: ReadonlyArray<string> = products

  const kindOf = Effect.fnUntraced(function* (id: DeliveryId) {
    for (const channel of order) {
      const found = Option.getOrNull(yield* store.find({ account, mode: "live", channel, id }))
      if (found === null) continue
      order = [channel, ...order.filter((each) => each !== channel)]
      return { channel, country: isNumber(found.to) ? (countryOf(found.to) ?? "") : "" }
    }
    return NO_RECORD
  })

  return Effect.fnUntraced(function* (entries: ReadonlyArray<Entry>) {
    const ids = [...new Set(entries.flatMap(({ delivery }) => delivery ?? []))]
    const kinds = new Map<DeliveryId | null, Kind>()
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH)
      const found = yield* look(Effect.forEach(batch, kindOf, { concurrency: BATCH }))
      for (const [place, id] of batch.entries()) kinds.set(id, found[place] ?? NO_RECORD)
    }
    return kinds
  })
})

const isNumber = (to: string): to is E164 => to !== ERASED
