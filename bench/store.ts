/**
 * The cost of a send in the SQLite store: open, close and a receipt, once with steps that share a transaction if they
 * wait together, and once with a transaction for each step. Run with `npm run bench -- store`.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { type AccountId, nextAccountId, nextDeliveryId, nextEntryId, nextProcessId } from "@watchword/schemas/Ids"
import { MicroEuros, PositiveMicroEuros } from "@watchword/schemas/Money"
import { SqliteStore } from "@watchword/store-sqlite"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { someAccount } from "../test/accounts.ts"

interface Result {
  readonly waiting: number
  readonly commit: "grouped" | "single"
  readonly sendsPerSecond: number
  /** Microseconds. */
  readonly cpuPerSend: number
  /** Milliseconds of one step. */
  readonly p99: number
}

const ROUNDS = 3
const WAITING = [1, 50, 200]

/** How many sends a round has, so that each round lasts about a second. */
const sendsFor = (waiting: number, commit: Result["commit"]): number =>
  commit === "single" || waiting === 1 ? 1_500 : 20_000

// Carriers' message ids are unordered; drawing random bytes for them would cost more than some steps.
let drawn = 1
const nextRef = (): string => {
  drawn = Math.imul(drawn, 1_664_525) + 1_013_904_223
  return (drawn >>> 0).toString(16).padStart(8, "0") + (Math.imul(drawn, 22_695_477) >>> 0).toString(16)
}

const price = MicroEuros.make(50_000)
const owner = nextProcessId(0)
const details = { encoding: "gsm7" }

const send = Effect.fnUntraced(function* (account: AccountId, latencies: Array<number>) {
  const store = yield* Store
  const timed = <A, E>(step: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      const start = performance.now()
      return Effect.map(step, (answer) => {
        latencies.push(performance.now() - start)
        return answer
      })
    })
  const at = Date.now()
  const id = nextDeliveryId(at)
  const ref = nextRef()
  const opened = yield* timed(
    store.open({
      delivery: {
        id,
        account,
        mode: "live",
        channel: "sms",
        to: `+4915${String(at).slice(-9)}`,
        from: "Watchword",
        status: { name: "sent", rank: 0 },
        price,
        parts: 1,
        reference: at & 0xffff,
        details
      },
      claims: [],
      owner,
      at
    })
  )
  const closed = yield* timed(
    store.close({ id, outcome: "accepted", status: { name: "sent", rank: 1 }, refs: [ref], details: {}, at })
  )
  const reported = yield* timed(
    store.report({
      target: { _tag: "Part", channel: "sms", refs: [ref], message: { to: null, reference: null } },
      status: { name: "delivered", rank: 2 },
      when: {},
      details: { carrier_status: "DELIVRD", carrier_error: "000" },
      everyPart: true,
      refund: false,
      at
    })
  )
  if (opened._tag !== "Opened" || closed._tag !== "Closed" || reported._tag !== "Moved") {
    throw new Error(`a send went wrong: ${opened._tag} ${closed._tag} ${reported._tag}`)
  }
})

/** `waiting` concurrent senders, until `sends` are sent. */
const round = Effect.fnUntraced(function* (account: AccountId, waiting: number, sends: number) {
  const latencies: Array<number> = []
  let left = sends
  const sender = Effect.gen(function* () {
    while (left > 0) {
      left -= 1
      yield* send(account, latencies)
    }
  })
  const start = performance.now()
  const cpu = process.cpuUsage()
  yield* Effect.all(
    Array.from({ length: waiting }, () => sender),
    { concurrency: "unbounded", discard: true }
  )
  const { system, user } = process.cpuUsage(cpu)
  const seconds = (performance.now() - start) / 1000
  latencies.sort((a, b) => a - b)
  return {
    sendsPerSecond: sends / seconds,
    cpuPerSend: (user + system) / sends,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0
  }
})

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const measure = Effect.fnUntraced(function* (waiting: number, commit: Result["commit"]) {
  const directory = mkdtempSync(join(tmpdir(), "bench-store-"))
  const options = { filename: join(directory, "store.db"), ...(commit === "single" ? { batch: 1 } : {}) }
  const sends = sendsFor(waiting, commit)
  const rounds = yield* Effect.gen(function* () {
    const store = yield* Store
    const account = nextAccountId(Date.now())
    yield* store.createAccount(someAccount({ id: account, createdAt: Date.now() }))
    yield* store.credit({
      id: nextEntryId(Date.now()),
      account,
      amount: PositiveMicroEuros.make(10 ** 15),
      at: Date.now()
    })
    yield* round(account, waiting, sends)
    return yield* Effect.forEach(Array.from({ length: ROUNDS }), () => round(account, waiting, sends))
  }).pipe(
    Effect.provide(Layer.provide(SqliteStore.layer(options), ChannelRegistry.layerBuiltIn)),
    Effect.ensuring(Effect.sync(() => rmSync(directory, { recursive: true })))
  )
  const result: Result = {
    waiting,
    commit,
    sendsPerSecond: Math.round(median(rounds.map((each) => each.sendsPerSecond))),
    cpuPerSend: Number(median(rounds.map((each) => each.cpuPerSend)).toFixed(1)),
    p99: Number(median(rounds.map((each) => each.p99)).toFixed(2))
  }
  return result
})

const program = Effect.gen(function* () {
  const results: Array<Result> = []
  for (const waiting of WAITING) {
    for (const commit of ["single", "grouped"] as const) results.push(yield* measure(waiting, commit))
  }
  return results
})

const results = await Effect.runPromise(program)

const ratio = ({ sendsPerSecond, waiting }: Result): number => {
  const single = results.find((result) => result.waiting === waiting && result.commit === "single")
  return sendsPerSecond / (single?.sendsPerSecond ?? sendsPerSecond)
}

if (process.argv.includes("--json")) {
  console.log(JSON.stringify(results.map((result) => ({ ...result, ratio: Number(ratio(result).toFixed(1)) }))))
} else {
  console.log("A send is open, close and a receipt; every step is answered when it is on the disk.\n")
  console.log("waiting  commit    sends/s  CPU µs a send  p99 of a step  ratio")
  for (const result of results) {
    const { commit, cpuPerSend, p99, sendsPerSecond, waiting } = result
    console.log(
      `${String(waiting).padStart(7)}  ${commit.padEnd(7)}${sendsPerSecond.toLocaleString("en").padStart(10)}` +
        `${cpuPerSend.toFixed(1).padStart(15)}${`${p99.toFixed(1)} ms`.padStart(15)}${`${ratio(result).toFixed(1)}x`.padStart(7)}`
    )
  }
}
