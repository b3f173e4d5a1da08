/**
 * Telegram Login as a feature of a service. `watchword/telegramLogin` makes it with the provider of the sandbox.
 */
export { type App, type Client } from "../internal/telegramLogin/Client.ts"
export { type Unknown, discover } from "../internal/telegramLogin/Discovery.ts"
export { type Answered, type Asked, type Exchange, overHttp } from "../internal/telegramLogin/Exchange.ts"
export { type AppOptions, ISSUER, TelegramLoginError, appOf, checkedBase } from "../internal/telegramLogin/Options.ts"
export { type Played, type Playing } from "../internal/telegramLogin/Playing.ts"
export { type Parts, type TelegramLogin, make } from "../internal/telegramLogin/TelegramLogin.ts"
