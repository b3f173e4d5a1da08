/**
 * Live verifications of the last hour, with whether their codes were entered.
 */
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { walk } from "../../commands/Newest.ts"
import type { Sent } from "./Prefixes.ts"

const HOUR = 60 * 60 * 1000

export interface Verification extends Sent {
  readonly isPending: boolean
  /** Whether it failed because wrong codes used up its checks. */
  readonly isGuessed: boolean
  readonly createdAt: number
}

/** The most verifications that are looked at: the newest. */
const COUNTED = 2_000

const isNumber = Schema.is(E164)

/** Leaves out refused verifications, for which no code was sent, and erased ones. */
export const verifications = (now: number): Effect.Effect<ReadonlyArray<Verification>, StoreError, Store> =>
  Effect.map(newest(now, ["pending", "failed", "expired", "canceled", "approved"]), ({ rows }) =>
    rows.flatMap(({ createdAt, details, status: { name }, to }) =>
      isNumber(to)
        ? [
            {
              to,
              createdAt,
              isApproved: name === "approved",
              isPending: name === "pending",
              isGuessed: name === "failed" && details["reason"] === "max_checks"
            }
          ]
        : []
    )
  )

/** The number of each verification that guards refused. */
export const refusals = (now: number): Effect.Effect<ReadonlyArray<E164>, StoreError, Store> =>
  Effect.map(newest(now, ["blocked"]), ({ rows }) => rows.flatMap(({ to }) => (isNumber(to) ? [to] : [])))

const newest = (now: number, values: ReadonlyArray<string>) =>
  // It looks at fewer records than a slow read, of which there may be too many.
  Effect.catchTag(
    walk(
      {
        since: Math.max(0, now - HOUR),
        until: now + 1,
        before: null,
        account: null,
        mode: "live",
        channels: ["verify"],
        where: [{ _tag: "In", field: "status", values }],
        limit: COUNTED
      },
      5 * COUNTED
    ),
    "TOO_MANY_REQUESTS",
    Effect.die
  )
