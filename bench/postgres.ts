/**
 * Measures a send in the PostgreSQL store (open, close and a receipt) with several senders waiting, compared with
 * steps that are transactions of single statements on a pool of ten connections. The server and this process share the
 * machine. Run with `npm run bench -- postgres`.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { type AccountId, nextAccountId, nextDeliveryId, nextEntryId, nextProcessId } from "@watchword/schemas/Ids"
import { MicroEuros, PositiveMicroEuros } from "@watchword/schemas/Money"
import { PostgresStore } from "@watchword/store-postgres"
import { Store } from "@watchword/store/Store"
import { FINE_WIDTH, WIDTH } from "@watchword/store/sql"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync, readdirSync } from "node:fs"
import { Pool, type PoolClient } from "pg"
import { start } from "../test/PostgresServer.ts"
import { someAccount } from "../test/accounts.ts"

const ways = ["transaction", "store"] as const
type Way = (typeof ways)[number]

interface Result {
  readonly waiting: number
  readonly way: Way
  readonly sendsPerSecond: number
  /** Microseconds per send of this process and of the server's processes. */
  readonly cpuHere: number
  readonly cpuServer: number
  /** Milliseconds of one step. */
  readonly p99: number
}

const ROUNDS = 3
const WAITING = [1, 50, 200]
const ACCOUNTS = 20
const SCHEMA = "bench"
const PRICE = 50_000
const SMS = ChannelRegistry.make(ChannelRegistry.builtIn).codeOf("sms")
const details = { encoding: "gsm7" }

const sendsFor = (waiting: number, way: Way): number => (waiting === 1 ? 500 : way === "store" ? 6_000 : 2_000)

/** One send; its steps are three calls. */
interface Send {
  readonly account: AccountId
  readonly id: ReturnType<typeof nextDeliveryId>
  readonly ref: string
  readonly at: number
}

interface Verbs {
  readonly open: (send: Send) => Effect.Effect<unknown>
  readonly close: (send: Send) => Effect.Effect<unknown>
  readonly report: (send: Send) => Effect.Effect<unknown>
}

// Carriers' message ids are unordered.
let drawn = 1
const nextRef = (): string => {
  drawn = Math.imul(drawn, 1_664_525) + 1_013_904_223
  return (drawn >>> 0).toString(16).padStart(8, "0") + (Math.imul(drawn, 22_695_477) >>> 0).toString(16)
}

const owner = nextProcessId(0)

const byStore = (store: Store["Service"]): Verbs => ({
  open: ({ account, at, id }) =>
    expecting(
      "Opened",
      store.open({
        delivery: {
          id,
          account,
          mode: "live",
          channel: "sms",
          to: recipient(at),
          from: "Watchword",
          status: { name: "sent", rank: 0 },
          price: MicroEuros.make(PRICE),
          parts: 1,
          reference: at & 0xffff,
          details
        },
        claims: [],
        owner,
        at
      })
    ),
  close: ({ at, id, ref }) =>
    expecting(
      "Closed",
      store.close({ id, outcome: "accepted", status: { name: "sent", rank: 1 }, refs: [ref], details: {}, at })
    ),
  report: ({ at, ref }) =>
    expecting(
      "Moved",
      store.report({
        target: { _tag: "Part", channel: "sms", refs: [ref], message: { to: null, reference: null } },
        status: { name: "delivered", rank: 2 },
        when: {},
        details: receipt,
        everyPart: true,
        refund: false,
        at
      })
    )
})

const recipient = (at: number): string => `+4915${String(at).slice(-9)}`
const receipt = { carrier_status: "DELIVRD", carrier_error: "000" }

const expecting = <E>(tag: string, step: Effect.Effect<{ readonly _tag: string }, E>): Effect.Effect<void> =>
  Effect.map(Effect.orDie(step), ({ _tag }) => {
    if (_tag !== tag) throw new Error(`a send went wrong: ${_tag}`)
  })

