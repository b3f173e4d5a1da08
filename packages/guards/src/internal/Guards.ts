/**
 * The guard of a service: decides on each send by the rules of its account, and counts it in the store.
 *
 * Rules, blocks and exceptions are settings, so a change is effective in every process within a second. Where no rule
 * and no block holds for a send it passes at once, and nothing is counted; else it takes one more round trip. Counts of
 * unsent messages are removed: at once if the process knows, and for a price when the store refunds it. A process that
 * dies in between leaves too much counted, never too little. A guard that cannot read its rules or counters lets
 * through: an attack may cost money then, and no user is kept out by a fault.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import { type E164, countryOf } from "@watchword/schemas/PhoneNumber"
import { DeliveryChanges, InstallationSecret, REASONS, SPEND, isReturned, refusalOf } from "@watchword/send/pipeline"
import { type Asked, SendGuard, type Service, type Verdict, passed } from "@watchword/send/SendGuard"
import { Settings } from "@watchword/store/Settings"
import type { Added } from "@watchword/store/Counters"
import type { Delivery, Details } from "@watchword/store/Delivery"
import { Store, about } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Scope } from "effect/Scope"
import { type CompiledRules, compile } from "./CompiledRules.ts"
import * as CounterKeys from "./CounterKeys.ts"
import { type Decision, type Guard, type Remaining, countersOf, decide, isNothing, planOf } from "./Decision.ts"
import type { Facts } from "./Facts.ts"
import * as DeniedLimits from "../operator/DeniedLimits.ts"
import * as GuardAdmin from "../operator/GuardAdmin.ts"
import * as GuardSettings from "../operator/GuardSettings.ts"
import { beginCounting } from "./Metrics.ts"
import { verifiedOf } from "./Pumping.ts"
import * as LimitNote from "./LimitNote.ts"
import { toDuration } from "@watchword/schemas/Field"
import type { Rules } from "../Rules.ts"
import { UsualRules } from "./UsualRules.ts"

/** The settings of an account, which may have no rules of its own. */
interface Profile extends Pick<Guard, "blocks" | "exceptionOf"> {
  readonly compiled: CompiledRules | undefined
}

type Needs = DeliveryChanges | InstallationSecret | Settings | Store

