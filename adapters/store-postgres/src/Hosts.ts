/**
 * The hosts of one database, one of which is the primary: connections lead to it, and follow it to another host.
 *
 * node-postgres connects to one host. Here the hosts are tried in turn, starting after the last that failed, and each
 * is asked whether it accepts writes: otherwise a former primary that is first in the list would catch every attempt.
 * Connections to a single host are plain connections, without such a check.
 *
 * Source: PostgreSQL 18 manual, 32.1.1.3 Specifying Multiple Hosts.
 */
import type { ConnectionOptions } from "node:tls"
import { Client, type ClientConfig, DatabaseError, type Pool, type PoolClient, type PoolConfig } from "pg"
import { Failure, unreachable } from "./failures.ts"

export interface Host {
  readonly host: string | undefined
  readonly port: number | undefined
  readonly ssl: false | ConnectionOptions
}

/**
 * The history of a server: when a standby is promoted, it starts a timeline with a higher number than its primary's.
 */
export interface History {
  /** Identifies a primary and all its standbys. */
  readonly system: string
  readonly timeline: number
}

/** The hosts of a database, including the last known primary. */
export class Hosts {
  readonly all: ReadonlyArray<Host>
  private at = 0
  private newest: History | null = null
  readonly clients = new Set<HostClient>()

  constructor(all: ReadonlyArray<Host>) {
    this.all = all
  }

  get current(): Host | undefined {
    return this.all[this.at]
  }

  /** Whether a newer primary than the host with this history is known. */
  isPast(history: History | null): boolean {
    return isNewer(this.newest, history)
  }

  /** Moves on to the next host, unless another connection has already done so. */
  failed(host: Host | undefined): void {
    if (host === this.current) this.at = (this.at + 1) % this.all.length
  }

  /**
   * Accepts a host as the primary; returns `false` if another host has been promoted since, so that its writes would be
   * lost. If the host itself was promoted since, connections to other hosts are ended: a former primary that is frozen,
   * or is waiting for a standby that has left it, would keep them waiting.
   */
  takes(at: Host | undefined, history: History | null): boolean {
    if (history === null) return true
    const { newest } = this
    const isSame = newest?.system === history.system
    if (isSame && history.timeline < newest.timeline) return false
    this.newest = history
    if (isSame && history.timeline > newest.timeline) {
      this.at = this.all.findIndex((host) => host === at)
      for (const other of this.clients) if (other.isLeft) other.destroy()
    }
    return true
  }
}

/** Options for connections; `hosts` is null if there is a single host. */
export interface Config extends ClientConfig {
  readonly hosts: Hosts | null
}

/** In milliseconds: how long one of several hosts may take to accept a connection. */
const PATIENCE = 1_500

/** A connection to the last known primary. */
export class HostClient extends Client {
  readonly at: Host | undefined
  private readonly hosts: Hosts
  private readonly given: ClientConfig
  private isChecked = false
  private history: History | null = null

  constructor(hosts: Hosts, config: ClientConfig) {
    const at = hosts.current
    super({ ...config, ...at, connectionTimeoutMillis: PATIENCE })
    this.given = config
    this.hosts = hosts
    this.at = at
    hosts.clients.add(this)
    // The server or the network ended the connection. The query in progress fails with it.
    this.on("error", () => this.leave())
    this.on("end", () => void hosts.clients.delete(this))
  }

  /** Whether connections now lead to another host. */
  get isLeft(): boolean {
    return this.hosts.current !== this.at
  }

  /**
   * Ends the connection, with any query or connection attempt in progress, without waiting for a host that may be
   * frozen.
   */
  destroy(): void {
    this.connection.stream.destroy(new Error("another host is the primary"))
  }

  /** Makes later connections try another host. */
  leave(): void {
    this.hosts.failed(this.at)
  }

  /**
   * Fails if the host accepts no writes, or is a former primary that does not know it yet. Each connection is checked
   * once.
   */
  async check(): Promise<void> {
    if (this.isChecked) return
    const history = await historyOf(this)
    if (!this.hosts.takes(this.at, history)) throw new Failure("unavailable", NO_PRIMARY)
    this.history = history
    this.isChecked = true
  }

