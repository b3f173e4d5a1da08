/**
 * A member of a cluster: a machine with a Patroni and its PostgreSQL on a loopback address of its own. Others reach it
 * through links, and it reaches etcd through a link, so that it can be cut off.
 *
 * Source: Patroni 3.0 manual, YAML Configuration Settings and REST API.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { openSync, readFileSync, readdirSync, readlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { type Address, type Link, openLink } from "./Link.ts"

export interface Member {
  readonly name: string
  /** The address at which clients reach its PostgreSQL. */
  readonly address: Address
  readonly start: () => void
  /** Kills the machine with all of its processes. */
  readonly kill: () => Promise<void>
  /** Ends only Patroni. Its PostgreSQL continues unsupervised. */
  readonly killPatroni: () => Promise<void>
  /** Freezes the processes that send the log to standbys, until the machine is killed. */
  readonly lag: () => void
  readonly freeze: () => void
  readonly thaw: () => void
  /** Cuts off clients, or clients, other members and etcd. */
  readonly cut: (from: "clients" | "all") => void
  readonly mend: () => void
  /** The state of this member and of the cluster as Patroni reports it; null if Patroni does not answer. */
  readonly says: () => Promise<State | null>
  readonly switchOver: (candidate: string) => Promise<void>
  readonly stop: () => Promise<void>
  /** Kills the machine without waiting for its exit. */
  readonly abandon: () => void
}

export interface State {
  readonly role: string
  readonly state: string
  readonly timeline: number
  readonly streaming: number
  readonly isSynchronous: boolean
}

export interface Setup {
  readonly folder: string
  readonly nth: number
  readonly user: { readonly uid?: number; readonly gid?: number }
  readonly etcd: Address
  readonly isSynchronous: boolean
  /** The ports of the programs and of the links to them, the same on each member's address. */
  readonly ports: Record<"postgres" | "rest" | "toPostgres" | "toStandbys" | "toRest" | "toEtcd", number>
}

export const PASSWORD = "su"

export const openMember = async ({ etcd, folder, isSynchronous, nth, ports, user }: Setup): Promise<Member> => {
  const name = `p${nth}`
  const host = `127.0.0.${nth}`
  const data = join(folder, `data${nth}`)
  const at = (port: number): Address => ({ host, port })
  const toClients = await openLink(at(ports.toPostgres), at(ports.postgres))
  const toOthers: ReadonlyArray<Link> = await Promise.all([
    openLink(at(ports.toStandbys), at(ports.postgres)),
    openLink(at(ports.toRest), at(ports.rest)),
    openLink(at(ports.toEtcd), etcd)
  ])
  const file = join(folder, `${name}.yml`)
  // YAML includes JSON.
  writeFileSync(file, JSON.stringify(settingsOf({ name, host, ports, folder, data, isSynchronous })))
  const log = openSync(join(folder, `${name}.log`), "a")
  const url = `http://${host}:${ports.rest}`
  let patroni: ChildProcess | null = null

  const pids = (): ReadonlyArray<number> => [...(patroni?.pid === undefined ? [] : [patroni.pid]), ...serversOn(data)]
  const signalAll = (name: NodeJS.Signals): void => {
    for (const pid of pids()) signal(pid, name)
  }
  const killPatroni = async (): Promise<void> => {
    const one = patroni
    patroni = null
    await ended(one, "SIGKILL")
  }

  return {
    name,
    address: at(ports.toPostgres),
    start: () => {
      if (patroni !== null) return
      patroni = spawn("/usr/bin/patroni", [file], {
        ...user,
        cwd: folder,
        env: { PATH: process.env["PATH"], LANG: "C.UTF-8", HOME: folder },
        stdio: ["ignore", log, log]
      })
    },
    kill: async () => {
      // All are frozen first, so that no process can hand over to another that still runs.
      signalAll("SIGSTOP")
      for (const pid of serversOn(data)) signal(pid, "SIGKILL")
      await killPatroni()
      while (serversOn(data).length > 0) await delay(20)
    },
    killPatroni,
    lag: () => {
      for (const pid of serversOn(data)) if (isSender(pid)) signal(pid, "SIGSTOP")
    },
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
    cut: (from) => {
      toClients.cut()
      if (from === "all") for (const link of toOthers) link.cut()
    },
    mend: () => {
      for (const link of [toClients, ...toOthers]) link.mend()
    },
    says: async () => {
      const [about, synchronous] = await Promise.all([asked(`${url}/patroni`), asked(`${url}/synchronous`)])
      return about === null ? null : { ...stateOf(about.body), isSynchronous: synchronous?.status === 200 }
    },
    switchOver: async (candidate) => {
      const body = JSON.stringify({ leader: name, candidate })
      const response = await fetch(`${url}/switchover`, { method: "POST", body, signal: AbortSignal.timeout(30_000) })
      if (!response.ok) throw new Error(`Patroni does not switch over: ${await response.text()}`)
    },
    stop: async () => {
      signalAll("SIGCONT")
      await Promise.race([ended(patroni, "SIGTERM"), delay(10_000)])
      signalAll("SIGKILL")
      for (const link of [toClients, ...toOthers]) link.close()
    },
    abandon: () => signalAll("SIGKILL")
  }
}

