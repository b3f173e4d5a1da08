/**
 * Why a user got no code.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import { parse } from "@watchword/schemas/PhoneNumber"
import type { Store } from "@watchword/store/Store"
import { type Story, why } from "@watchword/why/Why"
import * as Effect from "effect/Effect"
import type { Run } from "./Run.ts"

export interface WhyOperator {
  /**
   * What happened for a number in all accounts and modes, the newest last, and the likely reason why a code did not arrive.
   * It has no code, no text and no caller.
   *
   * @param options `since` is a week ago unless given, and a year ago at most
   */
  readonly why: (number: string, options?: { readonly since?: Date }) => Promise<Story>
}

export const make = (run: Run<Store>): WhyOperator => ({
  why: (number, { since } = {}) => run(Effect.flatMap(e164(number), (to) => why(to, { since: since?.getTime() })))
})

const e164 = (number: string) => {
  const to = parse(number)
  if (to !== null) return Effect.succeed(to)
  const issues = [{ path: "number", message: "must be a phone number in E.164 form" }]
  return Effect.fail(new BadRequest({ message: "The number is not valid.", issues }))
}
