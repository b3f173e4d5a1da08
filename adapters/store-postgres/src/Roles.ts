/**
 * What each host of a database is at the moment, for an operator.
 */
import { Failure, unreachable } from "./failures.ts"
import { type Config, type History, type Host, historyAt, isNewer } from "./Hosts.ts"

export interface Role {
  /** The host and its port. */
  readonly name: string
  /** A former primary takes writes, which are lost: another host has been promoted since. */
  readonly role: "primary" | "former primary" | "standby" | "unreachable"
  /** Why there is no connection; empty if there is one. */
  readonly why: string
}

/** Asks every host at once. A single host has no role. */
export const rolesOf = async ({ hosts, ...config }: Config): Promise<ReadonlyArray<Role>> => {
  if (hosts === null) return []
  const found = await Promise.all(hosts.all.map((host) => ask(config, host)))
  const isFormer = (history: History | null): boolean => found.some((other) => isNewer(other.history, history))
  return found.map(({ history, role, ...rest }) => ({
    ...rest,
    role: role === "primary" && isFormer(history) ? "former primary" : role
  }))
}

interface Found extends Role {
  readonly history: History | null
}

const ask = async (config: Omit<Config, "hosts">, host: Host): Promise<Found> => {
  const name = `${host.host ?? "localhost"}:${host.port ?? 5432}`
  try {
    return { name, role: "primary", why: "", history: await historyAt(config, host, PATIENCE) }
  } catch (error) {
    if (error instanceof Failure) return { name, role: "standby", why: "", history: null }
    return { name, role: "unreachable", why: unreachable(error).why, history: null }
  }
}

/** In milliseconds. */
const PATIENCE = 5_000
