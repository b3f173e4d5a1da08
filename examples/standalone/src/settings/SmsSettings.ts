/**
 * The settings of SMS: carriers over SMPP, or a provider with an HTTP API.
 */
import { webhookPath } from "@watchword/send/channel/Channel"
import type { CommonOptions, GenericOptions, TwilioOptions, VonageOptions } from "@watchword/sms/http"
import * as Description from "@watchword/sms/internal/http/Description"
import * as Smpp from "@watchword/sms/internal/smpp/Options"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { reachable } from "./ChatSettings.ts"
import {
  type Environment,
  type Parse,
  type Read,
  fault,
  fileText,
  jsonFile,
  text,
  token,
  unusable,
  webAddress
} from "./Reading.ts"
import { type Named, checkNeeds, isSet, optionalSetting, readOptional, readRequired } from "./Setting.ts"

export type SmsHttp =
  | { readonly provider: "twilio"; readonly options: TwilioOptions }
  | { readonly provider: "vonage"; readonly options: VonageOptions }
  | { readonly provider: "generic"; readonly options: GenericOptions }

const providerName: Parse<SmsHttp["provider"]> = (value) =>
  value === "twilio" || value === "vonage" || value === "generic"
    ? Result.succeed(value)
    : Result.fail("must be twilio, vonage or generic")

const perSecond: Parse<number> = (value) =>
  /^\d{1,6}(\.\d{1,3})?$/.test(value) && Number(value) > 0
    ? Result.succeed(Number(value))
    : Result.fail("must be a number of messages a second, such as 10 or 0.5")

const descriptionFile: Parse<Description.Description> = (file) =>
  Result.flatMap(jsonFile(file), (json) =>
    Result.mapError(Description.read(json), ({ message }) => `names a file in which ${message.replace(/\.$/, "")}`)
  )

const carriers: Parse<Smpp.Options> = (value) => Result.mapError(Smpp.fromUrls(value), unusable)

const PROVIDER = "SMS_HTTP_PROVIDER"

/** A setting of the provider. */
const ofProvider = <A>(name: string, parse: Parse<A>, more: Omit<Named, "name" | "usual">) =>
  optionalSetting(name, parse, { ...more, needs: [PROVIDER] })

const secretOfProvider = (name: string, description: string) =>
  ofProvider(name, token, { description, isSecret: true, reloads: "smsHttp" })

export const sms = {
  carriers: optionalSetting("SMPP_URL", carriers, {
    description:
      "carriers in order of preference; `?window=` messages in flight, `?rate=` a second, `?enquire=` and `?timeout=` " +
      "seconds, `?validity=` seconds, `?tlv_1400=` a parameter that the carrier asks for, and more in " +
      "[SMS](../sms.md#a-carriers-url)",
    isSecret: true
  }),
  provider: optionalSetting(PROVIDER, providerName, {
    description:
      "`twilio`, `vonage` or `generic`, in place of `SMPP_URL`: texts leave by the HTTP API of this " +
      "[provider](../sms.md#providers-with-an-http-api)"
  }),
  url: ofProvider("SMS_HTTP_URL", webAddress, {
    description: "another address of the provider's API",
    unset: "the provider's"
  }),
  rate: ofProvider("SMS_HTTP_RATE", perSecond, { description: "the messages a second that the account may send" }),
  accountSid: ofProvider("TWILIO_ACCOUNT_SID", text, { description: "Twilio: the account" }),
  authToken: secretOfProvider("TWILIO_AUTH_TOKEN", "the token that authenticates requests and signs receipts"),
  apiKeySid: optionalSetting("TWILIO_API_KEY_SID", text, {
    description: "an API key that authenticates requests in place of the auth token",
    needs: [PROVIDER, "TWILIO_API_KEY_SECRET"]
  }),
  apiKeySecret: optionalSetting("TWILIO_API_KEY_SECRET", token, {
    description: "the secret of the API key",
    isSecret: true,
    reloads: "smsHttp",
    needs: [PROVIDER, "TWILIO_API_KEY_SID"]
  }),
  messagingServiceSid: ofProvider("TWILIO_MESSAGING_SERVICE_SID", text, {
    description: "the messaging service that chooses the sender"
  }),
  apiKey: ofProvider("VONAGE_API_KEY", text, { description: "Vonage: the account" }),
  apiSecret: secretOfProvider("VONAGE_API_SECRET", "the account's secret"),
  applicationId: ofProvider("VONAGE_APPLICATION_ID", text, { description: "an application in place of the account" }),
  privateKey: ofProvider("VONAGE_PRIVATE_KEY_FILE", fileText, {
    description: "the file with the application's private key",
    isFile: true,
    reloads: "smsHttp"
  }),
  vonageSignature: secretOfProvider("VONAGE_SIGNATURE_SECRET", "the key that signs receipts; without it none is taken"),
  description: ofProvider("SMS_HTTP_DESCRIPTION", descriptionFile, {
    description: "another provider: path of a JSON file that [describes](../sms.md#providers-with-an-http-api) it",
    isFile: true
  }),
  token: secretOfProvider("SMS_HTTP_TOKEN", "its token"),
  signature: secretOfProvider("SMS_HTTP_SIGNATURE_SECRET", "the key that signs its receipts")
}

