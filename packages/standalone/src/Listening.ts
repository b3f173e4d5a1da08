/**
 * The ports of the server: one for customers, and one for operators where the settings name it.
 */
import * as Doors from "@watchword/dev/Doors"
import { type ServeOptions, type Serving, serve } from "@watchword/node"
import type { HandlePromise, Mounted } from "@watchword/server/Host"
import * as Option from "effect/Option"
import type { Watchword } from "watchword"
import type { Address } from "./settings/ServerSettings.ts"
import type { Settings } from "./settings/Settings.ts"

export interface Listening {
  readonly customers: Serving
  /** Null if health, metrics and pages are on the customers' port. */
  readonly operators: Serving | null
}

/** Listens on all ports or on none. */
export const listen = async (
  settings: Settings,
  { handle, operations }: Pick<Watchword, "handle" | "operations">,
  doors: Doors.Doors
): Promise<Listening> => {
  const { basePath, maxConnections } = settings
  const own = Option.getOrNull(settings.operations)
  const operators =
    own === null ? null : await at("OPERATIONS_HOST and OPERATIONS_PORT", own, { handle: operations }, {})
  try {
    const beside = Doors.before(doors, operators === null ? operations : onlyHealth(operations))
    const customers = await at("HOST and PORT", settings, { handle }, { operations: beside, basePath, maxConnections })
    return { customers, operators }
  } catch (error) {
    await operators?.close()
    throw error
  }
}

const at = async (
  names: string,
  { host, port }: Address,
  service: Mounted,
  options: ServeOptions
): Promise<Serving> => {
  try {
    return await serve(service, { ...options, host, port })
  } catch (cause) {
    const reason = reasons[codeOf(cause)] ?? `cannot be listened on (${codeOf(cause)})`
    throw new Error(`${names} must name an address to listen on; ${host}:${port} ${reason}.`, { cause })
  }
}

const reasons: { readonly [code: string]: string } = {
  EADDRINUSE: "is in use by another process",
  EADDRNOTAVAIL: "is not an address of this machine",
  ENOTFOUND: "has a host that cannot be resolved",
  EACCES: "needs privileges that this process does not have"
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown error"

/** `/healthz` of some operations, and nothing else of them. */
const onlyHealth =
  (operations: HandlePromise): HandlePromise =>
  (request) =>
    operations(/^\/healthz(?:\?|$)/.test(request.path) ? request : { ...request, path: "/operations" })
