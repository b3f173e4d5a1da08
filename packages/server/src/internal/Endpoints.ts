/**
 * The endpoints of a service, for hosts that mount it at their root, next to their own routes.
 */
import { type Channel, webhookPath } from "@watchword/send/channel/Channel"
import * as FindMyWay from "effect/http/FindMyWay"
import type { HttpMethod } from "effect/http/HttpMethod"
import { STRICT } from "./strict.ts"

export interface Endpoint {
  readonly method: Exclude<HttpMethod, "HEAD" | "TRACE">
  /** As the contract writes it, for example `/sms/:messageId/sdr`. */
  readonly path: `/${string}`
}

export interface Endpoints {
  /** Every endpoint of the contract, the callback endpoints of gateways, and the pages for users. */
  readonly all: ReadonlyArray<Endpoint>
  /** Whether an endpoint has this method and path. The path may have a query. */
  readonly has: (method: string, path: string) => boolean
}

/**
 * @example
 * ```ts
 * import { endpointsOf } from "@watchword/server/Host"
 * import { sms } from "@watchword/sms/Sms"
 *
 * const { has } = endpointsOf([sms])
 * has("GET", "/sms/0199a1c6-2f00-8000-8000-000000000000/sdr?x") // true
 * has("GET", "/sms") // false
 * ```
 */
export const make = (channels: ReadonlyArray<Pick<Channel, "name" | "group" | "gateway" | "visits">>): Endpoints => {
  const all = channels.flatMap((channel) => [...contract(channel), ...webhook(channel), ...(channel.visits ?? [])])
  const router = FindMyWay.make<Endpoint>(STRICT)
  for (const endpoint of all) router.on(endpoint.method, endpoint.path, endpoint)
  return {
    all,
    has: (method, path) => {
      const known = all.find((endpoint) => endpoint.method === method)?.method
      return known !== undefined && router.find(known, path) !== undefined
    }
  }
}

const contract = ({ group }: Pick<Channel, "group">): ReadonlyArray<Endpoint> =>
  Object.values(group.endpoints).flatMap(({ method, path }) =>
    method === "HEAD" || method === "TRACE" ? [] : [{ method, path }]
  )

const webhook = (channel: Pick<Channel, "name" | "gateway">): ReadonlyArray<Endpoint> =>
  channel.gateway === null
    ? []
    : [
        { method: "GET", path: webhookPath(channel) },
        { method: "POST", path: webhookPath(channel) }
      ]
