/**
 * A few rounds of `npm run faults`: they find a violation only if a test causes it on purpose.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { runBatch } from "./Batch.ts"

const roundsOf = (...kinds: ReadonlyArray<string>) => kinds.map((kind, nth) => ({ nth: nth + 1, kind }))

const options = { servers: 1, database: "sqlite", journeys: 25, say: () => {} } as const

it("rounds of faults break no rule", { timeout: 120_000 }, async () => {
  const rounds = roundsOf("carrier-early", "kill", "receiver-refuses", "erase-killed")
  const { arrived, events, found, records } = await runBatch({ ...options, rounds, seed: 11 })
  expect(found).toEqual([])
  for (const count of [arrived, events, records]) expect(count).toBeGreaterThan(20)
})

it("a message that is doubled and a balance that is wrong are found", { timeout: 120_000 }, async () => {
  const { found } = await runBatch({
    ...options,
    rounds: roundsOf("calm"),
    seed: 12,
    tamper: ({ folder, peers: { arrivals } }) => {
      const doubled = arrivals.all.find(({ channel, taken }) => channel === "sms" && taken)
      if (doubled !== undefined) arrivals.add(doubled)
      const database = new DatabaseSync(join(folder, "watchword.db"))
      database.exec("UPDATE accounts SET available = available + 1")
      database.close()
    }
  })
  const rules = found.map(({ round, rule }) => [round.kind, rule])
  expect(rules).toContainEqual(["calm", "sent-once"])
  expect(rules).toContainEqual(["calm", "audit: balance"])
})

it("the command names the kinds that there are", async () => {
  const main = fileURLToPath(new URL("main.ts", import.meta.url))
  const child = spawn(process.execPath, [main, "--only=earthquake"], { stdio: ["ignore", "ignore", "pipe"] })
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")])
  expect(code).toBe(2)
  expect(said).toContain("earthquake is none of them")
  expect(said).toContain("--rounds")
})
