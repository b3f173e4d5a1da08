/**
 * Verifications that wait for a call. A call carries no token: which verification it is about is known from its caller
 * and from the number that was called, one of a pool.
 *
 * A start takes a number at which no other verification waits for the same caller, and of several the number whose last
 * use by the caller is the longest ago: a late call, or a call to a number from the user's list of calls, meets no
 * verification of someone else. Of two starts at the same moment both may take one: the call then approves neither.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import { spellings } from "@watchword/schemas/phone"
import type { Principal } from "@watchword/schemas/Account"
import type { StartVerification } from "@watchword/schemas/Verification"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { isPending } from "./plan/Plan.ts"
import { openForms } from "./plan/Receives.ts"
import * as Record from "./VerificationRecord.ts"

export interface ExpectedCalls {
  /** The verifications that wait for a call from a number. */
  readonly from: (caller: E164) => Effect.Effect<ReadonlyArray<Record.Stored>, StoreError>
  /** Chooses one of the service's numbers for a start; undefined if other verifications of the caller wait at each. */
  readonly choose: (
    principal: Principal,
    start: Pick<StartVerification, "purpose" | "to">,
    numbers: ReadonlyArray<E164>
  ) => Effect.Effect<E164 | undefined, StoreError>
}

/** The longest time to live of a verification, in milliseconds. */
const LONGEST = 3_600_000

/**
 * How many records of a number are looked at, of all accounts and modes: fewer would let others bury a verification
 * under starts of the same number.
 */
const MOST = 1_000

export const make: Effect.Effect<ExpectedCalls, never, Store> = Effect.map(Store, (store) => {
  /** The verifications of a number that have waited for a call, or do, latest first. */
  const recent = Effect.fnUntraced(function* (caller: E164, now: number) {
    const [since, until] = [now - LONGEST, now + LONGEST]
    const found = yield* Effect.forEach(spellings(caller), (to) =>
      store.deliveriesTo({ to, since, until, limit: MOST })
    )
    return found
      .flat()
      .filter(({ channel }) => channel === Record.PRODUCT)
      .toSorted((one, other) => other.createdAt - one.createdAt)
      .map(Record.read)
      .filter(({ terms }) => Record.receivesOf(terms).call !== undefined)
  })

  const from: ExpectedCalls["from"] = Effect.fnUntraced(function* (caller) {
    const now = yield* Clock.currentTimeMillis
    return (yield* recent(caller, now)).filter(({ plan }) => isExpected(plan, now))
  })

  const choose: ExpectedCalls["choose"] = Effect.fnUntraced(function* (
    { account, mode },
    { purpose, to },
    numbers
  ): Effect.fn.Return<E164 | undefined, StoreError> {
    const now = yield* Clock.currentTimeMillis
    const all = (yield* recent(to, now)).filter(
      // A phone of the sandbox calls for its own account.
      ({ delivery }) => delivery.mode === mode && (delivery.account === account.id || mode === "live")
    )
    const isRepeat = ({ delivery, terms }: Record.Stored) =>
      delivery.account === account.id && terms.purpose === purpose
    const places = (some: ReadonlyArray<Record.Stored>) => some.map(({ terms }) => Record.receivesOf(terms).call)
    const taken = new Set(places(all.filter((stored) => isExpected(stored.plan, now) && !isRepeat(stored))))
    const used = places(all)
    // Unused numbers first, and then those whose last use is the longest ago.
    const age = (number: E164): number => (used.includes(number) ? used.indexOf(number) : used.length)
    return numbers.filter((number) => !taken.has(number)).toSorted((one, other) => age(other) - age(one))[0]
  })

  return { from, choose }
})

/** Whether a call is waited for now, or may be at a later step. */
const isExpected = (plan: Record.Stored["plan"], now: number): boolean =>
  openForms(plan, now).includes("call") ||
  (isPending(plan) && plan.workflow.some(({ by }, place) => place > plan.step && by?.includes("call") === true))
