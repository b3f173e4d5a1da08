/**
 * The guard of a service, with the rules that its options name checked at the start, and a warning where live sends are under
 * none.
 */
import { Channels, healthOf } from "@watchword/channel/Channels"
import * as DefaultRules from "@watchword/guards/DefaultRules"
import * as GuardAdmin from "@watchword/guards/GuardAdmin"
import * as Guards from "@watchword/guards/Guards"
import * as Rules from "@watchword/guards/Rules"
import { UsualRules, ofInstallation } from "@watchword/guards/UsualRules"
import { Accounts } from "@watchword/ledger/Accounts"
import { BadRequest } from "@watchword/schemas/Errors"
import type { DeliveryChanges } from "@watchword/send/DeliveryChanges"
import type { Settings } from "@watchword/settings/Settings"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * Rules of accounts that have none of their own: as JSON has them, `"none"`, or a function that gives those that are parsed
 * already.
 */
export type GuardRules = Rules.Encoded | "none" | (() => Rules.Rules)

/** Fails with `BadRequest`, naming the first field that is wrong. */
export const layer = (
  rules: GuardRules | undefined
): Layer.Layer<never, BadRequest, DeliveryChanges | Settings | Store> =>
  rules === undefined
    ? Guards.layer
    : Layer.unwrap(
        Effect.map(parsed(rules), (each) =>
          Layer.provideMerge(Guards.layer, Layer.succeed(UsualRules, ofInstallation(each)))
        )
      )

const parsed = (rules: GuardRules): Effect.Effect<Rules.Rules | (() => Rules.Rules), BadRequest> => {
  if (rules === "none") return Effect.succeed(DefaultRules.none)
  return typeof rules === "function" ? Effect.succeed(rules) : checked(rules)
}

const checked = (rules: Rules.Encoded): Effect.Effect<Rules.Rules, BadRequest> =>
  Effect.mapError(Rules.parse(rules), ({ issues = [], message }) => {
    const named = issues.map((issue) => ({ ...issue, path: issue.path === "" ? "guards" : `guards.${issue.path}` }))
    const [first] = named
    return new BadRequest({ message: first === undefined ? message : `${first.path} ${first.message}.`, issues: named })
  })

/** Warns at the start of a service that has live gateways, and an account or none at all for whose own sends no rule is set. */
export const warning = (
  rules: GuardRules | undefined
): Layer.Layer<never, StoreError, Accounts | Channels | Settings> =>
  rules === undefined ? Layer.effectDiscard(warnOfUnguardedGateways()) : Layer.empty

const warnOfUnguardedGateways = Effect.fnUntraced(function* () {
  const gateways = (yield* Effect.forEach(yield* Channels, healthOf)).flat().map(({ name }) => name)
  if (gateways.length === 0) return
  const accounts = yield* Accounts.use((each) => each.list)
  const { own } = yield* GuardAdmin.countRules(accounts.map(({ account }) => account.id))
  if (accounts.length > 0 && own === accounts.length) return
  yield* Effect.logWarning(
    "No guard rules are set: the default ones hold for verifications, and other live sends are under no limit",
    { gateways }
  )
})
