/**
 * The settings of what sends cost, and of who may send: prices, guards, addresses of webhooks.
 */
import * as DefaultRules from "@watchword/guards/DefaultRules"
import * as Rules from "@watchword/guards/Rules"
import * as PriceTable from "@watchword/ledger/PriceTable"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Parse, jsonFile, trueOrFalse } from "./Reading.ts"
import { optionalSetting, setting } from "./Setting.ts"

const priceTable: Parse<PriceTable.PriceTable> = (file) =>
  Result.flatMap(jsonFile(file), (json) =>
    Result.mapError(
      PriceTable.parse(json),
      ({ path, message }) => `names a file in which ${path || "the table"} ${message}`
    )
  )

const guardRules: Parse<Rules.Rules> = (file) =>
  file === "none"
    ? Result.succeed(DefaultRules.none)
    : Result.flatMap(jsonFile(file), (json) =>
        Result.mapError(Effect.runSync(Effect.result(Rules.parse(json))), ({ issues = [], message }) => {
          const [issue] = issues
          return issue === undefined ? message : `names a file in which ${issue.path || "the value"} ${issue.message}`
        })
      )

export const rules = {
  prices: optionalSetting("PRICES", priceTable, {
    description: "path of a JSON price table in EUR; live keys are served only where it has a price",
    isFile: true,
    reloads: "prices"
  }),
  guards: optionalSetting("GUARDS", guardRules, {
    description:
      "path of a JSON file with the rules against pumping and flooding of accounts that have none of their own, or " +
      "`none`; see [When you are attacked](../attacks.md)",
    unset: "the [default rules](../attacks.md#without-a-line-of-yours)",
    isFile: true,
    reloads: "guards"
  }),
  webhookAllowPrivate: setting("WEBHOOK_ALLOW_PRIVATE", "false", trueOrFalse, {
    description: "`true` where webhooks may go to private, loopback and link-local addresses"
  })
}
