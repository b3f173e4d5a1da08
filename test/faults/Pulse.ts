/**
 * A steady stream of texts in addition to a round's load, which measures the longest time without a successful send.
 */
import { setTimeout as delay } from "node:timers/promises"
import type { Asking } from "./Asking.ts"
import { numberOf } from "./Load.ts"

export interface Pulse {
  /** Ends it, and resolves to the longest time without a text answered with 200, in milliseconds. */
  readonly end: () => Promise<number>
}

const SENDERS = 8

/** The first of its numbers in a round; lower numbers belong to the load. */
const FIRST = 6_000
const MOST = 3_999

/** A sender's pauses, in milliseconds: after a success, and after a refusal. */
const PAUSE = 200
const AGAIN = 50

export const startPulse = (round: number, asking: Asking): Pulse => {
  const over = new AbortController()
  let [count, longest, last] = [0, 0, performance.now()]
  const note = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const send = async (): Promise<void> => {
    while (!over.signal.aborted && count < MOST) {
      const number = numberOf(round, FIRST + count++)
      const { status } = await asking.ask(number, "/sms", { to: number, text: "A steady text." })
      if (status === 200) note()
      await delay(status === 200 ? PAUSE : AGAIN)
    }
  }
  const senders = Promise.all(Array.from({ length: SENDERS }, send))
  return {
    end: async () => {
      over.abort()
      await senders
      note()
      return longest
    }
  }
}
