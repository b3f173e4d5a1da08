/**
 * Sends at a constant rate, by a clock that waits for no answer: some texts, and a verification for each so many.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { Client } from "./http.ts"
import { sendText, verify } from "./verifications.ts"

export interface Pace {
  /** Sends a second. */
  readonly rate: number
  readonly seconds: number
  /** One send of so many is a verification, from start to approved. */
  readonly verification: number
}

export interface Sent {
  readonly sends: number
  /**
   * Of each request, in milliseconds: from the time at which its send was due, and of a check from the answer to its
   * start.
   */
  readonly latencies: ReadonlyArray<number>
}

/** Answers when all requests are answered; rejects where one of them fails. */
export const sendSteadily = async (client: Client, { rate, seconds, verification }: Pace): Promise<Sent> => {
  const latencies: Array<number> = []
  const underway = new Set<Promise<void>>()
  const failures: Array<unknown> = []
  const began = performance.now()
  const elapsed = (): number => (performance.now() - began) / 1000

  const timedFrom = (due: number): Client => {
    let from = due
    return {
      ...client,
      ask: async (request) => {
        const answer = await client.ask(request)
        const now = performance.now()
        latencies.push(now - from)
        from = now
        return answer
      }
    }
  }

  const send = async (index: number): Promise<void> => {
    const timed = timedFrom(began + (index / rate) * 1000)
    try {
      await (index % verification === 0 ? verify(timed) : sendText(timed))
    } catch (error) {
      failures.push(error)
    }
  }

  let sends = 0
  while (elapsed() < seconds && failures.length === 0) {
    for (const due = elapsed() * rate; sends < due; sends++) {
      const sending = send(sends).finally(() => underway.delete(sending))
      underway.add(sending)
    }
    await sleep(1)
  }
  await Promise.all(underway)
  if (failures.length > 0) throw failures[0]
  return { sends, latencies }
}
