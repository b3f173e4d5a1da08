/**
 * Prefixes of numbers with the most live verifications of the last hour whose code was not entered: pumping looks like
 * this.
 */
import type { TooManyRequests } from "@watchword/schemas/Errors"
import { ERASED } from "@watchword/store/Delivery"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { walk } from "../../commands/Newest.ts"

const HOUR = 60 * 60 * 1000

export interface Prefix {
  /** A number without its last four digits. */
  readonly prefix: string
  readonly unverified: number
  readonly approved: number
}

/** The most verifications that are counted, the newest, and the most prefixes that are shown. */
const COUNTED = 2_000
const SHOWN = 20

export const unverified = Effect.fnUntraced(function* (
  now: number
): Effect.fn.Return<ReadonlyArray<Prefix>, StoreError | TooManyRequests, Store> {
  const { rows } = yield* walk(
    {
      since: Math.max(0, now - HOUR),
      until: now + 1,
      before: null,
      account: null,
      mode: "live",
      channels: ["verify"],
      where: [{ _tag: "In", field: "status", values: ["pending", "failed", "expired", "canceled", "approved"] }],
      limit: COUNTED
    },
    5 * COUNTED
  )
  const byPrefix = Map.groupBy(
    rows.filter(({ to }) => to !== ERASED),
    ({ to }) => to.slice(0, -4)
  )
  return [...byPrefix]
    .map(([prefix, of]) => {
      const approved = of.filter(({ status }) => status.name === "approved").length
      return { prefix, unverified: of.length - approved, approved }
    })
    .filter((each) => each.unverified > 0)
    .toSorted((a, b) => b.unverified - a.unverified)
    .slice(0, SHOWN)
})
