import { type Case, requests } from "../Case.ts"
import { headersOf, list, send, anyNumber } from "../World.ts"

/** The store's time for lists: filters that no index serves, on records of one's own. */
export const searches: Case = {
  name: "searches",
  questions: [send, list],
  hold: async (world) => {
    const headers = headersOf(world.stranger)
    const fill = () => world.post("/sms", JSON.stringify({ to: anyNumber(), text: "Your code is 482913" }), headers)
    for (let round = 0; round < 100; round++) await Promise.all(Array.from({ length: 20 }, fill))
    const question = JSON.stringify({ filter: { parts: { gte: 1 } }, sort_by: "text", page: 20, rows_per_page: 100 })
    return requests(32, () => world.post("/sms/sdr", question, headers))
  }
}
