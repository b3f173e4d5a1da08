/**
 * The activity of a PostgreSQL server: statements, transactions, bytes of its log, and the waits of its connections.
 * The server is started with {@link settings}.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Client } from "pg"

/** Settings of a server that counts its statements. */
export const settings = { shared_preload_libraries: "pg_stat_statements", "pg_stat_statements.track": "top" }

export interface Counts {
  /** Statements sent by clients. */
  readonly statements: number
  /** Look-ups among these: one for each transaction of steps. */
  readonly lookUps: number
  /** Transactions that wrote. */
  readonly transactions: number
  readonly walBytes: number
  /** Waits for the disk. Backends report them once a second. */
  readonly fsyncs: number
}

/** The shares of their time that all connections running steps together spent in each way. */
export interface Waits {
  readonly busy: number
  /** Waiting for a row or an advisory lock of another connection. */
  readonly lock: number
  /** Waiting for the log to reach the disk, or for the connection that writes it. */
  readonly disk: number
}

export interface Observer {
  readonly counts: () => Promise<Counts>
  /** Samples every 40 ms until the work has ended. */
  readonly waitsDuring: <A>(connections: number, work: Promise<A>) => Promise<readonly [A, Waits]>
  readonly query: Client["query"]
  readonly close: () => Promise<void>
}

const OWN = "%pg_stat%"

export const observe = async (url: string): Promise<Observer> => {
  const client = new Client({ connectionString: url, application_name: "observer" })
  await client.connect()
  await client.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")

  const counts = async (): Promise<Counts> => {
    const { rows } = await client.query<Record<string, string>>(
      `SELECT coalesce(sum(calls), 0) AS statements,
         coalesce(sum(calls) FILTER (WHERE query LIKE '%.look_up(%'), 0) AS lookups,
         pg_snapshot_xmax(pg_current_snapshot()) AS transactions,
         pg_current_wal_insert_lsn() - '0/0' AS wal,
         (SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal') AS fsyncs
       FROM pg_stat_statements WHERE query NOT LIKE $1`,
      [OWN]
    )
    const number = (name: string): number => Number(rows[0]?.[name])
    return {
      statements: number("statements"),
      lookUps: number("lookups"),
      transactions: number("transactions"),
      walBytes: number("wal"),
      fsyncs: number("fsyncs")
    }
  }

  const look = async () => {
    const { rows } = await client.query<Record<keyof Waits, string>>(
      `SELECT count(*) AS busy, count(*) FILTER (WHERE wait_event_type = 'Lock') AS lock,
         count(*) FILTER (WHERE wait_event IN ('WalSync', 'WalWrite', 'WALWrite', 'CommitDelay')) AS disk
       FROM pg_stat_activity WHERE state = 'active' AND query ~ '^(BEGIN|COMMIT)$|[.](look_up|apply)[(]' AND pid <> pg_backend_pid()`
    )
    return { busy: Number(rows[0]?.busy), lock: Number(rows[0]?.lock), disk: Number(rows[0]?.disk) }
  }

  const waitsDuring: Observer["waitsDuring"] = async (connections, work) => {
    const samples: Array<Waits> = []
    const over = { yet: false }
    const end = (): void => void (over.yet = true)
    void work.then(end, end)
    while (!over.yet) {
      samples.push(await look())
      await sleep(40)
    }
    const share = (way: keyof Waits): number =>
      samples.reduce((sum, sample) => sum + sample[way], 0) / (samples.length * connections)
    return [await work, { busy: share("busy"), lock: share("lock"), disk: share("disk") }]
  }

  return { counts, waitsDuring, query: client.query.bind(client), close: () => client.end() }
}

/** The difference of two readings. */
export const between = (before: Counts, after: Counts): Counts => ({
  statements: after.statements - before.statements,
  lookUps: after.lookUps - before.lookUps,
  transactions: after.transactions - before.transactions,
  walBytes: after.walBytes - before.walBytes,
  fsyncs: after.fsyncs - before.fsyncs
})
