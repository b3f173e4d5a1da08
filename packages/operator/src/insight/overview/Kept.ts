/**
 * Reads whose answers hardly change, though pages and alarms ask for them every few seconds.
 */
import { type Service, Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"

const HALF_A_MINUTE = 30_000

/** @returns runs a read at a time, or has the answer of the half minute before */
export const kept = <A>() => {
  const answers = new WeakMap<Service, { readonly at: number; readonly answer: A }>()
  return Effect.fnUntraced(function* <E, R>(at: number, read: Effect.Effect<A, E, R>) {
    const store = yield* Store
    const last = answers.get(store)
    if (last !== undefined && last.at <= at && at - last.at < HALF_A_MINUTE) return last.answer
    const answer = yield* read
    answers.set(store, { at, answer })
    return answer
  })
}
