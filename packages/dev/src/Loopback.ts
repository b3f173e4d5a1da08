/**
 * The port of a development server: it listens on the loopback addresses of both families, and serves only requests
 * that name them.
 *
 * A stranger's page whose name resolves to 127.0.0.1 (DNS rebinding) reaches any server of the machine, but with its
 * own name as `Host`: such a request is refused before it is routed.
 */
import { Hosts, type ServeOptions, type Serving, serve } from "@watchword/node"
import type { HandlePromise, Mounted } from "@watchword/server/Host"

export interface Handles {
  readonly handle: HandlePromise
  readonly operations: HandlePromise
}

export interface Listening {
  readonly port: number
  /** Whether the port that was asked for was in use. */
  readonly isOther: boolean
  readonly close: () => Promise<void>
}

/** How many ports are tried, one after the other. */
const MOST_PORTS = 20

/** Listens on the first free port, starting with `from`. @param names hosts that are served, like loopback hosts */
export const listen = async (
  from: number,
  { handle, operations }: Handles,
  basePath: string,
  names: ReadonlyArray<string>
): Promise<Listening> => {
  const service = { handle: only(handle, names) }
  const options = { operations: only(operations, names), basePath, drainTimeout: 1_000 }
  for (let port = from; port < from + MOST_PORTS && port <= 65_535; port++) {
    const first = await at(service, { ...options, host: "127.0.0.1", port })
    if (first === null) continue
    // A machine without IPv6 has no such address. A port that another program has at that address is passed over.
    const second = await at(service, { ...options, host: "::1", port: first.port }).catch(() => undefined)
    if (second === null) {
      await first.close()
      continue
    }
    return {
      port: first.port,
      isOther: first.port !== from && from !== 0,
      close: async () => void (await Promise.all([first.close(), second?.close()]))
    }
  }
  throw new Error(`--port: no port from ${from} to ${from + MOST_PORTS - 1} is free.`)
}

/** Null if the port is in use. */
const at = async (service: Mounted, options: ServeOptions): Promise<Serving | null> => {
  try {
    return await serve(service, options)
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return null
    throw error
  }
}

const only = (handle: HandlePromise, names: ReadonlyArray<string>): HandlePromise =>
  Hosts.only(
    handle,
    (host) => Hosts.isOurs(host, names),
    "This server does not answer to that host name. It answers to localhost, 127.0.0.1 and [::1]; --host-name adds another."
  )
