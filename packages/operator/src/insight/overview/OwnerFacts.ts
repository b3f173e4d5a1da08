/**
 * Facts about accounts, and about the installation, for the operator's overview: webhooks that fail, balances that are
 * low, blocks that guards have made.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import { lowBalance, states } from "@watchword/events/EndpointAdmin"
import { Blocks } from "@watchword/guards/operator"
import { GuardSettings } from "@watchword/guards/operator"
import { type Owner, Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import { TestNumbers } from "@watchword/verify/operator"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { look } from "../../command/SlowReads.ts"
import type { EndingFacts } from "./EndingProblems.ts"

export interface OwnerFacts {
  readonly webhooks: ReadonlyArray<{
    readonly id: string
    readonly failingSince: number
    readonly disabled: "gone" | "failing" | null
  }>
  readonly lowBalances: ReadonlyArray<{
    readonly account: AccountId
    readonly name: string
    readonly available: MicroEuros
    readonly threshold: MicroEuros
  }>
  /** Of accounts that are not suspended. */
  readonly balances: ReadonlyArray<{
    readonly account: AccountId
    readonly name: string
    readonly available: MicroEuros
  }>
  /** Of accounts that are not suspended; ended ones are left out. */
  readonly testNumbers: EndingFacts["testNumbers"]
  readonly blocks: ReadonlyArray<{ readonly place: string; readonly until: number }>
  /** Places that are blocked for all accounts, by whomever. */
  readonly blocked: ReadonlyArray<string>
  /** Whether there are more accounts than were looked at. */
  readonly truncated: boolean
}

/** The most accounts that are looked at: the most recently opened ones. */
const ACCOUNTS = 500

/** How many are looked at in one look. */
const AT_ONCE = 20

export const ownerFacts = Effect.fnUntraced(function* (
  now: number
): Effect.fn.Return<OwnerFacts, StoreError, Settings | Store> {
  const settings = yield* Settings
  const all = yield* look((yield* Store).accounts)
  const accounts = all.slice(-ACCOUNTS)
  const usual = yield* settings.get(null, lowBalance)
  const factsOf = Effect.fnUntraced(function* (owner: Owner) {
    return {
      threshold: Option.orElse(owner === null ? Option.none() : yield* settings.get(owner, lowBalance), () => usual),
      failing: [...(yield* settings.all(owner, states))],
      blocks: [...(yield* settings.all(owner, GuardSettings.blocks))],
      testNumbers: owner === null ? [] : yield* TestNumbers.listNumbers(owner)
    }
  })
  const found: Array<Effect.Success<ReturnType<typeof factsOf>>> = []
  for (const owners of Arr.chunksOf([null, ...accounts.map(({ account }) => account.id)], AT_ONCE)) {
    found.push(...(yield* look(Effect.forEach(owners, factsOf, { concurrency: AT_ONCE }))))
  }
  const [ofInstallation, ...ofAccounts] = found
  return {
    webhooks: found.flatMap(({ failing }) =>
      failing.map(([id, { disabled, failing_since }]) => ({
        id,
        failingSince: failing_since,
        disabled: disabled?.why ?? null
      }))
    ),
    lowBalances: accounts.flatMap(({ account: { id, name, suspendedAt }, balance: { available } }, place) => {
      const threshold = Option.getOrNull(ofAccounts[place]?.threshold ?? Option.none())
      const isLow = threshold !== null && available < threshold && suspendedAt === null
      return isLow ? [{ account: id, name, available, threshold }] : []
    }),
    balances: accounts
      .filter(({ account }) => account.suspendedAt === null)
      .map(({ account: { id, name }, balance: { available } }) => ({ account: id, name, available })),
    testNumbers: accounts.flatMap(({ account: { id, name, suspendedAt } }, place) =>
      suspendedAt === null
        ? (ofAccounts[place]?.testNumbers ?? [])
            .filter(({ ended }) => !ended)
            .map(({ number, until }) => ({ account: id, name, number, until: until.getTime() }))
        : []
    ),
    blocks: found.flatMap(({ blocks }) =>
      blocks
        .filter(([, block]) => block.by === "pumping" && Blocks.holds(block, now))
        .map(([place, { until }]) => ({ place, until }))
    ),
    blocked: (ofInstallation?.blocks ?? []).filter(([, block]) => Blocks.holds(block, now)).map(([place]) => place),
    truncated: all.length > accounts.length
  }
})
