/**
 * The guard of a service, with the rules that its options name checked at the start.
 */
import * as Guards from "@watchword/guards/Guards"
import * as Rules from "@watchword/guards/Rules"
import { BadRequest } from "@watchword/schemas/Errors"
import type { DeliveryChanges } from "@watchword/send/DeliveryChanges"
import type { Settings } from "@watchword/settings/Settings"
import type { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Rules of accounts that have none of their own: as JSON has them, or a function that gives those that are parsed already. */
export type GuardRules = Rules.Encoded | (() => Rules.Rules)

/** Fails with `BadRequest`, naming the first field that is wrong. */
export const layer = (rules: GuardRules = {}): Layer.Layer<never, BadRequest, DeliveryChanges | Settings | Store> =>
  Layer.unwrap(Effect.map(parsed(rules), (each) => Guards.layer({ rules: each })))

const parsed = (rules: GuardRules): Effect.Effect<Rules.Rules | (() => Rules.Rules), BadRequest> =>
  typeof rules === "function" ? Effect.succeed(rules) : checked(rules)

const checked = (rules: Rules.Encoded): Effect.Effect<Rules.Rules, BadRequest> =>
  Effect.mapError(Rules.parse(rules), ({ issues = [], message }) => {
    const named = issues.map((issue) => ({ ...issue, path: issue.path === "" ? "guards" : `guards.${issue.path}` }))
    const [first] = named
    return new BadRequest({ message: first === undefined ? message : `${first.path} ${first.message}.`, issues: named })
  })