/** The same changes to the same tables, each as a statement of its own between BEGIN and COMMIT. */
const byTransaction = (pool: Pool): Verbs => {
  const transaction = (steps: (client: PoolClient) => Promise<void>) =>
    Effect.promise(async () => {
      const client = await pool.connect()
      await client.query("BEGIN")
      await steps(client)
      await client.query("COMMIT")
      client.release()
    })
  const post = async (client: PoolClient, account: number, kind: number, id: string, at: number) => {
    const { rows } = await client.query(
      `UPDATE ${SCHEMA}.accounts SET available = available - $2, held = held + $3, entries = entries + 1
       WHERE n = $1 RETURNING entries`,
      kind === 1 ? [account, PRICE, PRICE] : [account, 0, -PRICE]
    )
    await client.query(
      `INSERT INTO ${SCHEMA}.entries (account, n, delivery, kind, amount, at) VALUES ($1, $2, $3, $4, $5, $6)`,
      [account, rows[0].entries, id, kind, PRICE, at]
    )
  }
  const count = (client: PoolClient, account: number, at: number, status: string, change: number) =>
    client.query(
      `INSERT INTO ${SCHEMA}.counts SELECT $1, 0, ${SMS}, width, $2::bigint / width, $3, $4
       FROM (VALUES (${WIDTH}), (${FINE_WIDTH})) w(width)
       ON CONFLICT (account, mode, channel, width, bucket, status) DO UPDATE SET n = counts.n + excluded.n`,
      [account, at, status, change]
    )
  const locked = async (client: PoolClient, id: string) => {
    await client.query(
      `SELECT FROM ${SCHEMA}.accounts WHERE n = (SELECT account FROM ${SCHEMA}.deliveries WHERE id = $1)
       FOR NO KEY UPDATE`,
      [id]
    )
    return (await client.query(`SELECT * FROM ${SCHEMA}.deliveries WHERE id = $1`, [id])).rows[0]
  }
  const write = (
    client: PoolClient,
    id: string,
    phase: number,
    status: string,
    rank: number,
    news: object,
    at: number
  ) =>
    client.query(
      `UPDATE ${SCHEMA}.deliveries SET phase = $2, status = $3, rank = $4, details = details || $5, status_at = $6
       WHERE id = $1`,
      [id, phase, status, rank, JSON.stringify(news), at]
    )
  return {
    open: ({ account, at, id }) =>
      transaction(async (client) => {
        const { rows } = await client.query(
          `SELECT n, available FROM ${SCHEMA}.accounts WHERE id = $1 FOR NO KEY UPDATE`,
          [account]
        )
        const { n, available } = rows[0]
        if (Number(available) < PRICE) throw new Error("a send went wrong")
        await client.query(
          `INSERT INTO ${SCHEMA}.deliveries (id, account, mode, channel, recipient, sender, phase, status, rank, price,
             parts, named, reference, created_at, status_at, details, owner)
           VALUES ($1, $2, 0, ${SMS}, $3, 'Watchword', 0, 'sent', 0, $4, 1, 0, $5, $6, $6, $7, $8)`,
          [id, n, recipient(at), PRICE, at & 0xffff, at, JSON.stringify(details), owner]
        )
        await post(client, n, 1, id, at)
        await count(client, n, at, "sent", 1)
      }),
    close: ({ at, id, ref }) =>
      transaction(async (client) => {
        const { account, phase } = await locked(client, id)
        if (phase !== 0) throw new Error("a send went wrong")
        await write(client, id, 2, "sent", 1, {}, at)
        await post(client, account, 2, id, at)
        await client.query(`INSERT INTO ${SCHEMA}.parts VALUES (${SMS}, $1, $2) ON CONFLICT DO NOTHING`, [ref, id])
        await client.query(`SELECT FROM ${SCHEMA}.unmatched_refs WHERE channel = ${SMS} AND ref = $1`, [ref])
      }),
    report: ({ at, ref }) =>
      transaction(async (client) => {
        const { rows } = await client.query(
          `SELECT delivery FROM ${SCHEMA}.parts WHERE channel = ${SMS} AND ref = $1`,
          [ref]
        )
        const { delivery } = rows[0]
        const { account, rank, status_at } = await locked(client, delivery)
        if (rank !== 1) throw new Error("a send went wrong")
        await write(client, delivery, 2, "delivered", 2, receipt, at)
        await count(client, account, Number(status_at), "sent", -1)
        await count(client, account, at, "delivered", 1)
      })
  }
}

