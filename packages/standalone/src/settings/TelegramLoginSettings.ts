/**
 * The settings of Telegram Login.
 */
import { type AppOptions, TelegramLoginError, appOf, checkedBase } from "@watchword/chatgw/telegramLogin"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type Environment, type Read, fault, secret, text, webAddress } from "./Reading.ts"
import { checkNeeds, optionalSetting, read, readOptional, setting } from "./Setting.ts"

const APP = ["TELEGRAM_LOGIN_CLIENT_ID", "TELEGRAM_LOGIN_CLIENT_SECRET"]

export const telegramLogin = {
  clientId: optionalSetting("TELEGRAM_LOGIN_CLIENT_ID", text, {
    description: "[Telegram Login](../reverse/telegram-login.md): the client's id of the bot, which BotFather shows",
    needs: ["TELEGRAM_LOGIN_CLIENT_SECRET", "PUBLIC_URL"]
  }),
  clientSecret: optionalSetting("TELEGRAM_LOGIN_CLIENT_SECRET", secret, {
    description: "Telegram Login: the client's secret, from the same page of BotFather",
    isSecret: true,
    needs: ["TELEGRAM_LOGIN_CLIENT_ID"]
  }),
  alg: setting("TELEGRAM_LOGIN_ALG", "RS256", text, {
    description: "Telegram Login: the algorithm that BotFather is set to sign by: `RS256`, `ES256` or `EdDSA`",
    needs: APP
  }),
  issuer: optionalSetting("TELEGRAM_LOGIN_ISSUER", webAddress, {
    description: "Telegram Login: another provider, for tests",
    unset: "Telegram",
    needs: APP
  })
}

/** @param baseUrl how users' browsers reach the interface */
export const readTelegramLogin = (environment: Environment, baseUrl: string): Read<Option.Option<AppOptions>> =>
  Result.gen(function* () {
    const clientId = yield* readOptional(environment, telegramLogin.clientId)
    const clientSecret = yield* readOptional(environment, telegramLogin.clientSecret)
    const alg = yield* read(environment, telegramLogin.alg)
    const issuer = Option.getOrUndefined(yield* readOptional(environment, telegramLogin.issuer))
    yield* checkNeeds(environment, Object.values(telegramLogin))
    if (Option.isNone(clientId) || Option.isNone(clientSecret)) return Option.none()
    const app = { clientId: clientId.value, clientSecret: clientSecret.value, alg, issuer }
    yield* usable(app, baseUrl)
    return Option.some(app)
  })

/** Checks the app as the login does at its start, and names the setting. */
const usable = (app: AppOptions, baseUrl: string): Read<void> => {
  const mistake = checkedBase(baseUrl)
  if (typeof mistake !== "string") return Result.fail(named(mistake))
  try {
    appOf(app)
    return Result.succeed(undefined)
  } catch (error) {
    if (error instanceof TelegramLoginError) return Result.fail(named(error))
    throw error
  }
}

const named = ({ must, option }: TelegramLoginError) => fault(names[option], must)

const names: { readonly [O in TelegramLoginError["option"]]: string } = {
  clientId: "TELEGRAM_LOGIN_CLIENT_ID",
  clientSecret: "TELEGRAM_LOGIN_CLIENT_SECRET",
  alg: "TELEGRAM_LOGIN_ALG",
  issuer: "TELEGRAM_LOGIN_ISSUER",
  publicUrl: "PUBLIC_URL"
}
