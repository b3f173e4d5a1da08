/**
 * The settings of the two chat gateways.
 */
import type * as Telegram from "@watchword/chatgw/telegram"
import type * as WhatsApp from "@watchword/bizchat/whatsapp"
import { webhookPath } from "@watchword/send/channel/Channel"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type Environment, type Read, phoneNumber, secret, text, token, webAddress } from "./Reading.ts"
import { checkNeeds, optionalSetting, read, readOptional, setting } from "./Setting.ts"

export const chatgw = {
  token: optionalSetting("CHATGW_TOKEN", token, {
    description: "the chat gateway's access token",
    isSecret: true,
    reloads: "chatgw"
  }),
  url: optionalSetting("CHATGW_URL", webAddress, {
    description: "the chat gateway's address",
    unset: "the Telegram Gateway",
    needs: ["CHATGW_TOKEN"]
  })
}

const NUMBER = ["BIZCHAT_TOKEN", "BIZCHAT_PHONE_NUMBER_ID"]

export const bizchat = {
  token: optionalSetting("BIZCHAT_TOKEN", token, {
    description: "business chat: access token",
    isSecret: true,
    reloads: "bizchat",
    needs: ["BIZCHAT_PHONE_NUMBER_ID"]
  }),
  number: optionalSetting("BIZCHAT_PHONE_NUMBER_ID", text, {
    description: "the number's id at the platform",
    needs: ["BIZCHAT_TOKEN"]
  }),
  url: optionalSetting("BIZCHAT_URL", webAddress, {
    description: "the platform's address",
    unset: "the WhatsApp Cloud API",
    needs: NUMBER
  }),
  template: optionalSetting("BIZCHAT_TEMPLATE", text, {
    description: "the authentication template; without one the text goes out as it is",
    needs: NUMBER
  }),
  language: setting("BIZCHAT_LANGUAGE", "en_US", text, {
    description:
      "the language the template is sent in where a send has no `locale` or the template is not translated to it",
    needs: [...NUMBER, "BIZCHAT_TEMPLATE"]
  }),
  appSecret: optionalSetting("BIZCHAT_APP_SECRET", secret, {
    description: "the secret that signs the platform's events",
    isSecret: true,
    reloads: "bizchat",
    needs: NUMBER
  }),
  receives: optionalSetting("BIZCHAT_RECEIVES", phoneNumber, {
    description: "the number itself, in E.164 form, where users may verify theirs by writing to it",
    needs: [...NUMBER, "BIZCHAT_APP_SECRET"]
  }),
  // Without the app's secret no event can be authenticated, and none is taken.
  verifyToken: optionalSetting("BIZCHAT_VERIFY_TOKEN", secret, {
    description: "the token of the platform's subscription",
    isSecret: true,
    reloads: "bizchat",
    needs: [...NUMBER, "BIZCHAT_APP_SECRET"]
  })
}

/** @param baseUrl how gateways reach the interface */
export const readChatgw = (environment: Environment, baseUrl: string): Read<Option.Option<Telegram.Options>> =>
  Result.gen(function* () {
    const accessToken = yield* readOptional(environment, chatgw.token)
    const url = yield* readOptional(environment, chatgw.url)
    yield* checkNeeds(environment, Object.values(chatgw))
    const callbackUrl = reachable(baseUrl, url) ? `${baseUrl}${webhookPath({ name: "chatgw" })}` : undefined
    return Option.map(accessToken, (token) => ({ token, baseUrl: Option.getOrUndefined(url), callbackUrl }))
  })

/**
 * Whether a gateway can call back: the Telegram Gateway and others refuse to do so over plain http, one on the same
 * network may be less particular.
 */
export const reachable = (baseUrl: string, gateway: Option.Option<string>): boolean =>
  baseUrl.startsWith("https:") || Option.exists(gateway, (url) => url.startsWith("http:"))

export const readBizchat = (environment: Environment): Read<Option.Option<WhatsApp.Options>> =>
  Result.gen(function* () {
    const accessToken = yield* readOptional(environment, bizchat.token)
    const number = yield* readOptional(environment, bizchat.number)
    const url = yield* readOptional(environment, bizchat.url)
    const template = yield* readOptional(environment, bizchat.template)
    const language = yield* read(environment, bizchat.language)
    const appSecret = yield* readOptional(environment, bizchat.appSecret)
    const verifyToken = yield* readOptional(environment, bizchat.verifyToken)
    const receives = yield* readOptional(environment, bizchat.receives)
    yield* checkNeeds(environment, Object.values(bizchat))
    return Option.map(Option.all([accessToken, number]), ([token, phoneNumberId]) => ({
      token,
      phoneNumberId,
      baseUrl: Option.getOrUndefined(url),
      template: Option.getOrUndefined(Option.map(template, (name) => ({ name, language }))),
      appSecret: Option.getOrUndefined(appSecret),
      verifyToken: Option.getOrUndefined(verifyToken),
      receives: Option.getOrUndefined(receives)
    }))
  })
