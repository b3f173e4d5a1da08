/**
 * The settings of SMS: carriers over SMPP, or a provider with an HTTP API.
 */
import { webhookPath } from "@watchword/send/channel/Channel"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { CommonOptions } from "@watchword/sms/http"
import * as Smpp from "@watchword/sms/options"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { reachable } from "./ChatgwSettings.ts"
import { either, named, providers } from "./providers/All.ts"
import { PROVIDER, RECEIVES, type SmsHttp, optional } from "./providers/Provider.ts"
import { type Environment, type Parse, type Read, fault, unusable, webAddress } from "./Reading.ts"
import { type Named, checkNeeds, isSet, optionalSetting, readOptional } from "./Setting.ts"

const perSecond: Parse<number> = (value) =>
  /^\d{1,6}(\.\d{1,3})?$/.test(value) && Number(value) > 0
    ? Result.succeed(Number(value))
    : Result.fail("must be a number of messages a second, such as 10 or 0.5")

const carriers: Parse<Smpp.Options> = (value) => Result.mapError(Smpp.fromUrls(value), unusable)

const ownNumbers: Parse<ReadonlyArray<E164>> = (value) => Smpp.readReceives(value.split(",").map((each) => each.trim()))

export const sms = {
  carriers: optionalSetting("SMPP_URL", carriers, {
    description:
      "carriers in order of preference; `?window=` messages in flight, `?rate=` a second, `?enquire=` and `?timeout=` " +
      "seconds, `?validity=` seconds, `?tlv_1400=` a parameter that the carrier asks for, `?receives=` numbers of yours " +
      "where users may verify theirs [by a text](../sms.md#texts-of-users), and more in " +
      "[SMS](../sms.md#a-carriers-url)",
    isSecret: true
  }),
  provider: optionalSetting(PROVIDER, named, {
    description:
      `${either(providers.map(({ name }) => `\`${name}\``))}, instead of \`SMPP_URL\`: texts are sent through the HTTP API of this ` +
      "[provider](../sms.md#providers-with-an-http-api)"
  }),
  url: optional("SMS_HTTP_URL", webAddress, {
    description: "another address of the provider's API",
    unset: "the provider's"
  }),
  rate: optional("SMS_HTTP_RATE", perSecond, { description: "the messages a second that the account may send" }),
  receives: optional(RECEIVES, ownNumbers, {
    description:
      "numbers of yours at the provider, with commas between them, where users may verify theirs " +
      "[by a text](../sms.md#texts-of-users)"
  })
}

/** All settings, each provider's after the common ones. */
export const settings: ReadonlyArray<Named> = [...Object.values(sms), ...providers.flatMap((each) => each.settings)]

/** @param baseUrl how the provider reaches the interface */
export const readSmsHttp = (environment: Environment, baseUrl: string): Read<Option.Option<SmsHttp>> =>
  Result.gen(function* () {
    const provider = yield* readOptional(environment, sms.provider)
    yield* checkNeeds(environment, settings)
    if (Option.isNone(provider)) return Option.none()
    if (isSet(environment, sms.carriers.name)) {
      return yield* Result.fail(fault(sms.provider.name, `must not be set together with ${sms.carriers.name}`))
    }
    return Option.some(yield* provider.value.ofEnvironment(environment, yield* common(environment, baseUrl)))
  })

/** The sentence of an option that cannot be used, with the name of its variable; null for any other error. */
export const sentenceOf = (http: Option.Option<SmsHttp>, error: unknown): string | null => {
  if (!Predicate.isTagged(error, "SmsHttpOptionsError") || !Predicate.hasProperty(error, "setting")) return null
  const setting = String(error.setting)
  const message = Predicate.hasProperty(error, "message") ? String(error.message) : ""
  const variable = Option.getOrNull(http)?.variableOf(setting)
  return (variable ?? `SMS_HTTP_DESCRIPTION: ${setting}`) + message.slice(setting.length)
}

const common = (environment: Environment, baseUrl: string): Read<CommonOptions> =>
  Result.gen(function* () {
    const url = yield* readOptional(environment, sms.url)
    const rate = yield* readOptional(environment, sms.rate)
    const receives = yield* readOptional(environment, sms.receives)
    return {
      baseUrl: Option.getOrUndefined(url),
      rate: Option.getOrNull(rate),
      receives: Option.getOrUndefined(receives),
      callbackUrl: reachable(baseUrl, url) ? `${baseUrl}${webhookPath({ name: "sms" })}` : undefined
    }
  })
