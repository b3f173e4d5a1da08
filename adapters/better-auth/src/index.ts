/**
 * The callbacks of better-auth's phone-number plugin, by a service in-process or by a client of a server elsewhere.
 *
 * Source: https://better-auth.com/docs/plugins/phone-number
 */
export { delivery } from "./delivery.ts"
export type { Account, InProcess, OverHttp } from "./verifications.ts"
export type { Callbacks, Options, Recipient, StartOptions } from "./options.ts"
export { verification } from "./verification.ts"
