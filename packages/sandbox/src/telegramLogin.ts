/**
 * Telegram as the sandbox plays it for Telegram Login; `watchword/telegramLogin` brings it along.
 */
export { provider } from "./internal/login/Provider.ts"
