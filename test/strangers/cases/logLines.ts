import { type Case, requests } from "../Case.ts"
import { list, send } from "../World.ts"

/** The log, at a level with a line for each request. */
export const logLines: Case = {
  name: "lines of the log",
  questions: [send, list],
  hold: (world) => requests(64, () => world.post("/sms", "{}", { "x-api-key": "sk_live_0", "x-account-id": "acc_0" }))
}
