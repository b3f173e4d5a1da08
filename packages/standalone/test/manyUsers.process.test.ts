/**
 * Users who write while the server is killed again and again: each is approved by a text of their own number, once, and
 * none by a token that a stranger has sent. `USERS=10000` has so many of them; by default there are few.
 */
import { smsc } from "@watchword/sandbox/smsc"
import { expect, it } from "vitest"
import { folderForAll } from "../../../test/folder.ts"
import { turns, until } from "../../../test/until.ts"
import { type Answer, callerOf, request } from "./client.ts"
import { command, start } from "./Standalone.ts"

const USERS = Number(process.env["USERS"] ?? 120)
/** How many verifications are under way at a time. */
const AT_ONCE = 40
/** How many have ended between two kills. */
const BETWEEN_KILLS = Math.max(20, USERS / 100)

const OURS = "+491713920000"

const { file } = folderForAll()

/** Who sends the token: the user, a stranger, or both. */
type Senders = "own" | "foreign" | "both"
const sendersOf = (index: number): Senders => (index % 10 === 0 ? "foreign" : index % 10 === 1 ? "both" : "own")

it("users are approved once, and by their own text, whenever the server is killed", { timeout: 900_000 }, async () => {
  const carrier = await smsc({ retry: 20 })
  const environment = {
    DATABASE_URL: `sqlite:${file("many.db")}`,
    VERIFY_SECRET: "0123456789abcdef0123456789abcdef",
    SMPP_URL: carrier.url(`receives=${OURS}`)
  }
  let server = await start(environment)
  const account = String((await command(environment, "account", "create", "--sms-sender", "Acme"))["account_id"])
  const key = String((await command(environment, "key", "create", "--account", account))["key"])
  await command(environment, "guard", "set", account, "none")

  /** Asks until there is an answer: a server that was killed is started again. */
  const ask = async (path: string, body?: object): Promise<Answer["body"]> => {
    for (;;) {
      try {
        const answer = await request(callerOf(server, account, key), path, body)
        if (answer.status < 500) return answer.body
      } catch {
        await turns(100)
      }
    }
  }

  const results = new Map<string, number>()
  const verify = async (index: number): Promise<void> => {
    const to = `+49151${String(20_000_000 + index)}`
    const stranger = `+49152${String(20_000_000 + index)}`
    const workflow = [{ channel: "receive", by: ["sms"], timeout: 900, reply: false }]
    const { id, present } = await ask("/verifications", { to, workflow, ttl: 3_600 })
    const text: unknown = Array.isArray(present) ? present[0]?.text : undefined
    const senders = sendersOf(index)
    if (senders !== "own") await carrier.write({ from: stranger, to: OURS, text: String(text) })
    if (senders !== "foreign") await carrier.write({ from: to, to: OURS, text: String(text), parts: 1 + (index % 2) })
    const { by = null, received, status } = await ask(`/verifications/${String(id)}`)
    const said = Array.isArray(received) ? received.map(({ result }) => result).join() : ""
    const what = `${senders}: ${String(status)} ${String(by)} ${said}`
    results.set(what, (results.get(what) ?? 0) + 1)
  }

  let [next, ended] = [0, 0]
  const users = Array.from({ length: AT_ONCE }, async () => {
    while (next < USERS) await verify(next++).finally(() => ended++)
  })
  for (let kills = 1; kills * BETWEEN_KILLS < USERS; kills++) {
    await until(
      () => ended,
      (count) => count >= kills * BETWEEN_KILLS
    )
    await server.kill()
    server = await start(environment)
  }
  await Promise.all(users)
  const tenth = USERS / 10
  expect(Object.fromEntries(results)).toEqual({
    "own: approved sms approved": tenth * 8,
    "foreign: pending null other_number": tenth,
    "both: pending null other_number": tenth
  })
  expect(await server.stop()).toBe(0)
  await carrier.stop()
})
