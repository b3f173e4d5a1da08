/**
 * The settings of the two chat gateways.
 */
import type * as Telegram from "@watchword/chatgw/telegram"
import type * as WhatsApp from "@watchword/bizchat/whatsapp"
import { webhookPath } from "@watchword/channel/Channel"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type Environment, type Read, needs, optional, secret, text, token, webAddress } from "./Reading.ts"

/** @param baseUrl how gateways reach the interface */
export const chatgw = (environment: Environment, baseUrl: string): Read<Option.Option<Telegram.Options>> =>
  Result.gen(function* () {
    const accessToken = yield* optional(environment, "CHATGW_TOKEN", token)
    const url = yield* optional(environment, "CHATGW_URL", webAddress)
    yield* needs(accessToken, "CHATGW_TOKEN", { CHATGW_URL: url })
    const callbackUrl = reachable(baseUrl, url) ? `${baseUrl}${webhookPath({ name: "chatgw" })}` : undefined
    return Option.map(accessToken, (token) => ({ token, baseUrl: Option.getOrUndefined(url), callbackUrl }))
  })

/**
 * Whether a gateway can call back: the Telegram Gateway and others refuse to do so over plain http, one on the same
 * network may be less particular.
 */
export const reachable = (baseUrl: string, gateway: Option.Option<string>): boolean =>
  baseUrl.startsWith("https:") || Option.exists(gateway, (url) => url.startsWith("http:"))

export const bizchatSecrets: ReadonlyArray<string> = ["BIZCHAT_TOKEN", "BIZCHAT_APP_SECRET", "BIZCHAT_VERIFY_TOKEN"]

export const bizchat = (environment: Environment): Read<Option.Option<WhatsApp.Options>> =>
  Result.gen(function* () {
    const accessToken = yield* optional(environment, "BIZCHAT_TOKEN", token)
    const number = yield* optional(environment, "BIZCHAT_PHONE_NUMBER_ID", text)
    const url = yield* optional(environment, "BIZCHAT_URL", webAddress)
    const template = yield* optional(environment, "BIZCHAT_TEMPLATE", text)
    const language = yield* optional(environment, "BIZCHAT_LANGUAGE", text)
    const appSecret = yield* optional(environment, "BIZCHAT_APP_SECRET", secret)
    const verifyToken = yield* optional(environment, "BIZCHAT_VERIFY_TOKEN", secret)
    yield* needs(accessToken, "BIZCHAT_TOKEN", {
      BIZCHAT_PHONE_NUMBER_ID: number,
      BIZCHAT_URL: url,
      BIZCHAT_TEMPLATE: template,
      BIZCHAT_LANGUAGE: language,
      BIZCHAT_APP_SECRET: appSecret,
      BIZCHAT_VERIFY_TOKEN: verifyToken
    })
    yield* needs(number, "BIZCHAT_PHONE_NUMBER_ID", { BIZCHAT_TOKEN: accessToken })
    yield* needs(template, "BIZCHAT_TEMPLATE", { BIZCHAT_LANGUAGE: language })
    // Without the secret no event can be authenticated, and none is taken.
    yield* needs(appSecret, "BIZCHAT_APP_SECRET", { BIZCHAT_VERIFY_TOKEN: verifyToken })
    return Option.map(Option.all([accessToken, number]), ([token, phoneNumberId]) => ({
      token,
      phoneNumberId,
      baseUrl: Option.getOrUndefined(url),
      template: Option.getOrUndefined(
        Option.map(template, (name) => ({ name, language: Option.getOrElse(language, () => DEFAULT_LANGUAGE) }))
      ),
      appSecret: Option.getOrUndefined(appSecret),
      verifyToken: Option.getOrUndefined(verifyToken)
    }))
  })

const DEFAULT_LANGUAGE = "en_US"
