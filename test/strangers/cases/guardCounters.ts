import { type Case, requests } from "../Case.ts"
import { anyNumber, headersOf, send } from "../World.ts"

/** The counters of limits: sends by several keys, each to another number and for another address. */
export const guardCounters: Case = {
  name: "counters of guards",
  questions: [send],
  hold: async (world) => {
    const keys = [world.stranger.key, await world.newKey(), await world.newKey(), await world.newKey()]
    let sent = 0
    return requests(32, () => {
      const index = sent++
      const headers = headersOf({ ...world.stranger, key: keys[index % keys.length] ?? world.stranger.key })
      const client_ip = `2001:db8:${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}::1`
      return world.post("/sms", JSON.stringify({ to: anyNumber(), text: "Your code is 482913", client_ip }), headers)
    })
  }
}
