/**
 * The hosts of one database, of which one is the primary: connections lead to it, and follow it to another host.
 *
 * node-postgres connects to one host. Here the hosts are tried in turn from the one after the last that failed, and each is
 * asked whether it takes writes: a former primary that is first in the list would catch every attempt otherwise. Connections
 * to a single host are plain ones, and are asked nothing.
 *
 * Source: PostgreSQL 18 manual, 32.1.1.3 Specifying Multiple Hosts.
 */
import type { ConnectionOptions } from "node:tls"
import { callbackify } from "node:util"
import { Client, type ClientConfig, type PoolClient, type PoolConfig } from "pg"
import { Failure, unreachable } from "./failures.ts"

export interface Host {
  readonly host: string | undefined
  readonly port: number | undefined
  readonly ssl: false | ConnectionOptions
}

/** The hosts of a database, and the one that was the primary last. */
export class Hosts {
  readonly all: ReadonlyArray<Host>
  private at = 0

  constructor(all: ReadonlyArray<Host>) {
    this.all = all
  }

  get current(): Host | undefined {
    return this.all[this.at]
  }

  /** Goes on to the next host, unless another connection has done so since. */
  failed(host: Host | undefined): void {
    if (host === this.current) this.at = (this.at + 1) % this.all.length
  }
}

/** How connections are made; `hosts` is null where there is one host. */
export interface Config extends ClientConfig {
  readonly hosts: Hosts | null
}

/** In milliseconds: how long one of several hosts may take to accept a connection. */
const PATIENCE = 1_500

/** A connection to the host that was the primary last. */
export class HostClient extends Client {
  private readonly hosts: Hosts
  private readonly at: Host | undefined

  constructor(hosts: Hosts, config: ClientConfig) {
    const at = hosts.current
    super({ ...config, ...at, connectionTimeoutMillis: PATIENCE })
    this.hosts = hosts
    this.at = at
    // One that the server or the network ends. The query under way fails with it.
    this.on("error", () => this.leave())
  }

  /** Whether connections lead to another host by now. */
  get isLeft(): boolean {
    return this.hosts.current !== this.at
  }

  /** Has later connections try another host. */
  leave(): void {
    this.hosts.failed(this.at)
  }

  /** Fails where the host takes no writes. */
  async check(): Promise<void> {
    const { rows } = await this.query<{ readonly writes: boolean }>(
      "SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS writes"
    )
    if (rows[0]?.writes !== true) throw new Failure("unavailable", "no host that answers is a primary")
  }
}

/** Options of a pool whose connections lead to the primary; none for a single host. */
export const ofPool = ({ hosts, ...config }: Config): PoolConfig => (hosts === null ? config : toHosts(hosts, config))

const toHosts = (hosts: Hosts, config: ClientConfig): PoolConfig => ({
  ...config,
  Client: class extends HostClient {
    constructor() {
      super(hosts, config)
    }
  },
  verify: callbackify(async (client: PoolClient) => {
    if (client instanceof HostClient) await client.check()
  })
})

/** A pool says so where all its connections are busy for too long, whatever host they lead to. */
const BUSY = /^timeout exceeded when trying to connect$/

/** Tries to connect, with several hosts once to each. Rejects with a `Failure`. */
export const toPrimary = async <A>(hosts: Hosts | null, connect: () => Promise<A>): Promise<A> => {
  for (let left = hosts?.all.length ?? 1; ; left--) {
    const tried = hosts?.current
    try {
      return await connect()
    } catch (error) {
      const isBusy = error instanceof Error && BUSY.test(error.message)
      if (!isBusy) hosts?.failed(tried)
      if (isBusy || left <= 1) throw unreachable(error)
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