export const make: Effect.Effect<Service, never, Needs | Scope> = Effect.gen(function* () {
  const store = yield* Store
  const settings = yield* Settings
  const { countBlind, countDecision } = yield* beginCounting
  const key = CounterKeys.make(yield* InstallationSecret)
  const usual = yield* UsualRules

  const profile = settings.profile((own, common): Result.Result<Profile, StoreError> =>
    Result.gen(function* () {
      const rules = yield* own.get(GuardSettings.rules)
      const blocks = [yield* common.all(GuardSettings.blocks), yield* own.all(GuardSettings.blocks)]
      const exceptions = [yield* common.all(GuardSettings.exceptions), yield* own.all(GuardSettings.exceptions)]
      const passes = [yield* common.all(GuardSettings.passes), yield* own.all(GuardSettings.passes)]
      return {
        compiled: rules === undefined ? undefined : compile(rules),
        blocks: blocks.filter(({ size }) => size > 0),
        exceptionOf: (to: E164, now: number) => {
          const holds = (numbers: ReadonlyMap<string, GuardSettings.Exception>): boolean => {
            const found = numbers.get(to)
            return found !== undefined && now < GuardSettings.endOf(found)
          }
          if (exceptions.some(holds)) return "allowed" as const
          return passes.some(holds) ? ("passed" as const) : null
        }
      }
    })
  )

  const blind = (error: StoreError): Effect.Effect<void> => {
    countBlind()
    return Effect.logError("a guard could not read its rules or counters, and allowed sends", error)
  }

  const letThroughBlind = (verdict: Effect.Effect<Verdict, StoreError>): Effect.Effect<Verdict> =>
    Effect.catchEager(verdict, (error) => Effect.as(blind(error), passed))

  const check: Service["check"] = (asked, now) => {
    const { account, mode } = asked.principal
    const decided = ({ blocks, compiled = compile(usual.of(mode)), exceptionOf }: Profile) =>
      blocks.length === 0 && compiled.isFree[asked.use]
        ? Effect.succeed(compiled.passed)
        : checked({ compiled, blocks, exceptionOf, key }, asked, now)
    return letThroughBlind(Effect.flatMapEager(profile(account.id, now), decided))
  }

  const checked = (guard: Guard, asked: Asked, now: number): Effect.Effect<Verdict> => {
    const plan = planOf(guard, factsOf(asked), now)
    if (isNothing(plan)) return Effect.succeed(guard.compiled.passed)
    const counters = countersOf(plan)
    if (counters.length === 0) return concluded(guard, asked, decide(plan, null), [], now)
    return letThroughBlind(
      Effect.flatMap(store.count(counters), (answer) =>
        concluded(guard, asked, decide(plan, answer), answer.added, now)
      )
    )
  }

  const concluded = Effect.fnUntraced(function* (
    { compiled }: Guard,
    asked: Asked,
    decision: Decision,
    added: ReadonlyArray<Added>,
    now: number
  ): Effect.fn.Return<Verdict> {
    const { blocks, noted, refused } = decision
    const { account, mode } = asked.principal
    if (mode === "live" && blocks.length > 0) yield* blocked(account.id, compiled.rules, blocks)
    if (noted.length > 0) countDecision("noted", noted)
    if (refused.length > 0) countDecision("refused", refused)
    if (noted.length + refused.length > 0) yield* logged(asked, decision)
    else countDecision("passed")
    if (refused.length > 0) {
      yield* unsent(added)
      const limits = decision.denied.map(({ freeIn, ...denied }) => ({ ...denied, until: now + freeIn }))
      const details = { ...reasonsOf(refused), ...DeniedLimits.noted(limits) }
      return { _tag: "Refused", failure: failureOf(decision), details }
    }
    const counted = LimitNote.parted(added)
    return { ...compiled.passed, details: { ...reasonsOf(noted), ...LimitNote.noted(counted) }, counted }
  })

  /** Blocks places for pumping. The send is refused whether that is stored or not: the next one finds the same. */
  const blocked = Effect.fnUntraced(function* (account: AccountId, { pumping }: Rules, places: ReadonlyArray<string>) {
    const duration = toDuration(pumping?.block ?? "")
    for (const place of places) {
      yield* Effect.logWarning("a guard detected pumping and blocked the numbers", { account, place })
      const block = Effect.provideService(GuardAdmin.block(account, place, duration, "pumping"), Settings, settings)
      yield* Effect.ignore(Effect.tapError(block, (error) => Effect.logError("a block could not be stored", error)))
    }
  })

  const verified: Service["verified"] = ({ principal, to }) =>
    Effect.gen(function* () {
      const { account, mode } = principal
      const { compiled } = yield* profile(account.id, yield* Clock.currentTimeMillis)
      const { pumping } = compiled?.rules ?? usual.of(mode)
      const asked = { principal, to, client: {}, requests: 0, price: zero } as const
      const facts = factsOf({ ...asked, channel: "verify", use: "verifications" })
      const counters = verifiedOf(pumping, facts, CounterKeys.placesOf(facts, key))
      if (counters.length > 0) yield* store.count(counters)
    }).pipe(Effect.catchTag("StoreError", blind))

  const unsent: Service["unsent"] = (counted) =>
    counted.length === 0 ? Effect.void : Effect.catchTag(store.uncount(counted), "StoreError", blind)

  /** Takes the price of a delivery out of the limits of money that have counted it, once. */
  const returned = ({ details, id, price }: Delivery): Effect.Effect<void> => {
    const spent = details[LimitNote.DETAIL]
    if (typeof spent !== "string") return Effect.void
    return Effect.gen(function* () {
      const taken = { when: { [LimitNote.DETAIL]: spent }, details: { [LimitNote.DETAIL]: null } }
      const marked = yield* store.report(about(id, yield* Clock.currentTimeMillis, taken))
      if (marked._tag === "Moved") yield* store.uncount(LimitNote.read(spent, price))
    }).pipe(Effect.catchTag("StoreError", blind))
  }
  yield* (yield* DeliveryChanges).onChange(isReturned, ({ delivery }) => returned(delivery))

  return { check, verified, unsent }
})

/** Guards the sends of a service, by the rules of each account, or else by `UsualRules`. */
export const layer: Layer.Layer<SendGuard, never, Needs> = Layer.effect(SendGuard, make)

const factsOf = ({
  client,
  limitKeys = {},
  ownCode = false,
  price,
  principal: { account, key, mode },
  requests,
  to,
  use
}: Asked): Facts => ({
  account: account.id,
  mode,
  key,
  to,
  clientIp: client.client_ip ?? null,
  clientRef: client.client_ref ?? null,
  limitKeys,
  trusted: client.trusted ?? false,
  ownCode,
  requests,
  price,
  use
})

/** Logs a decision that is not plainly to pass. */
const logged = Effect.fnUntraced(function* (
  { principal: { account, mode }, to }: Asked,
  { noted, refused }: Decision
): Effect.fn.Return<void> {
  const about = { account: account.id, mode, country: countryOf(to) }
  if (noted.length > 0) {
    yield* Effect.logInfo("a guard would have refused a send", { ...about, reasons: noted })
  }
  if (refused.length > 0) {
    yield* Effect.logInfo("a guard refused a send", { ...about, reasons: refused })
  }
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
