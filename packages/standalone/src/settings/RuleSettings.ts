/**
 * The settings of what sends cost, and of who may send: prices, guards, addresses of webhooks.
 */
import * as Rules from "@watchword/guards/Rules"
import * as PriceTable from "@watchword/ledger/PriceTable"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { type Environment, type Parse, type Read, jsonFile, secret, trueOrFalse, webAddress } from "./Reading.ts"
import { optionalSetting, read, readOptional, readRequired, setting } from "./Setting.ts"

const priceTable: Parse<PriceTable.PriceTable> = (file) =>
  Result.flatMap(jsonFile(file), (json) =>
    Result.mapError(
      PriceTable.parse(json),
      ({ path, message }) => `names a file in which ${path || "the table"} ${message}`
    )
  )

const guardRules: Parse<Rules.Rules> = (file) =>
  file === "none"
    ? Result.succeed(Rules.none)
    : Result.flatMap(jsonFile(file), (json) =>
        Result.mapError(Effect.runSync(Effect.result(Rules.parse(json))), ({ issues = [], message }) => {
          const [issue] = issues
          return issue === undefined ? message : `names a file in which ${issue.path || "the value"} ${issue.message}`
        })
      )

/** A secret in the form of Standard Webhooks. */
export const webhookSecret: Parse<Redacted.Redacted> = (value) =>
  /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(value)
    ? secret(value)
    : Result.fail(
        "must be whsec_ and 24 or more bytes in base 64, such as the output of printf whsec_ && openssl rand -base64 24"
      )

const openOrClosed: Parse<"open" | "closed"> = (value) =>
  value === "open" || value === "closed" ? Result.succeed(value) : Result.fail("must be open or closed")

export const rules = {
  prices: optionalSetting("PRICES", priceTable, {
    description: "path of a JSON price table in EUR; live keys are served only where it has a price",
    isFile: true,
    reloads: "prices"
  }),
  guards: optionalSetting("GUARDS", guardRules, {
    description:
      "path of a JSON file with the rules against pumping and flooding for accounts without rules of their own, or " +
      "`none`; see [When you are attacked](../attacks.md)",
    unset: "the [default rules](../attacks.md#without-a-line-of-yours)",
    isFile: true,
    reloads: "guards"
  }),
  webhookAllowPrivate: setting("WEBHOOK_ALLOW_PRIVATE", "false", trueOrFalse, {
    description: "`true` where webhooks may go to private, loopback and link-local addresses"
  }),
  beforeSendUrl: optionalSetting("BEFORE_SEND_URL", webAddress, {
    description: "address of a [check of your own](../attacks.md#a-check-of-your-own) before each send"
  }),
  beforeSendSecret: optionalSetting("BEFORE_SEND_SECRET", webhookSecret, {
    description: "the secret that its questions are signed with, `whsec_` and base 64 of 24 bytes or more",
    isSecret: true,
    needs: ["BEFORE_SEND_URL"]
  }),
  beforeSendFail: setting("BEFORE_SEND_FAIL", "open", openOrClosed, {
    description: "the result if the check fails or takes two seconds: `open` continues the send; `closed` refuses it",
    needs: ["BEFORE_SEND_URL"]
  })
}

/** The check before a send; none without its address. */
export interface BeforeSend {
  readonly url: string
  readonly secret: Redacted.Redacted
  readonly fail: "open" | "closed"
}

export const readBeforeSend = (environment: Environment): Read<Option.Option<BeforeSend>> =>
  Result.gen(function* () {
    const url = yield* readOptional(environment, rules.beforeSendUrl)
    if (Option.isNone(url)) return Option.none()
    const secret = yield* readRequired(environment, rules.beforeSendSecret)
    return Option.some({ url: url.value, secret, fail: yield* read(environment, rules.beforeSendFail) })
  })
