/**
 * Guards: rules of accounts, blocks and exceptions.
 */
import * as GuardAdmin from "@watchword/guards/internal/GuardAdmin"
import * as GuardCommands from "@watchword/operator/commands/GuardCommands"
import type { Rules } from "@watchword/guards/Rules"
import { type Settings, owners } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import type { GuardRules } from "../Guarding.ts"
import { type Run, accountId, ownerId } from "./Run.ts"

/** A prefix of numbers or a country that nothing is sent to. */
export interface GuardBlock {
  readonly place: string
  readonly until: Date
  /** The operator, or a guard that found pumping. */
  readonly by: "operator" | "pumping"
}

/** What is set for an account, or for the installation. */
export interface GuardSettings {
  /** Null where an account is under the rules of the installation. */
  readonly rules: Rules | null
  /** The rules that hold for live sends, and whose they are; the default ones hold for verifications. */
  readonly inForce: { readonly from: "account" | "installation" | "default"; readonly rules: Rules }
  readonly blocks: ReadonlyArray<GuardBlock>
  /** Numbers that pass; `until` is null for one that does not end, `by` says by which command. */
  readonly exceptions: ReadonlyArray<{
    readonly number: string
    readonly until: Date | null
    readonly by: "allow" | "pass"
  }>
}

/** An account, or null for the installation: all accounts. */
type Owner = string | null

export interface GuardOperator {
  /** Sets the rules of an account in place of all others; none guards nothing. Rejects with the name of each wrong field. */
  readonly set: (account: string, rules: GuardRules) => Promise<void>
  /** What is set for an account, or with null for the installation. */
  readonly show: (owner: Owner) => Promise<GuardSettings>
  /** What is set for the installation and for each account that has anything set; `account` is null for the installation. */
  readonly list: () => Promise<ReadonlyArray<GuardSettings & { readonly account: Owner }>>
  /** Puts an account under the rules of the installation again. False where it was. */
  readonly removeRules: (account: string) => Promise<boolean>
  /** Blocks a prefix such as `+2348`, a country such as `NG`, or `001`: numbers of no country; for so many milliseconds. */
  readonly block: (place: string, duration: number, owner?: Owner) => Promise<void>
  /** Lets a number pass rules and blocks, within wider limits by number, for so many milliseconds, or until it is taken away. */
  readonly allow: (number: string, owner?: Owner, duration?: number) => Promise<void>
  /** Takes a block or an exception away. False where there was none. */
  readonly remove: (entry: string, owner?: Owner) => Promise<boolean>
}

export const make = (run: Run<Settings | Store>): GuardOperator => ({
  set: async (account, rules) => void (await run(GuardCommands.set.call({ account, rules }))),
  show: (owner) => run(Effect.flatMap(ownerId(owner), GuardCommands.shown)),
  list: () => run(Effect.flatMap(owners, GuardCommands.listed)),
  removeRules: (account) => run(Effect.flatMap(accountId(account), GuardAdmin.removeRules)),
  block: async (place, duration, account) => void (await run(GuardCommands.block.call({ place, duration, account }))),
  allow: async (number, account, duration) => void (await run(GuardCommands.allow.call({ number, account, duration }))),
  remove: (entry, owner = null) => run(Effect.flatMap(ownerId(owner), (id) => GuardAdmin.remove(id, entry)))
})
