/**
 * The Telegram Gateway as a `ChatGateway`.
 */
export { type Options, layer, make, telegram } from "../internal/telegram/TelegramGateway.ts"
