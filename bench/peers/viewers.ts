/**
 * Viewers of the operators' console: each follows one page's answer, as the page does, and comes back when its stream
 * ends.
 */
import { setTimeout as sleep } from "node:timers/promises"

/** Who looks, and at what. */
export interface Viewing {
  /** The address of the operations listener. */
  readonly url: string
  readonly token: string
}

const PAGES = ["overview", "delivery/list?limit=50", "verification/list?limit=50", "guard/look", "process/list"]
const VIEWERS = 10
const PAUSE = 1_000

const follow = async ({ token, url }: Viewing, page: string): Promise<never> => {
  for (;;) {
    try {
      const headers = { accept: "text/event-stream", authorization: `Bearer ${token}` }
      const { body, status } = await fetch(`${url}/operator/v1/watch/${page}`, { headers })
      if (status !== 200) throw new Error(`${page}: ${status}`)
      for await (const chunk of body ?? []) seen += chunk.length
    } catch (error) {
      problem = error
    }
    await sleep(PAUSE)
  }
}

let seen = 0
let problem: unknown = null

process.once("message", (viewing: Viewing) => {
  for (let viewer = 0; viewer < VIEWERS; viewer++) void follow(viewing, PAGES[viewer % PAGES.length] ?? "")
})
process.once("SIGTERM", () => {
  console.log(seen > 0 ? `The viewers saw ${Math.round(seen / 1024)} KiB.` : `The viewers saw nothing: ${problem}`)
  process.exit()
})
process.once("disconnect", () => process.exit())
