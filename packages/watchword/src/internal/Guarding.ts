/**
 * The guard of a service, with the rules that its options name checked at the start, and a warning where live sends are
 * under none.
 */
import { Features, gatewaysOf } from "@watchword/send/channel/Features"
import * as Guards from "@watchword/guards/Guards"
import * as Rules from "@watchword/guards/Rules"
import { UsualRules, ofInstallation } from "@watchword/guards/Guards"
import { BadRequest } from "@watchword/schemas/Errors"
import type { DeliveryChanges, InstallationSecret } from "@watchword/send/pipeline"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import type { SendGuard } from "@watchword/send/SendGuard"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The rules of accounts without their own: as JSON, `"none"`, or a function that returns parsed rules. */
export type GuardRules = Rules.Encoded | "none" | (() => Rules.Rules)

/** Fails with `BadRequest`, naming the first field that is wrong. */
export const layer = (
  rules: GuardRules | undefined
): Layer.Layer<SendGuard, BadRequest, DeliveryChanges | InstallationSecret | Settings | Store> =>
  rules === undefined
    ? Guards.layer
    : Layer.unwrap(
        Effect.map(parsed(rules), (each) =>
          Layer.provideMerge(Guards.layer, Layer.succeed(UsualRules, ofInstallation(each)))
        )
      )

const parsed = (rules: GuardRules): Effect.Effect<Rules.Rules | (() => Rules.Rules), BadRequest> => {
  if (rules === "none") return Effect.succeed(Rules.none)
  return typeof rules === "function" ? Effect.succeed(rules) : checked(rules)
}

const checked = (rules: Rules.Encoded): Effect.Effect<Rules.Rules, BadRequest> =>
  Effect.mapError(Rules.parse(rules), ({ issues = [], message }) => {
    const named = issues.map((issue) => ({ ...issue, path: issue.path === "" ? "guards" : `guards.${issue.path}` }))
    const [first] = named
    return new BadRequest({ message: first === undefined ? message : `${first.path} ${first.message}.`, issues: named })
  })

/**
 * Warns at the start of a service that has live gateways and no rules: only its accounts' own limits bound their sends.
 */
export const warning = (rules: GuardRules | undefined): Layer.Layer<never, never, Features> =>
  rules === undefined ? Layer.effectDiscard(Effect.flatMap(Features, warnOfUnguardedGateways)) : Layer.empty

const warnOfUnguardedGateways = Effect.fnUntraced(function* (channels: Features["Service"]) {
  const gateways = yield* gatewaysOf(channels)
  if (gateways.length === 0) return
  yield* Effect.logWarning(
    "No guard rules are set: of accounts without their own, live sends other than verifications are under no limit",
    { gateways }
  )
})
