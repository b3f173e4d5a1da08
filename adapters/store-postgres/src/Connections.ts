/**
 * Connections to the server, pooled by use: the steps of sends, lists, and all other queries.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import { type CustomTypesConfig, types } from "pg"
import { Failure, closedError } from "./failures.ts"
import { type Config, Hosts } from "./Hosts.ts"
import * as Pools from "./Pools.ts"
import type { Query, Values } from "./Pools.ts"
import type { PostgresUrl } from "./PostgresUrl.ts"
import { retry } from "./retry.ts"
import * as Searches from "./Searches.ts"

/** In milliseconds. */
const CONNECT_TIMEOUT = 5_000
/** In milliseconds: the outcome of a query that takes longer is uncertain. */
const QUERY_TIMEOUT = 30_000
/**
 * The same timeouts with several hosts, for steps and for other queries: a host that is frozen or cut off never
 * answers.
 */
const STEP_TIMEOUT_OF_HOSTS = 5_000
const QUERY_TIMEOUT_OF_HOSTS = 10_000
/** The maximum number of queries that wait for a connection of a pool. */
const MAX_WAITING = 1_000

export interface Connections {
  /**
   * Runs a statement, and a second statement computed from its rows, in one transaction on the connection for steps,
   * and commits. Rejects with a `Failure`.
   */
  readonly transaction: <Row extends Array<unknown>, A>(
    first: Pools.Statement,
    decide: Pools.Decide<Row, A>
  ) => Promise<A>
  /** Runs a fast list query. Stops waiting for its answer at the time limit. */
  readonly look: Ask
  /**
   * Runs any other list query, on a connection for such queries. The server cancels it at the time limit, and when the
   * fiber is interrupted. Each account may run a limited number of them at a time.
   */
  readonly search: <Row extends Array<unknown>>(
    account: AccountId,
    text: string,
    values: Values
  ) => Effect.Effect<ReadonlyArray<Row>, StoreError>
  /** Runs a query on any other connection. Rejects with a `Failure`. */
  readonly query: Query
  /** Runs a query that may be repeated, on any other connection, and repeats it as {@link retry} does. */
  readonly ask: Ask
}

type Ask = <Row extends Array<unknown>>(text: string, values: Values) => Effect.Effect<ReadonlyArray<Row>, StoreError>

export interface Options {
  /** The maximum number of connections. */
  readonly connections: number
  /** The time limit of {@link Connections.search} in milliseconds. */
  readonly listTimeLimit: number
  /** The maximum number of calls of {@link Connections.search} that wait for a connection. */
  readonly waitingLists: number
  /** The maximum number of calls of {@link Connections.search} by one account at a time. */
  readonly waitingListsOfAccount: number
}

export const configOf = (url: PostgresUrl, name: string): Config => ({
  hosts:
    url.others.length === 0 && !url.isPrimary
      ? null
      : new Hosts([url, ...url.others].map(({ host, port, ssl }) => ({ host, port, ssl }))),
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

// Every stored number is small enough for a JavaScript number to represent exactly.
const getTypeParser: CustomTypesConfig["getTypeParser"] = (oid: number, format?: "text" | "binary") =>
  oid === BIGINT ? Number : types.getTypeParser(oid, format)

/** Connects on first use, and ends every connection when the scope closes. */
export const make = (
  config: Config,
  { connections, listTimeLimit, waitingLists, waitingListsOfAccount }: Options
): Effect.Effect<Connections, never, Scope> =>
  Effect.gen(function* () {
    const reading = Math.max(1, (connections - 1) >> 1)
    const within = (timeout: number) => (config.hosts === null ? config : { ...config, query_timeout: timeout })
    const steps = yield* Pools.make({ ...within(STEP_TIMEOUT_OF_HOSTS), max: 1, pipeline: true }, MAX_WAITING)
    const connectionTimeoutMillis = Math.max(CONNECT_TIMEOUT, listTimeLimit)
    const lists = yield* Pools.make({ ...config, connectionTimeoutMillis, max: reading }, waitingLists)
    const others = yield* Pools.make(
      { ...within(QUERY_TIMEOUT_OF_HOSTS), max: Math.max(1, connections - 1 - reading) },
      MAX_WAITING
    )
    let closed = false
    yield* Effect.addFinalizer(() => Effect.sync(() => void (closed = true)))

    const one =
      (from: Pools.Bounded): Query =>
      (text, values) =>
        Pools.withClient(from, (query) => query(text, values))

    const orFail = <A>(attempt: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, StoreError> =>
      Effect.suspend(() =>
        closed
          ? Effect.fail(closedError())
          : Effect.tryPromise({ try: attempt, catch: (error) => error }).pipe(Effect.catch(failWith))
      )

    const timeLimit = listTimeLimit
    const inTime = Effect.timeoutOrElse({
      duration: timeLimit,
      orElse: () => Effect.fail(Searches.tooLong(timeLimit))
    })
    const search = Searches.make(lists, one(others), { timeLimit, ofAccount: waitingListsOfAccount })

    return {
      transaction: (first, decide) => Pools.withClient(steps, (query) => Pools.inTwoTrips(query, first, decide)),
      query: one(others),
      look: <Row extends Array<unknown>>(text: string, values: Values) =>
        inTime(orFail(() => one(others)<Row>(text, values))),
      search: <Row extends Array<unknown>>(account: AccountId, text: string, values: Values) =>
        inTime(orFail((signal) => search<Row>(account, text, values, signal))),
      ask: <Row extends Array<unknown>>(text: string, values: Values) =>
        orFail(() => retry(() => one(others)<Row>(text, values)))
    }
  })

/** The port's error for a failure; a mistake in this program is a defect. */
export const failWith = (error: unknown): Effect.Effect<never, StoreError> => {
  if (error instanceof StoreError) return Effect.fail(error)
  if (!(error instanceof Failure) || (error.kind === "mistake" && !error.uncertain)) return Effect.die(error)
  return Effect.fail(error.toStoreError())
}
