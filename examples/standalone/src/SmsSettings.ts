/**
 * The settings of a provider of SMS with an HTTP API.
 */
import { webhookPath } from "@watchword/channel/Channel"
import type { CommonOptions, GenericOptions, TwilioOptions, VonageOptions } from "@watchword/sms/http"
import * as Description from "@watchword/sms/http/Description"
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
  needs,
  optional,
  required,
  text,
  token,
  webAddress
} from "./Reading.ts"

export type SmsHttp =
  | { readonly provider: "twilio"; readonly options: TwilioOptions }
  | { readonly provider: "vonage"; readonly options: VonageOptions }
  | { readonly provider: "generic"; readonly options: GenericOptions }

/** @param baseUrl how the provider reaches the interface */
export const smsHttp = (environment: Environment, baseUrl: string): Read<Option.Option<SmsHttp>> =>
  Result.gen(function* () {
    const provider = yield* optional(environment, "SMS_HTTP_PROVIDER", providerName)
    for (const name of names.filter((each) => each !== "SMS_HTTP_PROVIDER")) {
      yield* needs(provider, "SMS_HTTP_PROVIDER", { [name]: yield* optional(environment, name, text) })
    }
    if (Option.isNone(provider)) return Option.none()
    if (environment["SMPP_URL"]?.trim()) {
      return yield* Result.fail(fault("SMS_HTTP_PROVIDER", "must not be set together with SMPP_URL"))
    }
    return Option.some(yield* read(provider.value, environment, yield* common(environment, baseUrl)))
  })

/** The names of all of these settings. */
export const names: ReadonlyArray<string> = [
  "SMS_HTTP_PROVIDER",
  "SMS_HTTP_URL",
  "SMS_HTTP_RATE",
  "SMS_HTTP_DESCRIPTION",
  "SMS_HTTP_TOKEN",
  "SMS_HTTP_SIGNATURE_SECRET",
  "TWILIO_ACCOUNT_SID",
  "TWILIO_AUTH_TOKEN",
  "TWILIO_API_KEY_SID",
  "TWILIO_API_KEY_SECRET",
  "TWILIO_MESSAGING_SERVICE_SID",
  "VONAGE_API_KEY",
  "VONAGE_API_SECRET",
  "VONAGE_APPLICATION_ID",
  "VONAGE_PRIVATE_KEY_FILE",
  "VONAGE_SIGNATURE_SECRET"
]

/** The sentence of an option that cannot be used, with the name of its variable; null for any other error. */
export const sentenceOf = (error: unknown): string | null => {
  if (!Predicate.isTagged(error, "SmsHttpOptionsError") || !Predicate.hasProperty(error, "setting")) return null
  const setting = String(error.setting)
  const message = Predicate.hasProperty(error, "message") ? String(error.message) : ""
  return (variables[setting] ?? `SMS_HTTP_DESCRIPTION: ${setting}`) + message.slice(setting.length)
}

const variables: Readonly<Record<string, string>> = {
  accountSid: "TWILIO_ACCOUNT_SID",
  authToken: "TWILIO_AUTH_TOKEN",
  "apiKey.sid": "TWILIO_API_KEY_SID",
  "apiKey.secret": "TWILIO_API_KEY_SECRET",
  messagingServiceSid: "TWILIO_MESSAGING_SERVICE_SID",
  apiKey: "VONAGE_API_KEY",
  apiSecret: "VONAGE_API_SECRET",
  applicationId: "VONAGE_APPLICATION_ID",
  privateKey: "VONAGE_PRIVATE_KEY_FILE",
  token: "SMS_HTTP_TOKEN"
}

const providerName: Parse<SmsHttp["provider"]> = (value) =>
  value === "twilio" || value === "vonage" || value === "generic"
    ? Result.succeed(value)
    : Result.fail("must be twilio, vonage or generic")

const common = (environment: Environment, baseUrl: string): Read<CommonOptions> =>
  Result.gen(function* () {
    const url = yield* optional(environment, "SMS_HTTP_URL", webAddress)
    const rate = yield* optional(environment, "SMS_HTTP_RATE", perSecond)
    return {
      baseUrl: Option.getOrUndefined(url),
      rate: Option.getOrNull(rate),
      callbackUrl: reachable(baseUrl, url) ? `${baseUrl}${webhookPath({ name: "sms" })}` : undefined
    }
  })

const perSecond: Parse<number> = (value) =>
  /^\d{1,6}(\.\d{1,3})?$/.test(value) && Number(value) > 0
    ? Result.succeed(Number(value))
    : Result.fail("must be a number of messages a second, such as 10 or 0.5")

const read = (provider: SmsHttp["provider"], environment: Environment, common: CommonOptions): Read<SmsHttp> => {
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
    const sid = yield* optional(environment, "TWILIO_API_KEY_SID", text)
    const secret = yield* optional(environment, "TWILIO_API_KEY_SECRET", token)
    yield* needs(secret, "TWILIO_API_KEY_SECRET", { TWILIO_API_KEY_SID: sid })
    yield* needs(sid, "TWILIO_API_KEY_SID", { TWILIO_API_KEY_SECRET: secret })
    return {
      accountSid: yield* required(environment, "TWILIO_ACCOUNT_SID", text),
      authToken: yield* required(environment, "TWILIO_AUTH_TOKEN", token),
      apiKey: Option.getOrUndefined(Option.all({ sid, secret })),
      messagingServiceSid: Option.getOrUndefined(yield* optional(environment, "TWILIO_MESSAGING_SERVICE_SID", text))
    }
  })

const vonage = (environment: Environment): Read<VonageOptions> =>
  Result.gen(function* () {
    const signatureSecret = Option.getOrUndefined(yield* optional(environment, "VONAGE_SIGNATURE_SECRET", token))
    const applicationId = yield* optional(environment, "VONAGE_APPLICATION_ID", text)
    if (Option.isSome(applicationId)) {
      const privateKey = yield* required(environment, "VONAGE_PRIVATE_KEY_FILE", fileText)
      return { applicationId: applicationId.value, privateKey, signatureSecret }
    }
    return {
      apiKey: yield* required(environment, "VONAGE_API_KEY", text),
      apiSecret: yield* required(environment, "VONAGE_API_SECRET", token),
      signatureSecret
    }
  })

const generic = (environment: Environment): Read<GenericOptions> =>
  Result.gen(function* () {
    const description = yield* required(environment, "SMS_HTTP_DESCRIPTION", descriptionFile)
    return {
      description,
      token: Option.getOrUndefined(yield* optional(environment, "SMS_HTTP_TOKEN", token)),
      signatureSecret:
        description.receipts === undefined
          ? undefined
          : yield* required(environment, "SMS_HTTP_SIGNATURE_SECRET", token)
    }
  })

const descriptionFile: Parse<Description.Description> = (file) =>
  Result.flatMap(jsonFile(file), (json) =>
    Result.mapError(Description.read(json), ({ message }) => `names a file in which ${message.replace(/\.$/, "")}`)
  )
