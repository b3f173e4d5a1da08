/**
 * Posts the events of the outbox to one endpoint, signed, and again until it takes them.
 */
import { createHmac } from "node:crypto"
import * as http from "node:http"
import * as https from "node:https"
import type { Retry, Store } from "./store.ts"

const AT_ONCE = 8
const MOST_EVENTS = 200
const PAUSE = 100
const TIME_LIMIT = 10_000
const LONGEST_DELAY = 60 * 60 * 1000

export const postEvents = (store: Store, url: string, secret: string): void => {
  const protocol = url.startsWith("https:") ? https : http
  const agent = new protocol.Agent({ keepAlive: true, maxSockets: AT_ONCE })

  /** Whether the endpoint has taken it. */
  const post = (event: string): Promise<boolean> =>
    new Promise((resolve) => {
      const at = Math.floor(Date.now() / 1000)
      const signature = createHmac("sha256", secret).update(`${at}.${event}`).digest("hex")
      const headers = {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(event),
        "x-signature": `t=${at},v1=${signature}`
      }
      const request = protocol.request(url, { agent, method: "POST", headers, timeout: TIME_LIMIT }, (response) => {
        const { statusCode = 500 } = response
        response.resume()
        response.once("end", () => resolve(statusCode >= 200 && statusCode < 300))
        response.once("error", () => resolve(false))
      })
      request.once("timeout", () => request.destroy(new Error("no answer in time")))
      request.once("error", () => resolve(false))
      request.end(event)
    })

  const pass = async (): Promise<void> => {
    try {
      const events = await store.dueEvents(MOST_EVENTS)
      const results = await Promise.all(events.map(({ event }) => post(event)))
      const taken = events.filter((_, index) => results[index]).map(({ n }) => n)
      const again = events
        .filter((_, index) => !results[index])
        .map(({ n, tries }): Retry => ({ n, dueAt: Date.now() + Math.min(1000 * 2 ** tries, LONGEST_DELAY) }))
      if (events.length > 0) await store.posted(taken, again)
      setTimeout(() => void pass(), events.length === MOST_EVENTS ? 0 : PAUSE)
    } catch {
      setTimeout(() => void pass(), 1000)
    }
  }
  void pass()
}
