/**
 * Connections to the server, in pools by their use: the steps of sends, lists, and all other queries.
 */
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { type ClientConfig, type CustomTypesConfig, Pool, type PoolClient, type PoolConfig, types } from "pg"
import { Failure, closedError, failed, unreachable } from "./failures.ts"
import type { PostgresUrl } from "./PostgresUrl.ts"
import { retry } from "./retry.ts"

/** In milliseconds. */
const CONNECT_TIMEOUT = 5_000
/** In milliseconds: the outcome of a query that takes longer is uncertain. */
const QUERY_TIMEOUT = 30_000
/** In milliseconds: an idle connection is kept for its plans. */
const IDLE_TIMEOUT = 300_000
/** How many queries may wait for a connection of a pool. */
const MAX_WAITING = 1_000

export type Values = ReadonlyArray<unknown>

/** Runs a query, and resolves to its rows: each a list of columns, with JSON and numbers as values. */
export type Query = <Row extends Array<unknown>>(text: string, values?: Values) => Promise<ReadonlyArray<Row>>

export interface Connections {
  /** Runs a query on the connection of the steps. Rejects with a `Failure`, as {@link Connections.transaction} does. */
  readonly step: Query
  /** Runs queries in one transaction on the connection of the steps, and commits. */
  readonly transaction: <A>(run: (query: Query) => Promise<A>) => Promise<A>
  /**
   * Runs a query that only reads, on a connection of the lists. The server cancels it past the time limit, and when the
   * fiber is interrupted.
   */
  readonly read: Ask
  /** Runs a query that may be repeated, on any other connection, and repeats it as {@link retry} does. */
  readonly ask: Ask
  /**
   * Runs a query that a client without a valid key can cause, as {@link Connections.ask} does. Such queries take half of
   * the other connections at most.
   */
  readonly askUntrusted: Ask
}

type Ask = <Row extends Array<unknown>>(text: string, values: Values) => Effect.Effect<ReadonlyArray<Row>, StoreError>

export interface Options {
  /** The most connections. */
  readonly connections: number
  /** The longest that {@link Connections.read} may take, in milliseconds. */
  readonly listTimeLimit: number
  /** The most calls of {@link Connections.read} that wait for a connection. */
  readonly waitingLists: number
}

export const configOf = (url: PostgresUrl, name: string): ClientConfig => ({
  host: url.host,
  port: url.port,
  user: url.user,
  password: url.password === undefined ? undefined : Redacted.value(url.password),
  database: url.database,
  ssl: url.ssl,
  application_name: url.applicationName ?? name,
  connectionTimeoutMillis: CONNECT_TIMEOUT,
  query_timeout: QUERY_TIMEOUT,
  keepAlive: true,
  types: { getTypeParser }
})

const BIGINT = 20

// No stored number is larger than a number is exact.
const getTypeParser: CustomTypesConfig["getTypeParser"] = (oid: number, format?: "text" | "binary") =>
  oid === BIGINT ? Number : types.getTypeParser(oid, format)