/** @param baseUrl how the provider reaches the interface */
export const readSmsHttp = (environment: Environment, baseUrl: string): Read<Option.Option<SmsHttp>> =>
  Result.gen(function* () {
    const provider = yield* readOptional(environment, sms.provider)
    yield* checkNeeds(environment, Object.values(sms))
    if (Option.isNone(provider)) return Option.none()
    if (isSet(environment, sms.carriers.name)) {
      return yield* Result.fail(fault(sms.provider.name, `must not be set together with ${sms.carriers.name}`))
    }
    return Option.some(yield* options(provider.value, environment, yield* common(environment, baseUrl)))
  })

/** The sentence of an option that cannot be used, with the name of its variable; null for any other error. */
export const sentenceOf = (error: unknown): string | null => {
  if (!Predicate.isTagged(error, "SmsHttpOptionsError") || !Predicate.hasProperty(error, "setting")) return null
  const setting = String(error.setting)
  const message = Predicate.hasProperty(error, "message") ? String(error.message) : ""
  return (variables[setting] ?? `SMS_HTTP_DESCRIPTION: ${setting}`) + message.slice(setting.length)
}

/** Settings by the options that they are. */
const variables: Readonly<Record<string, string>> = {
  accountSid: sms.accountSid.name,
  authToken: sms.authToken.name,
  "apiKey.sid": sms.apiKeySid.name,
  "apiKey.secret": sms.apiKeySecret.name,
  messagingServiceSid: sms.messagingServiceSid.name,
  apiKey: sms.apiKey.name,
  apiSecret: sms.apiSecret.name,
  applicationId: sms.applicationId.name,
  privateKey: sms.privateKey.name,
  token: sms.token.name
}

const common = (environment: Environment, baseUrl: string): Read<CommonOptions> =>
  Result.gen(function* () {
    const url = yield* readOptional(environment, sms.url)
    const rate = yield* readOptional(environment, sms.rate)
    return {
      baseUrl: Option.getOrUndefined(url),
      rate: Option.getOrNull(rate),
      callbackUrl: reachable(baseUrl, url) ? `${baseUrl}${webhookPath({ name: "sms" })}` : undefined
    }
  })

const options = (provider: SmsHttp["provider"], environment: Environment, common: CommonOptions): Read<SmsHttp> => {
  switch (provider) {
    case "twilio":
      return Result.map(twilio(environment), (own) => ({ provider, options: { ...common, ...own } }))
    case "vonage":
      return Result.map(vonage(environment), (own) => ({ provider, options: { ...common, ...own } }))
    case "generic":
      return Result.map(generic(environment), (own) => ({ provider, options: { ...common, ...own } }))
  }
}

const twilio = (environment: Environment): Read<TwilioOptions> =>
  Result.gen(function* () {
    const sid = yield* readOptional(environment, sms.apiKeySid)
    const secret = yield* readOptional(environment, sms.apiKeySecret)
    return {
      accountSid: yield* readRequired(environment, sms.accountSid),
      authToken: yield* readRequired(environment, sms.authToken),
      apiKey: Option.getOrUndefined(Option.all({ sid, secret })),
      messagingServiceSid: Option.getOrUndefined(yield* readOptional(environment, sms.messagingServiceSid))
    }
  })

const vonage = (environment: Environment): Read<VonageOptions> =>
  Result.gen(function* () {
    const signatureSecret = Option.getOrUndefined(yield* readOptional(environment, sms.vonageSignature))
    const applicationId = yield* readOptional(environment, sms.applicationId)
    if (Option.isSome(applicationId)) {
      const privateKey = yield* readRequired(environment, sms.privateKey)
      return { applicationId: applicationId.value, privateKey, signatureSecret }
    }
    return {
      apiKey: yield* readRequired(environment, sms.apiKey),
      apiSecret: yield* readRequired(environment, sms.apiSecret),
      signatureSecret
    }
  })

const generic = (environment: Environment): Read<GenericOptions> =>
  Result.gen(function* () {
    const description = yield* readRequired(environment, sms.description)
    return {
      description,
      token: Option.getOrUndefined(yield* readOptional(environment, sms.token)),
      signatureSecret: description.receipts === undefined ? undefined : yield* readRequired(environment, sms.signature)
    }
  })
