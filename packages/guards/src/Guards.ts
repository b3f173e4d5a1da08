/**
 * The guard of a service: decides on each send by the rules of its account, and counts it in the store.
 *
 * Rules, blocks and exceptions are settings, so a change is effective in every process within a second. Where an account
 * has no rules and nothing is blocked, nothing is counted; else a send takes one more round trip. A guard that cannot read
 * its rules or counters lets through: an attack may cost money then, and no user is kept out by a fault.
 */
import { Forbidden, TooManyRequests } from "@watchword/schemas/Errors"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import { countryOf } from "@watchword/schemas/PhoneNumber"
import { InstallationSecret } from "@watchword/send/InstallationSecret"
import { type Asked, REASONS, SendGuard, type Service, type Verdict, passed } from "@watchword/send/SendGuard"
import { Settings } from "@watchword/settings/Settings"
import { about } from "@watchword/store/Reports"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as CounterKeys from "./CounterKeys.ts"
import { type Decision, type Guard, type Remaining, countersOf, decide, isNothing, planOf } from "./Decision.ts"
import type { Facts } from "./Facts.ts"
import * as GuardAdmin from "./GuardAdmin.ts"
import * as GuardSettings from "./GuardSettings.ts"
import { beginCounting, countBlind, countDecision } from "./internal/Metrics.ts"
import { unsentOf, verifiedOf } from "./internal/Pumping.ts"
import { toDuration } from "./Durations.ts"
import type { Rules } from "./Rules.ts"

export interface Options {
  /** The rules of accounts without rules of their own; none unless given. A function is asked at each send. */
  readonly rules?: Rules | (() => Rules)
}

export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<Service, never, Settings | Store> {
  const store = yield* Store
  const settings = yield* Settings
  yield* beginCounting
  const key = CounterKeys.make(yield* InstallationSecret)
  const { rules = {} } = options
  const usual = Predicate.isFunction(rules) ? rules : () => rules

  const rulesOf = (account: AccountId): Effect.Effect<Rules, StoreError> =>
    Effect.map(settings.get(account, GuardSettings.rules), Option.getOrElse(usual))

  const guardOf = Effect.fnUntraced(function* (account: AccountId): Effect.fn.Return<Guard, StoreError> {
    const rules = yield* rulesOf(account)
    const blocks = [yield* settings.all(null, GuardSettings.blocks), yield* settings.all(account, GuardSettings.blocks)]
    const exceptions = [
      yield* settings.all(null, GuardSettings.exceptions),
      yield* settings.all(account, GuardSettings.exceptions)
    ]
    return { rules, blocks, isAllowed: (to) => exceptions.some((numbers) => numbers.has(to)), key }
  })

  const check = (asked: Asked): Effect.Effect<Verdict> =>
    Effect.catchTag(checked(asked), "StoreError", (error) => Effect.as(blind(error), passed))

  const checked = Effect.fnUntraced(function* (asked: Asked): Effect.fn.Return<Verdict, StoreError> {
    const { account, mode } = asked.principal
    const guard = yield* guardOf(account.id)
    const now = yield* Clock.currentTimeMillis
    const plan = planOf(guard, factsOf(asked), now)
    const counters = countersOf(plan)
    const sandboxLimit = guard.rules.sandbox_under_way ?? null
    if (isNothing(plan)) return { ...passed, sandboxLimit }
    const decision = decide(plan, counters.length === 0 ? null : yield* store.count(counters))
    if (mode === "live" && decision.blocks.length > 0) yield* blocked(account.id, guard.rules, decision.blocks)
    return yield* told(asked, sandboxLimit, decision)
  })

  /** Blocks places for pumping. The send is refused whether that is stored or not: the next one finds the same. */
  const blocked = Effect.fnUntraced(function* (account: AccountId, { pumping }: Rules, places: ReadonlyArray<string>) {
    const duration = toDuration(pumping?.block ?? "")
    for (const place of places) {
      yield* Effect.logWarning("a guard found pumping and blocks the numbers", { account, place })
      const block = Effect.provideService(GuardAdmin.block(account, place, duration, "pumping"), Settings, settings)
      yield* Effect.ignore(Effect.tapError(block, (error) => Effect.logError("a block could not be stored", error)))
    }
  })

  const verified: Service["verified"] = ({ delivery, principal, to }) =>
    Effect.gen(function* () {
      const { pumping } = yield* rulesOf(principal.account.id)
      const counters = verifiedOf(pumping, factsOf({ principal, to, client: {}, requests: 0, price: zero }), key)
      if (counters.length === 0 || (delivery !== null && !(yield* isFirst(delivery)))) return
      yield* store.count(counters)
    }).pipe(Effect.catchTag("StoreError", blind))

  const unsent: Service["unsent"] = ({ account, mode, to, trusted }) =>
    Effect.gen(function* () {
      const { pumping } = yield* rulesOf(account)
      const facts = { account, mode, key: null, to, clientIp: null, clientRef: null, trusted, price: zero }
      const counters = trusted ? [] : unsentOf(pumping, { ...facts, requests: 0 }, key)
      if (counters.length > 0) yield* store.count(counters)
    }).pipe(Effect.catchTag("StoreError", blind))

  /** Marks a delivery as verified; false where it was before. */
  const isFirst = Effect.fnUntraced(function* (delivery: DeliveryId) {
    const at = yield* Clock.currentTimeMillis
    const marked = yield* store.report(
      about(delivery, at, { when: { [VERIFIED]: null }, details: { [VERIFIED]: true } })
    )
    return marked._tag === "Moved"
  })

  return { check, verified, unsent }
})

