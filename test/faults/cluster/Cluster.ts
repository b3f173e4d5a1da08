/**
 * Three PostgreSQL servers managed by Patroni, with or without a synchronous standby, on 127.0.0.1 to 127.0.0.3. Needs
 * the Debian packages that `npm run test:peers` names.
 */
import { execFileSync, spawn } from "node:child_process"
import { chownSync, openSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { Client } from "pg"
import { freePort } from "../../freePort.ts"
import { type Member, PASSWORD, type State, ended, openMember } from "./Member.ts"

export interface Cluster {
  /** Lists all hosts, for a user who owns only the installation's database. */
  readonly url: string
  /** The same with only the primary. */
  readonly urlOfPrimary: () => Promise<string>
  readonly primary: () => Promise<Member>
  /** The standby to be promoted next: the synchronous one, if there is one. */
  readonly successor: () => Promise<Member>
  /** Resolves once a primary and two streaming standbys are up, one of them synchronous if the cluster is. */
  readonly healthy: () => Promise<void>
  readonly stop: () => Promise<void>
}

export interface Options {
  /** Whether a commit waits until a standby has it. */
  readonly isSynchronous: boolean
}

/** @param folder for its data, which is kept */
export const openCluster = async (folder: string, { isSynchronous }: Options): Promise<Cluster> => {
  const user = userOf()
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const [client, peer] = [await freePort(), await freePort()]
  const etcd = spawn("/usr/bin/etcd", etcdArguments(folder, client, peer), {
    ...user,
    cwd: folder,
    stdio: ["ignore", ...[1, 2].map(() => openSync(join(folder, "etcd.log"), "a"))]
  })
  const ports = {
    postgres: await freePort(),
    rest: await freePort(),
    toPostgres: await freePort(),
    toStandbys: await freePort(),
    toRest: await freePort(),
    toEtcd: await freePort()
  }
  const members = await Promise.all(
    [1, 2, 3].map((nth) =>
      openMember({ folder, nth, ports, user, isSynchronous, etcd: { host: "127.0.0.1", port: client } })
    )
  )
  for (const member of members) member.start()

  const find = async (is: (state: State) => boolean): Promise<Member> => {
    for (const end = Date.now() + PATIENCE; Date.now() < end; await delay(200)) {
      for (const member of members) {
        const state = await member.says()
        if (state !== null && is(state)) return member
      }
    }
    throw new Error(`the cluster has no such member; see ${folder}`)
  }
  const primary = () => find(({ role, state }) => isPrimary(role) && state === "running")
  const healthy = async (): Promise<void> => {
    for (const end = Date.now() + PATIENCE; Date.now() < end; await delay(300)) {
      const states = await Promise.all(members.map((member) => member.says()))
      if (isHealthy(states, isSynchronous)) return
    }
    throw new Error(`the cluster does not get well; see ${folder}`)
  }
  const urlFor = (hosts: string, who: string, database: string): string =>
    `postgres://${who}:${PASSWORD}@${hosts}/${database}`
  const hostOf = ({ address: { host, port } }: Member): string => `${host}:${port}`

  const stop = async (): Promise<void> => {
    process.off("exit", last)
    await Promise.all(members.map((member) => member.stop()))
    await ended(etcd, "SIGTERM")
  }
  // Leaves no server behind if a run ends early.
  const last = (): void => {
    for (const member of members) member.abandon()
    etcd.kill("SIGKILL")
  }
  process.once("exit", last)

  try {
    await healthy()
  } catch (error) {
    await stop()
    throw error
  }
  const setup = new Client(urlFor(hostOf(await primary()), "postgres", "postgres"))
  await setup.connect()
  await setup.query(`CREATE ROLE watchword LOGIN PASSWORD '${PASSWORD}'`)
  await setup.query("CREATE DATABASE otp OWNER watchword")
  await setup.end()

  return {
    url: urlFor(members.map(hostOf).join(","), "watchword", "otp"),
    urlOfPrimary: async () => urlFor(hostOf(await primary()), "watchword", "otp"),
    primary,
    successor: () => find((state) => (isSynchronous ? state.isSynchronous : !isPrimary(state.role))),
    healthy,
    stop
  }
}

/** How long the cluster may take to recover, on a busy machine. */
const PATIENCE = 120_000

const isPrimary = (role: string): boolean => role === "master" || role === "primary"

const isHealthy = (states: ReadonlyArray<State | null>, isSynchronous: boolean): boolean => {
  const all = states.filter((state) => state !== null)
  const primaries = all.filter(({ role }) => isPrimary(role))
  return (
    all.length === 3 &&
    all.every(({ state, timeline }) => state === "running" && timeline === primaries[0]?.timeline) &&
    primaries.length === 1 &&
    primaries[0]?.streaming === 2 &&
    (!isSynchronous || all.some((state) => state.isSynchronous))
  )
}

/** PostgreSQL does not run as root. */
const userOf = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }))
  return { uid: idOf("-u"), gid: idOf("-g") }
}

const etcdArguments = (folder: string, client: number, peer: number): ReadonlyArray<string> => {
  const [clients, peers] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
  return [
    "--name=e1",
    `--data-dir=${join(folder, "etcd")}`,
    "--enable-v2",
    `--listen-client-urls=${clients}`,
    `--advertise-client-urls=${clients}`,
    `--listen-peer-urls=${peers}`,
    `--initial-advertise-peer-urls=${peers}`,
    `--initial-cluster=e1=${peers}`,
    "--initial-cluster-state=new"
  ]
}
