/**
 * The guard of a service: decides on each send by the rules of its account, and counts it in the store.
 *
 * Rules, blocks and exceptions are settings, so a change is effective in every process within a second. Where no rule and no
 * block holds for a send nothing is counted; else it takes one more round trip. What is not sent is taken back: at once
 * where its process knows, and of a price when the store gives it back. A process that dies in between leaves too much
 * counted, never too little. A guard that cannot read its rules or counters lets through: an attack may cost money then, and
 * no user is kept out by a fault.
 */
import type { Mode } from "@watchword/schemas/Channel"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import { countryOf } from "@watchword/schemas/PhoneNumber"
import { DeliveryChanges } from "@watchword/send/DeliveryChanges"
import { REASONS, SPEND, refusalOf } from "@watchword/send/GuardReasons"
import { InstallationSecret } from "@watchword/send/InstallationSecret"
import { type Asked, SendGuard, type Service, type Verdict, passed } from "@watchword/send/SendGuard"
import { Settings } from "@watchword/settings/Settings"
import type { Delivery, Details } from "@watchword/store/Delivery"
import { about } from "@watchword/store/Reports"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import * as CounterKeys from "./CounterKeys.ts"
import { type Decision, type Guard, type Remaining, countersOf, decide, isNothing, planOf } from "./Decision.ts"
import type { Facts } from "./Facts.ts"
import * as GuardAdmin from "./GuardAdmin.ts"
import * as GuardSettings from "./GuardSettings.ts"
import { beginCounting } from "./internal/Metrics.ts"
import { verifiedOf } from "./internal/Pumping.ts"
import * as Spent from "./internal/Spent.ts"
import { toDuration } from "./Durations.ts"
import type { Rules } from "./Rules.ts"
import { UsualRules } from "./UsualRules.ts"

