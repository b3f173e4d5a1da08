/**
 * Says which rules of guards refused a send, by the figures on its record and the current blocks.
 */
import { Blocks, DeniedLimits, GuardAdmin } from "@watchword/guards/operator"
import type { AccountId } from "@watchword/schemas/Ids"
import { type E164, countryName, countryOf } from "@watchword/schemas/PhoneNumber"
import { SPEND, limitOf } from "@watchword/send/pipeline"
import type { Delivery } from "@watchword/store/Delivery"
import type { Settings } from "@watchword/store/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { guardReasons } from "./Sends.ts"

/** The current block of a number. */
export interface Held {
  readonly to: E164
  /** The block that keeps sends from it; null for none. */
  readonly block: Blocks.Placed | null
}

/** Reads the blocks of the installation and of an account. */
export const heldFor = Effect.fnUntraced(function* (
  to: E164,
  account: AccountId
): Effect.fn.Return<Held, StoreError, Settings> {
  const now = yield* Clock.currentTimeMillis
  const shown = yield* Effect.forEach([null, account], GuardAdmin.show)
  const [block = null] = shown.flatMap(({ blocks }) => Blocks.blockOf(blocks, to, now) ?? [])
  return { to, block }
})

/** The rules that refused a send, for the command line: their codes, each with its figures. */
export const codesOf = (delivery: Delivery, held: Held): string =>
  guardReasons(delivery)
    .map((reason) => [reason, ...figuresOf(reason, delivery, held).map((figures) => `(${figures})`)].join(" "))
    .join(", ") || "a guard"

/** The same for the console, without codes. */
export const wordsOf = (delivery: Delivery, held: Held): string => {
  const [first, ...more] = guardReasons(delivery)
  // The word behind it is that of the check.
  if (first === "denied") return [OWN_CHECK, ...more].join(": ")
  return (
    [first, ...more]
      .map((reason = "") => [nameOf(reason, held), ...figuresOf(reason, delivery, held)].join(": "))
      .join(", and by ") || "a guard"
  )
}

const OWN_CHECK = "the operator's own check before each send"

/** How many of how many, and until when. */
const figuresOf = (reason: string, { details }: Delivery, { block }: Held): ReadonlyArray<string> => {
  if (reason === BLOCKED) return block === null ? [] : [`until ${iso(block.until)}`]
  return DeniedLimits.read(details)
    .filter((limit) => limit.reason === reason)
    .map(({ rate, until, used }) => {
      const [most, window] = rate.split("/")
      const figures = reason === SPEND ? `${used / 1_000_000} of ${most} EUR` : `${used} of ${most}`
      return `${figures} in ${window}, until ${iso(until)}`
    })
}

const BLOCKED = "prefix_blocked"

const nameOf = (reason: string, { block, to }: Held): string => {
  if (reason.startsWith(LIMIT)) return `the limit ${reason.slice(LIMIT.length)}`
  switch (reason) {
    case SPEND:
      return "the limit of money"
    case BLOCKED:
      if (block === null) return "a block, which has ended since"
      return `the block of ${block.place}, which ${block.by === "pumping" ? "a rule against pumping" : "an operator"} set`
    case "country_not_allowed": {
      const country = countryOf(to)
      return `the account's rules, which do not allow ${country === null ? "numbers of no country" : (countryName(country) ?? country)}`
    }
    case "number_not_allowed":
      return "the account's rules, which do not allow numbers of this kind"
    case "check_failed":
      return `${OWN_CHECK}, which failed`
    default:
      return reason
  }
}

const LIMIT = limitOf("")

const iso = (at: number): string => new Date(at).toISOString()
