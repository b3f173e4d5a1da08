/**
 * Faults of the process that no request would tell the operator of.
 */
import { closeSync, openSync } from "node:fs"
import { devNull } from "node:os"
import type { Server } from "node:http"
import type { Watchword } from "watchword"

/** How often the process is looked at, and how often the same warning is repeated, in milliseconds. */
const LOOK_EVERY = 1_000
const WARN_EVERY = 60_000

export type Warn = (message: string) => void

/**
 * Warns while the process has no file descriptor left, and when connections are closed because there are too many.
 * libuv closes connections that it has no descriptor for, without an event, so that the descriptors are looked at.
 */
export const watchConnections = (server: Server, maxConnections: number, warn: Warn): void => {
  const exhausted = atMostOnceAMinute(() =>
    warn("no file descriptor is left: connections are refused; raise the limit of open files (ulimit -n)")
  )
  const full = atMostOnceAMinute(() =>
    warn(`connections are closed: there are ${maxConnections} already (MAX_CONNECTIONS)`)
  )
  server.on("drop", full)
  setInterval(() => {
    if (!hasDescriptor()) exhausted()
  }, LOOK_EVERY).unref()
}

const hasDescriptor = (): boolean => {
  try {
    closeSync(openSync(devNull, "r"))
    return true
  } catch (error) {
    return !(error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE"))
  }
}

const atMostOnceAMinute = (warn: () => void): (() => void) => {
  let last = -Infinity
  return () => {
    const now = performance.now()
    if (now - last < WARN_EVERY) return
    last = now
    warn()
  }
}

/** Calls back once when only a restart of the process can mend its store. */
export const onBroken = ({ operations }: Pick<Watchword, "operations">, broken: () => void): void => {
  const look = async () => {
    const { status } = await operations(liveness)
    if (status !== 503) return
    clearInterval(timer)
    broken()
  }
  const timer = setInterval(() => void look(), LOOK_EVERY)
  timer.unref()
}

const liveness = {
  method: "GET",
  path: "/healthz",
  headers: {},
  body: { _tag: "Absent" },
  remoteAddress: null
} as const
