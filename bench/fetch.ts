/**
 * The cost of a request behind fetch, in workerd: a bare handler of the same JSON, the contract with a constant for
 * its SMS channel, and the whole service's sandbox on a store in memory. Run with `node bench/fetch.ts`.
 *
 * One Worker calls its own handlers one request at a time; the three alternate round by round. Schemas are not
 * compiled there, because Workers do not allow code generated at run time.
 */
import { Miniflare } from "miniflare"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const TIMES = 4_000
const ROUNDS = 5
const loads = ["bare", "contract", "sandbox"] as const

const build = await rolldown({
  input: fileURLToPath(new URL("peers/fetchWorker.ts", import.meta.url)),
  platform: "browser",
  logLevel: "silent"
})
const { output } = await build.generate({ format: "esm", minify: true })
await build.close()

const worker = new Miniflare({
  modules: true,
  script: output[0].code,
  compatibilityDate: "2026-07-01",
  cf: false,
  telemetry: { enabled: false }
})

const rounds = new Map(loads.map((load) => [load, [] as Array<number>]))
for (let round = 0; round < ROUNDS; round++) {
  for (const [load, costs] of rounds) {
    const response = await worker.dispatchFetch(`http://localhost/?load=${load}&times=${TIMES}`)
    costs.push(Number(await response.text()) * 1_000)
  }
}
await worker.dispose()

const middle = (costs: ReadonlyArray<number>): number =>
  costs.toSorted((a, b) => a - b)[costs.length >> 1] ?? Number.NaN
const bare = middle(rounds.get("bare") ?? [])
for (const [load, costs] of rounds) {
  const cost = middle(costs)
  console.log(`${load.padEnd(9)} ${cost.toFixed(1).padStart(6)} µs  ${(cost / bare).toFixed(2)} × bare`)
}
