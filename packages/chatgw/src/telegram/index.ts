/**
 * The Telegram Gateway as a `ChatGateway`.
 *
 * @example
 * ```ts
 * import { make } from "@watchword/chatgw/telegram"
 * import * as Effect from "effect/Effect"
 * import * as Redacted from "effect/Redacted"
 *
 * const program = Effect.gen(function* () {
 *   const { gateway } = yield* make({ token: Redacted.make("AAEAAA…") })
 *   return yield* gateway.links
 * })
 *
 * console.log(await Effect.runPromise(Effect.scoped(program))) // [ { name: "telegram", up: true } ]
 * ```
 */
export { type Options, type TelegramGateway, make } from "./TelegramGateway.ts"
