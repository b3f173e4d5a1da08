/**
 * The service in a Durable Object: a process that lives longer than a request, for gateways that keep a connection
 * (SMPP). Experimental.
 *
 * One object is one process: it holds the binds, sends, and accepts the receipts. An alarm wakes it every minute, and
 * restarts it after Cloudflare has moved or replaced it, which happens without notice: then it binds again, and finds
 * the deliveries that it had left open. Receipts are acknowledged after they are stored.
 *
 * Carriers must be reachable from Cloudflare's network, which has no fixed address: a carrier that requires a list of
 * allowed addresses needs a server on Node.
 *
 * Source: https://developers.cloudflare.com/durable-objects/,
 * https://developers.cloudflare.com/workers/runtime-apis/nodejs/net/
 */
import { type Options, type Watchword, createWatchword } from "watchword"
import { type FetchHandler, type Options as FetchOptions, watchword } from "@watchword/fetch"

/** The part of Cloudflare's `DurableObjectState` that an object uses. */
export interface ObjectState {
  readonly blockConcurrencyWhile: <A>(work: () => Promise<A>) => Promise<A>
  readonly storage: { readonly setAlarm: (at: number) => Promise<void> }
}

/** The handlers of a Durable Object. */
export interface ServiceObject {
  readonly fetch: FetchHandler
  readonly alarm: () => Promise<void>
}

/** In milliseconds. */
const AWAKE = 60_000

/**
 * Makes the class of a Durable Object. The Worker's configuration needs the flag `nodejs_compat`.
 *
 * @example
 * ```ts
 * import { watchwordObject } from "@watchword/cloudflare-workers/object"
 * import { smpp } from "@watchword/sms/smpp"
 * import { type D1Database, d1 } from "@watchword/store-d1"
 *
 * interface Env {
 *   readonly DB: D1Database
 *   readonly SMPP_URL: string
 * }
 *
 * export const Carrier = watchwordObject((env: Env) => ({ store: d1(env.DB), sms: smpp({ url: env.SMPP_URL }) }), {
 *   basePath: "/v1"
 * })
 * // In the Worker's own fetch, for paths that begin with /v1/sms:
 * // env.CARRIER.get(env.CARRIER.idFromName("carrier")).fetch(request)
 * ```
 */
export const watchwordObject = <Env>(
  options: (env: Env) => Options,
  host: FetchOptions = {}
): new (state: ObjectState, env: Env) => ServiceObject =>
  class implements ServiceObject {
    private readonly state: ObjectState
    private readonly started: Promise<Watchword>

    constructor(state: ObjectState, env: Env) {
      this.state = state
      this.started = state.blockConcurrencyWhile(async () => {
        await this.wakeLater()
        return createWatchword(options(env))
      })
    }

    fetch = async (request: Request): Promise<Response> => watchword(await this.started, host)(request)

    // The constructor has started the service, whose background work needs no alarm.
    alarm = (): Promise<void> => this.wakeLater()

    private wakeLater(): Promise<void> {
      return this.state.storage.setAlarm(Date.now() + AWAKE)
    }
  }
