/**
 * The WhatsApp Cloud API as a `BusinessChatGateway`.
 *
 * @example
 * ```ts
 * import { make } from "@watchword/bizchat/whatsapp"
 * import * as Effect from "effect/Effect"
 * import * as Redacted from "effect/Redacted"
 *
 * const program = Effect.gen(function* () {
 *   const { gateway } = yield* make({
 *     token: Redacted.make("EAAG…"),
 *     phoneNumberId: "106540352242922",
 *     template: { name: "otp", language: "en_US" }
 *   })
 *   return yield* gateway.links
 * })
 *
 * console.log(await Effect.runPromise(Effect.scoped(program))) // [ { name: "whatsapp", up: true } ]
 * ```
 */
export { WebhookError } from "./Webhook.ts"
export { type Options, type WhatsAppGateway, make } from "./WhatsAppGateway.ts"
