/**
 * Options of SMS gateways as texts and files have them. A program that reads its settings loads only these, and a
 * gateway's code once it is set up.
 *
 * @example
 * ```ts
 * import { fromUrls } from "@watchword/sms/options"
 *
 * const options = fromUrls("smpp://id:secret@smsc.example:2775")
 * ```
 */
export { Description, read as readDescription } from "./internal/http/Description.ts"
export { read as readReceives } from "./internal/texts/OwnNumbers.ts"
export { type LinkOptions, type Options, SmppOptionsError, fromUrls } from "./internal/smpp/Options.ts"
