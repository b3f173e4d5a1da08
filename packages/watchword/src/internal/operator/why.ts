/**
 * Why a user got no code.
 */
import type { Described } from "@watchword/send/channel/Described"
import type { Store } from "@watchword/store/Store"
import type { Story } from "@watchword/operator/insight/Why"
import { why } from "@watchword/operator/commands/PrivacyCommands"
import * as Effect from "effect/Effect"
import { type Run, withOptions } from "./Run.ts"

export interface WhyOperator {
  /**
   * What happened for a number in all accounts and modes, the newest last, and the likely reason why a code did not arrive.
   * It has no code, no text and no caller.
   *
   * @param options `since` is a week ago unless given, and a year ago at most; `defaultCountry` is where a number without a
   * calling code is dialled, by ISO 3166-1
   */
  readonly why: (
    number: string,
    options?: { readonly since?: Date; readonly defaultCountry?: string }
  ) => Promise<Story>
}

export const make = (run: Run<Described | Store>): WhyOperator => ({
  why: (number, options = {}) => run(Effect.flatMap(withOptions(why, { number }, options), why.call))
})