export const make: Effect.Effect<Service, never, DeliveryChanges | Scope | Settings | Store> = Effect.gen(function* () {
  const store = yield* Store
  const settings = yield* Settings
  const { countBlind, countDecision } = yield* beginCounting
  const key = CounterKeys.make(yield* InstallationSecret)
  const usual = yield* UsualRules

  const rulesOf = (account: AccountId, mode: Mode): Effect.Effect<Rules, StoreError> =>
    Effect.map(
      settings.get(account, GuardSettings.rules),
      Option.getOrElse(() => usual.of(mode))
    )

  const guardOf = Effect.fnUntraced(function* (account: AccountId, mode: Mode): Effect.fn.Return<Guard, StoreError> {
    const rules = yield* rulesOf(account, mode)
    const blocks = [yield* settings.all(null, GuardSettings.blocks), yield* settings.all(account, GuardSettings.blocks)]
    const exceptions = [
      yield* settings.all(null, GuardSettings.exceptions),
      yield* settings.all(account, GuardSettings.exceptions)
    ]
    return { rules, blocks, isAllowed: (to) => exceptions.some((numbers) => numbers.has(to)), key }
  })

  const blind = (error: StoreError): Effect.Effect<void> => {
    countBlind()
    return Effect.logError("a guard could not read its rules or counters, and let through", error)
  }

  const check = (asked: Asked): Effect.Effect<Verdict> =>
    Effect.catchTag(checked(asked), "StoreError", (error) => Effect.as(blind(error), passed))

  const checked = Effect.fnUntraced(function* (asked: Asked): Effect.fn.Return<Verdict, StoreError> {
    const { account, mode } = asked.principal
    const guard = yield* guardOf(account.id, mode)
    const now = yield* Clock.currentTimeMillis
    const plan = planOf(guard, factsOf(asked), now)
    const counters = countersOf(plan)
    const sandboxLimit = guard.rules.sandbox_under_way ?? null
    if (isNothing(plan)) return { ...passed, sandboxLimit }
    const answer = counters.length === 0 ? null : yield* store.count(counters)
    const decision = decide(plan, answer)
    const { added = [] } = answer ?? {}
    if (mode === "live" && decision.blocks.length > 0) yield* blocked(account.id, guard.rules, decision.blocks)
    if (decision.noted.length > 0) countDecision("noted", decision.noted)
    if (decision.refused.length > 0) countDecision("refused", decision.refused)
    if (decision.noted.length + decision.refused.length > 0) yield* logged(asked, decision)
    else countDecision("passed")
    if (decision.refused.length > 0) {
      yield* unsent(added)
      return { _tag: "Refused", failure: failureOf(decision), details: reasonsOf(decision.refused) }
    }
    const counted = Spent.parted(plan, added)
    return { _tag: "Passed", details: { ...reasonsOf(decision.noted), ...Spent.noted(counted) }, sandboxLimit, counted }
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
      const { account, mode } = principal
      const { pumping } = yield* rulesOf(account.id, mode)
      const facts = factsOf({ principal, to, client: {}, requests: 0, price: zero, use: "verifications" })
      const counters = verifiedOf(pumping, facts, key)
      if (counters.length === 0 || (delivery !== null && !(yield* isFirst(delivery, VERIFIED, null, true)))) return
      yield* store.count(counters)
    }).pipe(Effect.catchTag("StoreError", blind))

  const unsent: Service["unsent"] = (counted) =>
    counted.length === 0 ? Effect.void : Effect.catchTag(store.uncount(counted), "StoreError", blind)

  /** Takes the price of a delivery out of the limits of money that have counted it, once. */
  const returned = ({ details, id, price }: Delivery): Effect.Effect<void> => {
    const spent = details[Spent.DETAIL]
    return typeof spent !== "string"
      ? Effect.void
      : isFirst(id, Spent.DETAIL, spent, null).pipe(
          Effect.flatMap((first) => (first ? store.uncount(Spent.read(spent, price)) : Effect.void)),
          Effect.catchTag("StoreError", blind)
        )
  }
  yield* (yield* DeliveryChanges).onReturned(returned)

  /** Changes a detail of a delivery; false where it was changed before. */
  const isFirst = Effect.fnUntraced(function* (
    delivery: DeliveryId,
    name: string,
    from: Details[string],
    to: Details[string]
  ) {
    const at = yield* Clock.currentTimeMillis
    const marked = yield* store.report(about(delivery, at, { when: { [name]: from }, details: { [name]: to } }))
    return marked._tag === "Moved"
  })

  return { check, verified, unsent }
})

/** The detail of a record that was counted as verified. */
const VERIFIED = "guard_verified"

/** Guards the sends of a service, by the rules of each account, or else by `UsualRules`. */
export const layer: Layer.Layer<never, never, DeliveryChanges | Settings | Store> = Layer.effect(SendGuard, make)

const factsOf = ({ client, price, principal: { account, key, mode }, requests, to, use }: Asked): Facts => ({
  account: account.id,
  mode,
  key,
  to,
  clientIp: client.client_ip ?? null,
  clientRef: client.client_ref ?? null,
  trusted: client.trusted ?? false,
  requests,
  price,
  use
})

const logged = Effect.fnUntraced(function* (
  { principal: { account, mode }, to }: Asked,
  { noted, refused }: Decision
): Effect.fn.Return<void> {
  const about = { account: account.id, mode, country: countryOf(to) }
  if (noted.length > 0) yield* Effect.logInfo("a guard would have refused a send", { ...about, reasons: noted })
  if (refused.length > 0) yield* Effect.logInfo("a guard refused a send", { ...about, reasons: refused })
})

const reasonsOf = (reasons: ReadonlyArray<string>): Details =>
  reasons.length === 0 ? {} : { [REASONS]: reasons.join(" ") }

const failureOf = ({ refused: [reason = ""], remaining, retryAfter }: Decision) =>
  refusalOf(reason, {
    retryAfter: Math.max(1, Math.ceil((retryAfter ?? 0) / 1000)),
    remaining: Object.fromEntries(remaining.map((limit) => [limit.reason, leftOf(limit)]))
  })

/** Sends, or EUR. */
const leftOf = ({ reason, remaining }: Remaining): number => (reason === SPEND ? remaining / 1_000_000 : remaining)