const settingsOf = ({ data, folder, host, isSynchronous, name, ports }: Settings) => ({
  scope: "watchword",
  namespace: "/test/",
  name,
  restapi: { listen: `${host}:${ports.rest}`, connect_address: `${host}:${ports.toRest}` },
  // Through a proxy, because Patroni would otherwise follow the address that etcd advertises. Uses version 2 of etcd's
  // interface: over version 3, Patroni 3.0.2 overwrites another leader's key, which loses commits
  // (patroni/patroni#2689).
  etcd: { proxy: `http://${host}:${ports.toEtcd}` },
  bootstrap: {
    dcs: {
      ttl: 5,
      loop_wait: 1,
      retry_timeout: 2,
      maximum_lag_on_failover: 1_048_576,
      synchronous_mode: isSynchronous,
      postgresql: {
        use_pg_rewind: true,
        use_slots: true,
        parameters: {
          wal_log_hints: "on",
          max_connections: 80,
          shared_buffers: "32MB",
          wal_keep_size: "64MB",
          // Only processes are killed; the machine never loses power.
          fsync: "off",
          tcp_keepalives_idle: 5,
          tcp_keepalives_interval: 2,
          tcp_keepalives_count: 2
        }
      }
    },
    initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"]
  },
  postgresql: {
    listen: `${host}:${ports.postgres}`,
    connect_address: `${host}:${ports.toStandbys}`,
    data_dir: data,
    bin_dir: "/usr/lib/postgresql/15/bin",
    pgpass: join(folder, `${name}.pgpass`),
    use_unix_socket: false,
    authentication: {
      superuser: { username: "postgres", password: PASSWORD },
      replication: { username: "replicator", password: "re" },
      rewind: { username: "rewinder", password: "rw" }
    },
    parameters: { unix_socket_directories: "" },
    pg_hba: ["host all all 127.0.0.0/8 scram-sha-256", "host replication replicator 127.0.0.0/8 scram-sha-256"]
  },
  watchdog: { mode: "off" }
})

interface Settings extends Pick<Setup, "folder" | "isSynchronous" | "ports"> {
  readonly name: string
  readonly host: string
  readonly data: string
}

const asked = async (url: string): Promise<{ readonly status: number; readonly body: object } | null> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) })
    const body: unknown = JSON.parse((await response.text()) || "{}")
    return { status: response.status, body: typeof body === "object" && body !== null ? body : {} }
  } catch {
    return null
  }
}

const stateOf = (body: object): Omit<State, "isSynchronous"> => {
  const { replication, role, state, timeline }: Record<string, unknown> = { ...body }
  const streams = Array.isArray(replication) ? replication.filter((each) => Object(each).state === "streaming") : []
  return { role: String(role), state: String(state), timeline: Number(timeline), streaming: streams.length }
}

/** The processes of the PostgreSQL that runs on some data, recognized by their working directory. */
const serversOn = (data: string): ReadonlyArray<number> =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readlinkSync(`/proc/${pid}/cwd`) === data && !/^\S+ \(.*\) Z/.test(statOf(pid))
      } catch {
        return false
      }
    })

/** Whether a process sends the log to a standby, according to the title that PostgreSQL gives it. */
const isSender = (pid: number): boolean => /walsender/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"))

const statOf = (pid: number): string => readFileSync(`/proc/${pid}/stat`, "utf8")

/** Signals a process that may have ended by now. */
const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

export const ended = async (child: ChildProcess | null, name: NodeJS.Signals): Promise<void> => {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, "exit")
  child.kill(name)
  await exited
}
