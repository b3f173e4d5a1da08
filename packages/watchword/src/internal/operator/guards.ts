/**
 * Guards: rules of accounts, blocks and exceptions.
 */
import * as GuardAdmin from "@watchword/guards/internal/GuardAdmin"
import type { Rules } from "@watchword/guards/Rules"
import { Accounts } from "@watchword/ledger/Accounts"
import type { Settings } from "@watchword/store/Settings"
import * as Effect from "effect/Effect"
import type { GuardRules } from "../Guarding.ts"
import { type Run, accountId } from "./Run.ts"

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
  /** Numbers that pass whatever the rules and blocks say. */
  readonly exceptions: ReadonlyArray<string>
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
  /** Blocks a prefix such as `+2348`, or a country such as `NG`, for so many milliseconds. */
  readonly block: (place: string, duration: number, owner?: Owner) => Promise<void>
  /** Lets a number pass whatever the rules and blocks say. */
  readonly allow: (number: string, owner?: Owner) => Promise<void>
  /** Takes a block or an exception away. False where there was none. */
  readonly remove: (entry: string, owner?: Owner) => Promise<boolean>
}

export const make = (run: Run<Accounts | Settings>): GuardOperator => ({
  set: (account, rules) => run(Effect.flatMap(accountId(account), (id) => Effect.asVoid(GuardAdmin.set(id, rules)))),
  show: (owner) => run(Effect.map(Effect.flatMap(ownerOf(owner), GuardAdmin.show), shown)),
  list: () =>
    run(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const owners = [null, ...(yield* accounts.list).map(({ account }) => account.id)]
        const all = yield* Effect.forEach(
          owners,
          (account) => Effect.map(GuardAdmin.show(account), (found) => ({ account, ...shown(found) })),
          { concurrency: 16 }
        )
        return all.filter(({ blocks, exceptions, rules }) => rules !== null || blocks.length + exceptions.length > 0)
      })
    ),
  removeRules: (account) => run(Effect.flatMap(accountId(account), GuardAdmin.removeRules)),
  block: (place, duration, owner = null) =>
    run(Effect.flatMap(ownerOf(owner), (id) => Effect.asVoid(GuardAdmin.block(id, place, duration)))),
  allow: (number, owner = null) => run(Effect.flatMap(ownerOf(owner), (id) => GuardAdmin.allow(id, number))),
  remove: (entry, owner = null) => run(Effect.flatMap(ownerOf(owner), (id) => GuardAdmin.remove(id, entry)))
})

const ownerOf = (owner: Owner) => (owner === null ? Effect.succeed(null) : accountId(owner))

const shown = ({ blocks, exceptions, inForce, rules }: GuardAdmin.Shown): GuardSettings => ({
  rules,
  inForce,
  blocks: [...blocks].map(([place, { by, until }]) => ({ place, until: new Date(until), by })),
  exceptions
})
