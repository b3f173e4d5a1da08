/**
 * The Telegram Gateway as a `ChatGateway`.
 */
export { type Options, layer, make, telegram } from "./TelegramGateway.ts"
