/**
 * Verifications that wait for a call. A call carries no token: which verification it is about is known from its caller
 * and from the number that was called, one of a pool.
 *
 * A start takes a number at which no other verification waits for the same caller. Of two starts at the same moment
 * both may take one: the call then approves neither.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import type { StartVerification } from "@watchword/schemas/Verification"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { openForms } from "./plan/Receives.ts"
import * as Record from "./VerificationRecord.ts"

export interface ExpectedCalls {
  /** The verifications that wait for a call from a number. */
  readonly from: (caller: E164) => Effect.Effect<ReadonlyArray<Record.Stored>, StoreError>
  /** The numbers at which verifications wait for a call of a start's number, except the verification of a repeat. */
  readonly takenBy: (
    principal: Principal,
    start: Pick<StartVerification, "purpose" | "to">
  ) => Effect.Effect<ReadonlySet<string>, StoreError>
}

/** The longest time to live of a verification, in milliseconds. */
const LONGEST = 3_600_000

/** How many records of a number are looked at. */
const MOST = 100

export const make: Effect.Effect<ExpectedCalls, never, Store> = Effect.map(Store, (store) => {
  const from: ExpectedCalls["from"] = Effect.fnUntraced(function* (caller) {
    const now = yield* Clock.currentTimeMillis
    const found = yield* store.deliveriesTo({ to: caller, since: now - LONGEST, until: now + LONGEST, limit: MOST })
    return found
      .filter(({ channel, status }) => channel === Record.PRODUCT && status.name === "pending")
      .map(Record.read)
      .filter(({ plan, terms }) => Record.receivesOf(terms).call !== undefined && isExpected(plan, now))
  })

  return {
    from,
    takenBy: ({ account, mode }, { purpose, to }) =>
      Effect.map(from(to), (expected) => {
        const others = expected.filter(({ delivery, terms }) => {
          if (delivery.mode !== mode) return false
          // A phone of the sandbox calls for its own account.
          return delivery.account === account.id ? terms.purpose !== purpose : mode === "live"
        })
        return new Set(others.flatMap(({ terms }) => Record.receivesOf(terms).call ?? []))
      })
  }
})

/** Whether a call is waited for now, or may be at a later step. */
const isExpected = (plan: Record.Stored["plan"], now: number): boolean =>
  openForms(plan, now).includes("call") ||
  plan.workflow.some(({ by }, place) => place > plan.step && by?.includes("call") === true)
