/**
 * Telegram Login: users prove their number by signing in with Telegram, at no cost, where a step `receive` of a
 * verification has `telegram_login` among its forms. Sandbox keys sign in at a page of the sandbox.
 *
 * @example
 * ```ts
 * import { createWatchword, memory } from "watchword"
 * import { telegramLogin } from "watchword/telegramLogin"
 *
 * const service = await createWatchword({
 *   store: memory(),
 *   publicUrl: "https://otp.example.com/v1",
 *   telegramLogin: telegramLogin({ clientId: "123456789", clientSecret: "the secret that BotFather shows" })
 * })
 * await service.dispose()
 * ```
 */
import { type AppOptions, type TelegramLogin, appOf, make } from "@watchword/chatgw/telegramLogin"
import { telegramProvider } from "@watchword/sandbox/simulator"

export { type AppOptions, type TelegramLogin, TelegramLoginError } from "@watchword/chatgw/telegramLogin"

export interface TelegramLoginOptions {
  /**
   * The interface's address as browsers reach it, where that is not the service's `publicUrl`; asked whenever a link is
   * made.
   */
  readonly publicUrl?: () => string | undefined
}

/**
 * The login, for the option `telegramLogin` of `createWatchword`. BotFather needs `/login/telegram` behind the
 * service's `publicUrl` in its list of addresses.
 *
 * @param app the app that BotFather has for a bot; null for only the sandbox
 */
export const telegramLogin = (app: AppOptions | null, { publicUrl }: TelegramLoginOptions = {}): TelegramLogin =>
  make({ app: app === null ? null : appOf(app), playing: telegramProvider, publicUrl: publicUrl ?? null })
