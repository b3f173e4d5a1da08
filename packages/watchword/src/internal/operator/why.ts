/**
 * Why a user got no code.
 */
import type { Store } from "@watchword/store/Store"
import { type Story, why } from "../Why.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { reading } from "../Reading.ts"
import { type Run, e164 } from "./Run.ts"

export interface WhyOperator {
  /**
   * What happened for a number in all accounts and modes, the newest last, and the likely reason why a code did not arrive.
   * It has no code, no text and no caller.
   *
   * @param options `since` is a week ago unless given, and a year ago at most
   */
  readonly why: (number: string, options?: { readonly since?: Date }) => Promise<Story>
}

const period = reading(Schema.Struct({ since: Schema.optional(Schema.Date) }))

export const make = (run: Run<Store>): WhyOperator => ({
  why: (number, options = {}) =>
    run(
      Effect.flatMap(Effect.all([e164(number), period(options)]), ([to, { since }]) =>
        why(to, { since: since?.getTime() })
      )
    )
})
