/**
 * The hosts that requests for operators may name. A stranger's page whose name resolves to this machine (DNS rebinding)
 * reaches any of its ports, with a `Host` of its own.
 */
import type { HandlePromise, HostHeaders, HostResponse } from "@watchword/server/Host"
import { isIP } from "node:net"

/** Whether a `Host` is loopback or one of the names, with any port. */
export const isOurs = (host: string | null, names: ReadonlyArray<string>): boolean => {
  const name = nameIn(host)
  return name !== null && (isLoopback(name) || names.includes(name))
}

/**
 * Whether a stranger cannot make a `Host` lead here: it is an address, a name without a dot, such as a container's, or
 * one of the names. Browsers send a `Host` with every request; proxy probes may not.
 */
export const isSafe = (host: string | null, names: ReadonlyArray<string>): boolean => {
  if (host === null) return true
  const name = nameIn(host)
  if (name === null) return false
  return isLoopback(name) || isAddress(name) || !name.includes(".") || names.includes(name)
}

const isLoopback = (name: string): boolean => name === "localhost" || name === "[::1]" || /^127(?:\.\d+){3}$/.test(name)

const isAddress = (name: string): boolean => isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0

const nameIn = (host: string | null): string | null =>
  host !== null && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : null

/** Passes on requests with an admitted `Host`; other requests get a 403 with a message before they are routed. */
export const only =
  (handle: HandlePromise, isAdmitted: (host: string | null) => boolean, message: string): HandlePromise =>
  (request) =>
    isAdmitted(hostOf(request.headers)) ? handle(request) : Promise.resolve(refusal(message))

/** The `Host` of a request; null if it has no such header. */
const hostOf = (headers: HostHeaders): string | null => {
  const host = headers["host"]
  return typeof host === "string" ? host : null
}

const refusal = (message: string): HostResponse => ({
  status: 403,
  headers: { "content-type": "application/json", "cache-control": "no-store" },
  body: new TextEncoder().encode(JSON.stringify({ error: "FORBIDDEN", message, reason: "host_not_allowed" }))
})
