/**
 * Connections to the server: one for the steps of sends, some for everything else.
 */
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import { type ClientConfig, type CustomTypesConfig, Pool, type PoolConfig, types } from "pg"
import type { Address } from "./Address.ts"
import { Failure, closedError, failed, toStoreError, unreachable } from "./failures.ts"

/** In milliseconds. */
const CONNECT_WITHIN = 5_000
/** In milliseconds: a query that takes longer has lost its connection, as far as anybody can tell. */
const ANSWER_WITHIN = 30_000

/** In milliseconds: a connection knows the plans of its queries, and is kept for a while. */
const IDLE_FOR = 300_000

export type Values = ReadonlyArray<unknown>

/** Asks, and answers rows: each a list of columns, of which those that are JSON or numbers come as values. */
export interface Connections {
  /** Asks through the connection that steps have for themselves. Rejects with a `Failure`. */
  readonly step: <Row extends Array<unknown>>(text: string, values: Values) => Promise<ReadonlyArray<Row>>
  /** Asks through any other, again and again while it may help. Whatever is asked must bear being repeated. */
  readonly ask: <Row extends Array<unknown>>(
    text: string,
    values: Values
  ) => Effect.Effect<ReadonlyArray<Row>, StoreError>
}

export const configOf = (address: Address, name: string): ClientConfig => ({
  host: address.host,
  port: address.port,
  user: address.user,
  password: address.password === undefined ? undefined : Redacted.value(address.password),
  database: address.database,
  ssl: address.ssl,
  application_name: address.applicationName ?? name,
  connectionTimeoutMillis: CONNECT_WITHIN,
  query_timeout: ANSWER_WITHIN,
  keepAlive: true,
  types: { getTypeParser }
})

const BIGINT = 20

// Nothing that is stored is larger than a number is exact.
const getTypeParser: CustomTypesConfig["getTypeParser"] = (oid: number, format?: "text" | "binary") =>
  oid === BIGINT ? Number : types.getTypeParser(oid, format)

/** Connects when first asked, and ends every connection with the scope. */
export const make = (config: ClientConfig, size: number): Effect.Effect<Connections, never, Scope> =>
  Effect.gen(function* () {
    const steps = yield* pool({ ...config, max: 1 })
    const others = yield* pool({ ...config, max: Math.max(1, size - 1) })
    let closed = false
    yield* Effect.addFinalizer(() => Effect.sync(() => void (closed = true)))
    return {
      step: <Row extends Array<unknown>>(text: string, values: Values) => query<Row>(steps, text, values),
      ask: <Row extends Array<unknown>>(text: string, values: Values) =>
        Effect.suspend(() =>
          closed ? Effect.fail(closedError()) : persistently(() => query<Row>(others, text, values))
        )
    }
  })

const pool = (config: PoolConfig): Effect.Effect<Pool, never, Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const made = new Pool({ ...config, idleTimeoutMillis: IDLE_FOR })
      // A connection that ends is told to the query that is under way, and is missed by nobody otherwise.
      made.on("error", () => {})
      made.on("connect", (client) => void client.on("error", () => {}))
      return made
    }),
    (made) => Effect.promise(() => made.end())
  )

const query = async <Row extends Array<unknown>>(
  from: Pool,
  text: string,
  values: Values
): Promise<ReadonlyArray<Row>> => {
  const client = await from.connect().catch((error: unknown) => {
    throw unreachable(error)
  })
  try {
    const { rows } = await client.query<Row>({ text, values: [...values], rowMode: "array" })
    client.release()
    return rows
  } catch (error) {
    const failure = failed(error)
    // A connection that does not answer, or did so too late, is of no use to anybody.
    client.release(failure.kind === "lost")
    throw failure
  }
}

/** In milliseconds: how long what may have happened is repeated, and the pauses between. */
const DOUBT_FOR = 10_000
const PAUSES = [20, 50, 100, 200, 400]
/** How often that is repeated which others were in the way of. */
const CONFLICTS = 5

/**
 * Asks again, with the same identifiers, what may have happened: until the server says so, or for ten seconds.
 * What cannot have happened is not waited for, but for those whom others were in the way of.
 */
export const persistently = <A>(ask: () => Promise<A>): Effect.Effect<A, StoreError> =>
  Effect.callback<A, StoreError>((resume) => {
    persist(ask).then(
      (answer) => resume(Effect.succeed(answer)),
      (error: unknown) => resume(error instanceof Doubt ? error.answer : Effect.die(error))
    )
  })

/** The same for those who wait for promises. Rejects with a {@link Doubt}, or with what is no `Failure`. */
export const persist = async <A>(ask: () => Promise<A>): Promise<A> => {
  let doubtedAt: number | null = null
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const failure = error
      if (failure.kind === "lost") doubtedAt ??= performance.now()
      if (!isWorthRepeating(failure, attempt, doubtedAt)) throw new Doubt(failure, doubtedAt !== null)
      await pause(PAUSES[Math.min(attempt, PAUSES.length - 1)] ?? 0)
    }
  }
}

const isWorthRepeating = ({ kind }: Failure, attempt: number, doubtedAt: number | null): boolean => {
  if (kind === "mistake") return false
  if (doubtedAt !== null) return performance.now() - doubtedAt < DOUBT_FOR
  return kind === "conflict" && attempt < CONFLICTS
}

/** A failure, and whether an attempt before it may have happened. */
export class Doubt extends Error {
  readonly failure: Failure
  readonly inDoubt: boolean

  constructor(failure: Failure, inDoubt: boolean) {
    super(failure.message)
    this.failure = failure
    this.inDoubt = inDoubt
  }

  get answer(): Effect.Effect<never, StoreError> {
    if (this.failure.kind === "mistake") return Effect.die(this.failure)
    return Effect.fail(toStoreError(this.failure, this.inDoubt))
  }
}

// A server that starts again is no matter of the program's clock, which a test may have stopped.
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
