/**
 * The settings of the two chat gateways.
 */
import type * as Telegram from "@watchword/chatgw/telegram"
import type * as WhatsApp from "@watchword/bizchat/whatsapp"
import * as Webhooks from "@watchword/server/Webhooks"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type Environment, type Read, fault, optional, secret, text, webAddress } from "./Reading.ts"

/** @param baseUrl how gateways reach the interface */
export const chatgw = (environment: Environment, baseUrl: string): Read<Option.Option<Telegram.Options>> =>
  Result.gen(function* () {
    const token = yield* optional(environment, "CHATGW_TOKEN", secret)
    const url = yield* optional(environment, "CHATGW_URL", webAddress)
    if (Option.isNone(token) && Option.isSome(url)) return yield* missing("CHATGW_TOKEN", "CHATGW_URL")
    const callbackUrl = reachable(baseUrl, url) ? `${baseUrl}${Webhooks.paths.chatgw}` : undefined
    return Option.map(token, (token) => ({ token, baseUrl: Option.getOrUndefined(url), callbackUrl }))
  })

// The Telegram Gateway refuses to call back over plain http; one on the same network may be less particular.
const reachable = (baseUrl: string, gateway: Option.Option<string>): boolean =>
  baseUrl.startsWith("https:") || Option.exists(gateway, (url) => url.startsWith("http:"))

export const bizchat = (environment: Environment): Read<Option.Option<WhatsApp.Options>> =>
  Result.gen(function* () {
    const token = yield* optional(environment, "BIZCHAT_TOKEN", secret)
    const number = yield* optional(environment, "BIZCHAT_PHONE_NUMBER_ID", text)
    const url = yield* optional(environment, "BIZCHAT_URL", webAddress)
    const template = yield* optional(environment, "BIZCHAT_TEMPLATE", text)
    const language = yield* optional(environment, "BIZCHAT_LANGUAGE", text)
    const appSecret = yield* optional(environment, "BIZCHAT_APP_SECRET", secret)
    const verifyToken = yield* optional(environment, "BIZCHAT_VERIFY_TOKEN", secret)
    if (Option.isNone(token)) {
      return Option.isSome(number) ? yield* missing("BIZCHAT_TOKEN", "BIZCHAT_PHONE_NUMBER_ID") : Option.none()
    }
    if (Option.isNone(number)) return yield* missing("BIZCHAT_PHONE_NUMBER_ID", "BIZCHAT_TOKEN")
    return Option.some({
      token: token.value,
      phoneNumberId: number.value,
      baseUrl: Option.getOrUndefined(url),
      template: Option.getOrUndefined(
        Option.map(template, (name) => ({ name, language: Option.getOrElse(language, () => DEFAULT_LANGUAGE) }))
      ),
      appSecret: Option.getOrUndefined(appSecret),
      verifyToken: Option.getOrUndefined(verifyToken)
    })
  })

const DEFAULT_LANGUAGE = "en_US"

const missing = (setting: string, because: string) => Result.fail(fault(setting, `must be set, because ${because} is`))