  /**
   * Fails if another host has been promoted meanwhile. A commit that waits for its standby is answered as soon as the
   * server is configured not to wait: Patroni configures it so when it restarts next to a former primary, before it
   * ends that primary.
   */
  async confirm(): Promise<void> {
    const others = this.hosts.all.filter((host) => host !== this.at)
    const found = await Promise.all(
      others.map(async (host) => ({ host, history: await historyAt(this.given, host).catch(() => null) }))
    )
    for (const { history, host } of found) if (isNewer(history, this.history)) this.hosts.takes(host, history)
    if (this.hosts.isPast(this.history)) throw new Failure("lost", PROMOTED)
  }
}

/** The reason for leaving a host that accepts no writes, or whose writes would be lost. */
const NO_PRIMARY = "no host that answers is a primary"

/** The reason why an answer no longer counts. */
const PROMOTED = "another host has been promoted"

/** Whether a history continues after another one ended. */
export const isNewer = (history: History | null, than: History | null): boolean =>
  history !== null && history.system === than?.system && history.timeline > than.timeline

/** The history of a server that accepts writes, or null if it does not reveal it. Fails if it accepts no writes. */
const historyOf = async (client: Client): Promise<History | null> => {
  const { rows } = await client.query<{ readonly writes: boolean }>(
    soon("SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS writes")
  )
  if (rows[0]?.writes !== true) throw new Failure("unavailable", NO_PRIMARY)
  try {
    const { rows } = await client.query<{ readonly system: string; readonly timeline: string }>(
      soon(
        `SELECT system_identifier::text AS system, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline
         FROM pg_control_system()`
      )
    )
    const [row] = rows
    return row === undefined ? null : { system: row.system, timeline: Number.parseInt(row.timeline, 16) }
  } catch (error) {
    // Some services hide the log from their users.
    if (error instanceof DatabaseError) return null
    throw error
  }
}

/**
 * The history of a host, queried on a separate connection. Rejects with the error of the query or of the connection.
 */
export const historyAt = async (config: ClientConfig, host: Host, patience = PATIENCE): Promise<History | null> => {
  const client = new Client({ ...config, ...host, connectionTimeoutMillis: patience })
  client.on("error", () => {})
  try {
    await client.connect()
    return await historyOf(client)
  } finally {
    client.end().catch(() => {})
  }
}

/** A query that a host has to answer in time. */
const soon = (text: string) => ({ text, query_timeout: PATIENCE })

/** Options of a pool whose connections lead to the primary; a single host needs no special options. */
export const ofPool = ({ hosts, ...config }: Config): PoolConfig => (hosts === null ? config : toHosts(hosts, config))

const toHosts = (hosts: Hosts, config: ClientConfig): PoolConfig => ({
  ...config,
  Client: class extends HostClient {
    constructor() {
      super(hosts, config)
    }
  }
})

/** The pool's error when all its connections are busy for too long, whatever host they lead to. */
const BUSY = /^timeout exceeded when trying to connect$/

/**
 * Takes a connection from a pool. A connection to a host that is no longer the current one is ended. The pool's option
 * `verify` would permanently lose a connection whose query stops waiting during verification (pg-pool 3.14).
 */
export const fromPool = (hosts: Hosts | null, pool: Pool): Promise<PoolClient> =>
  toPrimary(hosts, async () => {
    for (;;) {
      const client = await pool.connect()
      if (!(client instanceof HostClient)) return client
      if (client.isLeft) {
        client.release(true)
        continue
      }
      try {
        await client.check()
        return client
      } catch (error) {
        client.release(true)
        throw error
      }
    }
  })

/** Tries to connect, once to each of several hosts. Rejects with a `Failure`. */
const toPrimary = async <A>(hosts: Hosts | null, connect: () => Promise<A>): Promise<A> => {
  let reason: unknown
  for (let left = hosts?.all.length ?? 1; ; left--) {
    const tried = hosts?.current
    try {
      return await connect()
    } catch (error) {
      const isBusy = error instanceof Error && BUSY.test(error.message)
      if (!isBusy) hosts?.failed(tried)
      // The error of a host that answers is more informative than the error of a host that does not.
      if (!(reason instanceof Failure)) reason = error
      if (isBusy || left <= 1) throw unreachable(reason)
    }
  }
}

/** A connection outside the pools. Ending it fails the query in progress. */
export const connect = (config: Config): Promise<Client> =>
  toPrimary(config.hosts, async () => {
    const client = clientOf(config)
    client.on("error", () => {})
    try {
      await client.connect()
      if (client instanceof HostClient) await client.check()
      return client
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
  })

const clientOf = ({ hosts, ...config }: Config): Client =>
  hosts === null ? new Client(config) : new HostClient(hosts, config)
