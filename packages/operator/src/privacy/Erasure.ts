/**
 * Erasure of a number: removes its person from every record, and from all other stored data. Amounts, times and
 * statuses stay, and so do blocks, which keep messages from the number.
 *
 * Sends and verifications in progress stay until they have ended: a hold must be settled, and a verification answered.
 * An erased number that is written to again is a new person.
 */
import { phoneSettings as phones } from "@watchword/sandbox/phoneSettings"
import { GuardSettings } from "@watchword/guards/operator"
import { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { spellings } from "@watchword/schemas/phone"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import { Settings, owners } from "@watchword/store/Settings"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import { testNumbers } from "@watchword/verify/operator"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Personal from "./Personal.ts"

/** How many of each kind an erasure has changed or removed. */
export interface Erased {
  /** Sends and verifications that have no number, no text and no code from now on. */
  readonly records: number
  readonly claims: number
  /** Receipts that no send matched. */
  readonly reports: number
  /** Exceptions of guards, test numbers, and phones of the sandbox. */
  readonly settings: number
  /** Blocks of this very number: they stay, and end by themselves. */
  readonly blocks_kept: number
  /** Records that were left because they are under way: to be erased again in some minutes. */
  readonly under_way: number
  /** Whether the database has given the space back; else a reader kept it, and the number is to be erased again. */
  readonly reclaimed: boolean
}

export interface Options {
  /**
   * Has the database write its tables again, so that not even unused bytes of its files have the number. Sends wait
   * meanwhile. False unless given.
   */
  readonly rewrite?: boolean
}

/** How many records one step changes. */
const BATCH = 500

const DAY = 24 * 60 * 60 * 1000

/** Erases a number, and its phone under another spelling. Again, it changes nothing. */
export const erase = Effect.fnUntraced(function* (
  number: E164,
  { rewrite = false }: Options = {}
): Effect.fn.Return<Erased, StoreError, ChannelRegistry | Settings | Store> {
  const store = yield* Store
  let erased = none
  for (const each of spellings(number)) erased = sum(erased, yield* eraseSpelling(each))
  return { ...erased, reclaimed: yield* store.reclaim(rewrite ? "rewrite" : "all") }
})

const none = { records: 0, claims: 0, reports: 0, settings: 0, blocks_kept: 0, under_way: 0 }

const sum = (one: typeof none, other: typeof none): typeof none => ({
  records: one.records + other.records,
  claims: one.claims + other.claims,
  reports: one.reports + other.reports,
  settings: one.settings + other.settings,
  blocks_kept: one.blocks_kept + other.blocks_kept,
  under_way: one.under_way + other.under_way
})

/** Erases one number of a phone. */
const eraseSpelling = Effect.fnUntraced(function* (number: string) {
  const store = yield* Store
  const { records, underWay } = yield* eraseRecords(number)
  const names = [GuardSettings.exceptions, GuardSettings.passes, testNumbers, phones].map(
    (family) => family.prefix + number
  )
  const forgotten = yield* store.forget({ to: number, settings: names })
  return {
    records,
    ...forgotten,
    blocks_kept: yield* countBlocks(number),
    under_way: underWay
  }
})

const eraseRecords = Effect.fnUntraced(function* (number: string) {
  const store = yield* Store
  const personal = Personal.make(yield* ChannelRegistry)
  const now = yield* Clock.currentTimeMillis
  const accounts = yield* store.accounts
  // No record is older than its account. Clocks may differ by less than a day.
  const since = Math.min(now, ...accounts.map(({ account }) => account.createdAt)) - DAY
  let records = 0
  for (;;) {
    const found = yield* store.deliveriesTo({ to: number, since, until: now + DAY, limit: BATCH })
    const foreign = found.find((delivery) => !personal.knows(delivery))
    if (foreign !== undefined) return yield* unknownTo(foreign)
    const ended = found.filter((delivery) => !personal.isUnderWay(delivery, now))
    const changed = yield* store.redact(ended.map((delivery) => personal.redactionOf(delivery, "person")))
    records += changed
    // An erased record is not found again.
    if (found.length < BATCH || changed === 0) return { records, underWay: found.length - changed }
  }
})

const unknownTo = ({ channel }: Delivery) =>
  new StoreError({
    reason: "Unavailable",
    message:
      `The number has a record of the product ${channel}, and this program does not have its channel: ` +
      "use service.operator in the program that has the channel."
  })

const countBlocks = Effect.fnUntraced(function* (number: string) {
  const settings = yield* Settings
  const blocks = yield* Effect.forEach(yield* owners, (owner) => settings.all(owner, GuardSettings.blocks))
  return blocks.filter((each) => each.has(number)).length
})