/** The detail of a record that was counted as verified. */
const VERIFIED = "guard_verified"

/** Guards the sends of a service. */
export const layer = (options: Options = {}): Layer.Layer<never, never, Settings | Store> =>
  Layer.effect(SendGuard, make(options))

const factsOf = ({ client, price, principal: { account, key, mode }, requests, to }: Asked): Facts => ({
  account: account.id,
  mode,
  key,
  to,
  clientIp: client.client_ip ?? null,
  clientRef: client.client_ref ?? null,
  trusted: client.trusted ?? false,
  requests,
  price
})

const blind = (error: StoreError): Effect.Effect<void> =>
  Effect.andThen(countBlind, Effect.logError("a guard could not read its rules or counters, and let through", error))

/** A decision as the pipeline takes it, in the metrics and in the log. */
const told = ({ principal: { account, mode }, to }: Asked, sandboxLimit: number | null, decision: Decision) =>
  Effect.gen(function* () {
    const { noted, refused } = decision
    const about = { account: account.id, mode, country: countryOf(to) }
    if (noted.length > 0) {
      yield* countDecision("noted", noted)
      yield* Effect.logInfo("a guard would have refused a send", { ...about, reasons: noted })
    }
    if (refused.length > 0) {
      yield* countDecision("refused", refused)
      yield* Effect.logInfo("a guard refused a send", { ...about, reasons: refused })
      return { _tag: "Refused", failure: failureOf(decision), details: reasonsOf(refused) } satisfies Verdict
    }
    if (noted.length === 0) yield* countDecision("passed")
    const details = noted.length === 0 ? {} : reasonsOf(noted)
    return { _tag: "Passed", details, sandboxLimit } satisfies Verdict
  })

const reasonsOf = (reasons: ReadonlyArray<string>) => ({ [REASONS]: reasons.join(" ") })

const failureOf = ({ refused: [reason = ""], remaining, retryAfter }: Decision): Forbidden | TooManyRequests => {
  const permanent = permanents[reason]
  if (permanent !== undefined) return new Forbidden({ message: permanent, reason })
  return new TooManyRequests({
    message:
      reason === "spend" ? "The account's sends of this time cost too much." : "Too many sends; try again later.",
    reason,
    retryAfter: Math.max(1, Math.ceil((retryAfter ?? 0) / 1000)),
    remaining: Object.fromEntries(remaining.map((limit) => [limit.reason, leftOf(limit)]))
  })
}

/** Sends, or EUR. */
const leftOf = ({ reason, remaining }: Remaining): number => (reason === "spend" ? remaining / 1_000_000 : remaining)

const permanents: Readonly<Record<string, string>> = {
  country_not_allowed: "The account does not send to numbers of this country.",
  number_not_allowed: "The account does not send to numbers of this kind.",
  prefix_blocked: "Numbers that begin like this one are blocked for now."
}
