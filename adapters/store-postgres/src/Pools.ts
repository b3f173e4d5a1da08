/**
 * Pools of connections, and queries on one of their connections.
 */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { Pool, type PoolClient, type PoolConfig } from "pg"
import { Failure, failed } from "./failures.ts"
import { type Config, HostClient, type Hosts, fromPool, ofPool } from "./Hosts.ts"

/** In milliseconds: an idle connection is kept for its plans. */
const IDLE_TIMEOUT = 300_000

/** In milliseconds: what takes longer may have waited for a standby that was promoted. */
const SLOW = 500

export type Values = ReadonlyArray<unknown>

/** Runs a query, and resolves to its rows: each a list of columns, with JSON and numbers as values. */
export type Query = <Row extends Array<unknown>>(text: string, values?: Values) => Promise<ReadonlyArray<Row>>

/** A pool, and how many queries may wait for its connections. */
export interface Bounded {
  readonly pool: Pool
  readonly hosts: Hosts | null
  readonly max: number
}

/** A pool that ends every connection with the scope. */
export const make = (config: Config & PoolConfig, max: number): Effect.Effect<Bounded, never, Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const made = new Pool({ ...ofPool(config), idleTimeoutMillis: IDLE_TIMEOUT })
      // The query under way fails when its connection ends; an idle connection is replaced.
      made.on("error", () => {})
      made.on("connect", (client) => void client.on("error", () => {}))
      return { pool: made, hosts: config.hosts, max }
    }),
    ({ pool: made }) => Effect.promise(() => made.end())
  )

const tooMany = (max: number) => new Failure("unavailable", `${max} queries wait for a connection already`)

/** Runs queries on a connection of a pool, which goes back to it unless its state is not known. */
export const withClient = async <A>(
  { hosts, max, pool: from }: Bounded,
  run: (query: Query) => Promise<A>
): Promise<A> => {
  if (from.waitingCount >= max) throw tooMany(max)
  const client = await fromPool(hosts, from)
  const since = performance.now()
  let isUsable = true
  try {
    const answer = await run(queryOn(client))
    if (client instanceof HostClient && performance.now() - since > SLOW) await client.confirm()
    return answer
  } catch (error) {
    const failure = error instanceof NotRolledBack ? error.failure : error
    const hasFailed = failure instanceof Failure && (failure.kind === "lost" || failure.kind === "standby")
    isUsable = failure === error && !hasFailed
    if (hasFailed && client instanceof HostClient) client.leave()
    throw failure
  } finally {
    client.release(!isUsable)
  }
}

const queryOn =
  (client: PoolClient): Query =>
  async <Row extends Array<unknown>>(text: string, values: Values = []) => {
    try {
      const { rows } = await client.query<Row>({ text, values: [...values], rowMode: "array" })
      return rows
    } catch (error) {
      throw failed(error)
    }
  }

/** A failure that leaves the connection in a state that is not known. */
export class NotRolledBack {
  readonly failure: unknown

  constructor(failure: unknown) {
    this.failure = failure
  }
}

export const inTransaction = <A>(query: Query, begin: string, run: (query: Query) => Promise<A>): Promise<A> =>
  orRollBack(query, async () => {
    await query(begin)
    const answer = await run(query)
    await query("COMMIT")
    return answer
  })

const orRollBack = async <A>(query: Query, run: () => Promise<A>): Promise<A> => {
  try {
    return await run()
  } catch (error) {
    await query("ROLLBACK").catch(() => {
      throw new NotRolledBack(error)
    })
    throw error
  }
}

export interface Statement {
  readonly text: string
  readonly values: Values
}

/** Decides on the rows of a transaction's first statement: what its last one is, if there is one, and the answer. */
export type Decide<Row, A> = (rows: ReadonlyArray<Row>) => { readonly last: Statement | null; readonly answer: A }

/** Runs a transaction of two statements on a connection in pipeline mode: two round trips. */
export const inTwoTrips = <Row extends Array<unknown>, A>(
  query: Query,
  first: Statement,
  decide: Decide<Row, A>
): Promise<A> =>
  orRollBack(query, async () => {
    const [, rows] = await Promise.all([query("BEGIN"), query<Row>(first.text, first.values)])
    const { answer, last } = decide(rows)
    // Where the last one fails, the server rolls back instead of the commit.
    await Promise.all([last && query(last.text, last.values), query("COMMIT")])
    return answer
  })
