/**
 * Phones of the sandbox as they are kept: a setting of their account each, under the number.
 *
 * @example
 * ```ts
 * import { E164 } from "@watchword/schemas/PhoneNumber"
 * import { phoneSettings } from "@watchword/sandbox/phoneSettings"
 *
 * console.log(phoneSettings.of(E164.make("+4915123456789")).name) // phone:+4915123456789
 * ```
 */
import { MOST_PHONES, PhoneSettings } from "@watchword/schemas/SandboxPhone"
import * as Setting from "@watchword/store/Setting"
import * as Schema from "effect/Schema"

const KeptPhone = Schema.Struct({
  ...PhoneSettings.fields,
  /** When it was set, in milliseconds since the epoch. */
  set_at: Schema.Int
})
export type KeptPhone = typeof KeptPhone.Type

/** Phones by their numbers. */
export const phoneSettings = Setting.family({
  prefix: "phone:",
  title: "phone",
  most: MOST_PHONES,
  schema: KeptPhone
})