/** `waiting` concurrent senders, until `sends` are sent. */
const round = Effect.fnUntraced(function* (
  verbs: Verbs,
  accounts: ReadonlyArray<AccountId>,
  waiting: number,
  sends: number
) {
  const latencies: Array<number> = []
  const timed = (step: Effect.Effect<unknown>) =>
    Effect.suspend(() => {
      const begun = performance.now()
      return Effect.map(step, () => void latencies.push(performance.now() - begun))
    })
  let left = sends
  const sender = Effect.gen(function* () {
    while (left > 0) {
      left -= 1
      const at = Date.now()
      const account = accounts[left % accounts.length] ?? nextAccountId(at)
      const send = { account, id: nextDeliveryId(at), ref: nextRef(), at }
      yield* timed(verbs.open(send))
      yield* timed(verbs.close(send))
      yield* timed(verbs.report(send))
    }
  })
  const begun = performance.now()
  const cpu = process.cpuUsage()
  const cpuServer = serverCpu()
  yield* Effect.all(
    Array.from({ length: waiting }, () => sender),
    { concurrency: "unbounded", discard: true }
  )
  const { system, user } = process.cpuUsage(cpu)
  const seconds = (performance.now() - begun) / 1000
  latencies.sort((a, b) => a - b)
  return {
    sendsPerSecond: sends / seconds,
    cpuHere: (user + system) / sends,
    cpuServer: (serverCpu() - cpuServer) / sends,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0
  }
})

/** Microseconds that all of the server's processes have used; Linux counts in hundredths of a second. */
const serverCpu = (): number => {
  const pid = String(server.pid())
  const used = readdirSync("/proc").map((process) => {
    if (!/^\d+$/.test(process)) return 0
    const stat = statOf(process)
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return process === pid || fields[1] === pid ? Number(fields[11]) + Number(fields[12]) : 0
  })
  return used.reduce((sum, ticks) => sum + ticks, 0) * 10_000
}

const statOf = (process: string): string => {
  try {
    return readFileSync(`/proc/${process}/stat`, "utf8")
  } catch {
    return ""
  }
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const measure = Effect.fnUntraced(function* (verbs: Verbs, waiting: number, way: Way) {
  const store = yield* Store
  const accounts = Array.from({ length: ACCOUNTS }, () => nextAccountId(Date.now()))
  for (const id of accounts) {
    const at = Date.now()
    yield* store.createAccount(someAccount({ id, createdAt: at }))
    yield* store.credit({ id: nextEntryId(at), account: id, amount: PositiveMicroEuros.make(10 ** 13), at })
  }
  const sends = sendsFor(waiting, way)
  yield* round(verbs, accounts, waiting, sends >> 2)
  const rounds = yield* Effect.forEach(Array.from({ length: ROUNDS }), () => round(verbs, accounts, waiting, sends))
  const result: Result = {
    waiting,
    way,
    sendsPerSecond: Math.round(median(rounds.map((each) => each.sendsPerSecond))),
    cpuHere: Math.round(median(rounds.map((each) => each.cpuHere))),
    cpuServer: Math.round(median(rounds.map((each) => each.cpuServer))),
    p99: Number(median(rounds.map((each) => each.p99)).toFixed(2))
  }
  return result
})

const server = await start({ durable: true })
const pool = new Pool({ connectionString: server.url, max: 10 })
// Connections outlive the pool by a moment, and the server ends before they do.
pool.on("error", () => {})

const program = Effect.gen(function* () {
  const verbs = { transaction: byTransaction(pool), store: byStore(yield* Store) }
  const results: Array<Result> = []
  for (const waiting of WAITING) for (const way of ways) results.push(yield* measure(verbs[way], waiting, way))
  return results
})

const results = await Effect.runPromise(
  Effect.provide(
    program,
    Layer.provide(PostgresStore.layer({ url: server.url, schema: SCHEMA }), ChannelRegistry.layerBuiltIn)
  )
)
await pool.end()
await server.stop()

const ratio = ({ sendsPerSecond, waiting }: Result): number => {
  const rival = results.find((result) => result.waiting === waiting && result.way === "transaction")
  return sendsPerSecond / (rival?.sendsPerSecond ?? sendsPerSecond)
}

if (process.argv.includes("--json")) {
  console.log(JSON.stringify(results.map((result) => ({ ...result, ratio: Number(ratio(result).toFixed(1)) }))))
} else {
  console.log("A send is open, close and a receipt; every step is answered when it is on the server's disk.\n")
  console.log("waiting  a step is a    sends/s  CPU µs a send here + server  p99 of a step  ratio")
  for (const result of results) {
    const { cpuHere, cpuServer, p99, sendsPerSecond, waiting, way } = result
    console.log(
      `${String(waiting).padStart(7)}  ${way.padEnd(11)}${sendsPerSecond.toLocaleString("en").padStart(11)}` +
        `${`${cpuHere} + ${cpuServer}`.padStart(29)}${`${p99.toFixed(1)} ms`.padStart(15)}` +
        `${`${ratio(result).toFixed(1)}x`.padStart(7)}`
    )
  }
}
