/**
 * The hosts of one database, of which one is the primary: connections lead to it, and follow it to another host.
 *
 * node-postgres connects to one host. Here the hosts are tried in turn from the one after the last that failed, and
 * each is asked whether it takes writes: a former primary that is first in the list would catch every attempt
 * otherwise. Connections to a single host are plain ones, and are asked nothing.
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

/** The history of a server: a standby that is promoted begins a timeline with a higher number than its primary's. */
export interface History {
  /** By which the standbys of a primary are known. */
  readonly system: string
  readonly timeline: number
}

/** The hosts of a database, and the one that was the primary last. */
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

  /** Whether a host that has this history is no primary any more, as far as is known here. */
  isPast(history: History | null): boolean {
    return isNewer(this.newest, history)
  }

  /** Goes on to the next host, unless another connection has done so since. */
  failed(host: Host | undefined): void {
    if (host === this.current) this.at = (this.at + 1) % this.all.length
  }

  /**
   * Takes a host for the primary; false if another one has been promoted since, so that its writes would be lost.
   * Connections to other hosts are ended then: a former primary that is frozen, or waits for a standby that has left
   * it, keeps them waiting.
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

/** How connections are made; `hosts` is null if there is one host. */
export interface Config extends ClientConfig {
  readonly hosts: Hosts | null
}

/** In milliseconds: how long one of several hosts may take to accept a connection. */
const PATIENCE = 1_500

/** A connection to the host that was the primary last. */
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
    // One that the server or the network ends. The query under way fails with it.
    this.on("error", () => this.leave())
    this.on("end", () => void hosts.clients.delete(this))
  }

  /** Whether connections lead to another host by now. */
  get isLeft(): boolean {
    return this.hosts.current !== this.at
  }

  /**
   * Ends the connection with the query under way, or while it is made, without waiting for a host that may be frozen.
   */
  destroy(): void {
    this.connection.stream.destroy(new Error("another host is the primary"))
  }

  /** Has later connections try another host. */
  leave(): void {
    this.hosts.failed(this.at)
  }

  /**
   * Fails where the host takes no writes, or is a former primary that does not know it yet. A connection is asked once.
   */
  async check(): Promise<void> {
    if (this.isChecked) return
    const history = await historyOf(this)
    if (!this.hosts.takes(this.at, history)) throw new Failure("unavailable", NO_PRIMARY)
    this.history = history
    this.isChecked = true
  }

  /**
   * Fails where another host has been promoted meanwhile. A commit that waits for its standby is answered as soon as
   * the server is set not to wait: Patroni does so when it is started again beside a former primary, before it ends it.
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

/** Why a host is left that takes no writes, or whose writes would be lost. */
const NO_PRIMARY = "no host that answers is a primary"

/** Why an answer counts no more. */
const PROMOTED = "another host has been promoted"

/** Whether a history continues after another one ended. */
export const isNewer = (history: History | null, than: History | null): boolean =>
  history !== null && history.system === than?.system && history.timeline > than.timeline

/** The history of a server that takes writes, or null if it does not say. Fails where it takes none. */
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
    // Some services keep their log from their users.
    if (error instanceof DatabaseError) return null
    throw error
  }
}

/**
 * The history of a host, asked by a connection of its own. Rejects as the question does, and where there is no
 * connection.
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

/** Options of a pool whose connections lead to the primary; none for a single host. */
export const ofPool = ({ hosts, ...config }: Config): PoolConfig => (hosts === null ? config : toHosts(hosts, config))

const toHosts = (hosts: Hosts, config: ClientConfig): PoolConfig => ({
  ...config,
  Client: class extends HostClient {
    constructor() {
      super(hosts, config)
    }
  }
})

/** A pool says so where all its connections are busy for too long, whatever host they lead to. */
const BUSY = /^timeout exceeded when trying to connect$/

/**
 * Takes a connection of a pool. One that leads to another host than those that were made since is ended. The pool's
 * option `verify` would lose a connection for good whose query stops waiting while it is verified (pg-pool 3.14).
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

/** Tries to connect, with several hosts once to each. Rejects with a `Failure`. */
const toPrimary = async <A>(hosts: Hosts | null, connect: () => Promise<A>): Promise<A> => {
  let reason: unknown
  for (let left = hosts?.all.length ?? 1; ; left--) {
    const tried = hosts?.current
    try {
      return await connect()
    } catch (error) {
      const isBusy = error instanceof Error && BUSY.test(error.message)
      if (!isBusy) hosts?.failed(tried)
      // A host that answers says more than one that does not.
      if (!(reason instanceof Failure)) reason = error
      if (isBusy || left <= 1) throw unreachable(reason)
    }
  }
}

/** A connection beside the pools. The query under way fails when it ends. */
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
