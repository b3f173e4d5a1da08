/**
 * The Telegram Gateway as a `ChatgwGateway`.
 */
export { type Options, layer, make, telegram } from "../internal/telegram/TelegramGateway.ts"