/** Connects on first use, and ends every connection with the scope. */
export const make = (
  config: ClientConfig,
  { connections, listTimeLimit, waitingLists }: Options
): Effect.Effect<Connections, never, Scope> =>
  Effect.gen(function* () {
    const reading = Math.max(1, (connections - 1) >> 1)
    const steps = yield* pool({ ...config, max: 1 }, MAX_WAITING)
    const connectionTimeoutMillis = Math.max(CONNECT_TIMEOUT, listTimeLimit)
    const lists = yield* pool({ ...config, connectionTimeoutMillis, max: reading }, waitingLists)
    const otherConnections = Math.max(1, connections - 1 - reading)
    const others = yield* pool({ ...config, max: otherConnections }, MAX_WAITING)
    const untrusted = yield* limiter(Math.max(1, otherConnections >> 1), MAX_WAITING)
    let closed = false
    yield* Effect.addFinalizer(() => Effect.sync(() => void (closed = true)))

    const one =
      (from: Bounded): Query =>
      (text, values) =>
        withClient(from, (query) => query(text, values))

    const orFail = <A>(attempt: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, StoreError> =>
      Effect.suspend(() =>
        closed
          ? Effect.fail(closedError())
          : Effect.tryPromise({ try: attempt, catch: (error) => error }).pipe(Effect.catch(failWith))
      )

    const ask: Ask = <Row extends Array<unknown>>(text: string, values: Values) =>
      orFail(() => retry(() => one(others)<Row>(text, values)))

    return {
      step: one(steps),
      transaction: (run) => withClient(steps, (query) => inTransaction(query, "BEGIN", run)),
      read: <Row extends Array<unknown>>(text: string, values: Values) =>
        orFail((signal) =>
          withClient(lists, (query) =>
            inTransaction(query, "BEGIN READ ONLY", async () => {
              const pid = await limited(query, listTimeLimit)
              return await cancellable(() => query<Row>(text, values), pid, signal, one(others))
            })
          ).catch((error: unknown) => {
            throw error instanceof Failure && error.kind === "cancelled" ? tooLong(listTimeLimit) : error
          })
        ).pipe(Effect.timeoutOrElse({ duration: listTimeLimit, orElse: () => Effect.fail(tooLong(listTimeLimit)) })),
      ask,
      askUntrusted: (text, values) => untrusted(ask(text, values))
    }
  })

const tooLong = (listTimeLimit: number): StoreError =>
  new StoreError({ reason: "TimeLimit", message: `A list took longer than ${listTimeLimit} ms.` })

/** The port's error for a failure; a mistake of this program is a defect. */
export const failWith = (error: unknown): Effect.Effect<never, StoreError> => {
  if (error instanceof StoreError) return Effect.fail(error)
  if (!(error instanceof Failure) || (error.kind === "mistake" && !error.uncertain)) return Effect.die(error)
  return Effect.fail(error.toStoreError())
}

/** Runs so many queries at a time; each of the others waits, or fails when too many wait already. */
const limiter = (permits: number, max: number) =>
  Effect.map(Semaphore.make(permits), (semaphore) => {
    let queued = 0
    return <A>(query: Effect.Effect<A, StoreError>): Effect.Effect<A, StoreError> =>
      Effect.suspend(() => {
        if (queued >= permits + max) return Effect.fail(tooMany(max).toStoreError())
        queued++
        // A query that has begun keeps its connection when the client has gone.
        return Effect.ensuring(
          semaphore.withPermit(Effect.uninterruptible(query)),
          Effect.sync(() => queued--)
        )
      })
  })

/** A pool, and how many queries may wait for its connections. */
interface Bounded {
  readonly pool: Pool
  readonly max: number
}

const pool = (config: PoolConfig, max: number): Effect.Effect<Bounded, never, Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const made = new Pool({ ...config, idleTimeoutMillis: IDLE_TIMEOUT })
      // The query under way fails when its connection ends; an idle connection is replaced.
      made.on("error", () => {})
      made.on("connect", (client) => void client.on("error", () => {}))
      return { pool: made, max }
    }),
    ({ pool: made }) => Effect.promise(() => made.end())
  )

const tooMany = (max: number) => new Failure("unavailable", `${max} queries wait for a connection already`)

const withClient = async <A>({ max, pool: from }: Bounded, run: (query: Query) => Promise<A>): Promise<A> => {
  if (from.waitingCount >= max) throw tooMany(max)
  const client = await from.connect().catch((error: unknown) => {
    throw unreachable(error)
  })
  let isUsable = true
  try {
    return await run(queryOn(client))
  } catch (error) {
    const failure = error instanceof NotRolledBack ? error.failure : error
    isUsable = failure === error && !(failure instanceof Failure && failure.kind === "lost")
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
class NotRolledBack {
  readonly failure: unknown

  constructor(failure: unknown) {
    this.failure = failure
  }
}

const inTransaction = async <A>(query: Query, begin: string, run: (query: Query) => Promise<A>): Promise<A> => {
  await query(begin)
  let answer: A
  try {
    answer = await run(query)
  } catch (error) {
    await query("ROLLBACK").catch(() => {
      throw new NotRolledBack(error)
    })
    throw error
  }
  await query("COMMIT")
  return answer
}

/** Bounds the statements of a transaction, and answers the process of the server that runs them. */
const limited = async (query: Query, timeout: number): Promise<number | undefined> => {
  const [row] = await query<[pid: number, setting: string]>(
    "SELECT pg_backend_pid(), set_config('statement_timeout', $1, true)",
    [String(Math.max(1, Math.round(timeout)))]
  )
  return row?.[0]
}

/** Runs a statement of a process of the server, and has the server cancel it when the signal is aborted. */
const cancellable = async <A>(
  run: () => Promise<A>,
  pid: number | undefined,
  signal: AbortSignal,
  elsewhere: Query
): Promise<A> => {
  if (signal.aborted) throw interrupted()
  const sent: Array<Promise<unknown>> = []
  const cancel = (): void => void sent.push(elsewhere("SELECT pg_cancel_backend($1)", [pid]).catch(() => {}))
  signal.addEventListener("abort", cancel, { once: true })
  const settled = await run().then(
    (answer) => () => answer,
    (error: unknown) => (): never => {
      throw error
    }
  )
  signal.removeEventListener("abort", cancel)
  await Promise.all(sent)
  // A cancellation may arrive after the statement that it was sent for, so the connection is not used again.
  if (sent.length > 0) throw new NotRolledBack(interrupted())
  return settled()
}

const interrupted = () => new Failure("unavailable", "the query was interrupted")
