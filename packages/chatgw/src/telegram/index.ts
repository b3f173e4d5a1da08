/**
 * The Telegram Gateway as a `ChatgwGateway`.
 */
export { type Options, make, telegram } from "../internal/telegram/TelegramGateway.ts"
