/**
 * Whether a request of Node's `fetch` may have left this host, by the diagnostics channels of undici, which is its
 * client.
 *
 * An error says so where a connection is refused or a name does not exist. A time limit does not: it may have passed
 * while the name was resolved.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import { subscribe } from "node:diagnostics_channel"
import * as Predicate from "effect/Predicate"

/** The requests that undici made for one `fetch`. */
interface Departure {
  isMade: boolean
  hasLeft: boolean
}

export interface Watched {
  readonly run: <A>(ask: () => Promise<A>) => Promise<A>
  /** True unless undici has made the request and written nothing of it: another client instead of it does not say. */
  readonly mayHaveLeft: () => boolean
}

export const watch = (): Watched => {
  const departure: Departure = { isMade: false, hasLeft: false }
  return {
    run: (ask) => current.run(departure, ask),
    mayHaveLeft: () => !departure.isMade || departure.hasLeft
  }
}

const current = new AsyncLocalStorage<Departure>()
const departures = new WeakMap<object, Departure>()

const requestOf = (message: unknown): object | null =>
  Predicate.hasProperty(message, "request") && Predicate.isObject(message.request) ? message.request : null

subscribe("undici:request:create", (message) => {
  const departure = current.getStore()
  const request = requestOf(message)
  if (departure === undefined || request === null) return
  departure.isMade = true
  departures.set(request, departure)
})

for (const sign of ["undici:client:sendHeaders", "undici:request:bodySent", "undici:request:headers"]) {
  subscribe(sign, (message) => {
    const request = requestOf(message)
    const departure = request === null ? undefined : departures.get(request)
    if (departure !== undefined) departure.hasLeft = true
  })
}
