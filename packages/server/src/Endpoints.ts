/**
 * Which requests are the interface's, for hosts that mount it at their root, beside their own routes.
 */
import { Api } from "@watchword/api/Api"
import * as FindMyWay from "effect/http/FindMyWay"
import type { HttpMethod } from "effect/http/HttpMethod"
import { webhookPaths } from "./BodyLimit.ts"

export interface Endpoint {
  readonly method: Exclude<HttpMethod, "HEAD" | "TRACE">
  /** As the contract writes it, for example `/sms/:messageId/sdr`. */
  readonly path: `/${string}`
}

/** Every endpoint of the contract, and those that gateways call back to. */
export const endpoints: ReadonlyArray<Endpoint> = [
  ...Object.values(Api.groups).flatMap((group) =>
    Object.values(group.endpoints).flatMap(({ method, path }) =>
      method === "HEAD" || method === "TRACE" ? [] : [{ method, path }]
    )
  ),
  ...Object.values(webhookPaths).flatMap((path) => [
    { method: "GET", path } as const,
    { method: "POST", path } as const
  ])
]

/** One spelling for each path: no other case, no doubled or trailing slashes. */
export const STRICT = { caseSensitive: true, ignoreTrailingSlash: false, ignoreDuplicateSlashes: false }

/**
 * Whether an endpoint has this method and path.
 *
 * @example
 * ```ts
 * import { isEndpoint } from "@watchword/server/Endpoints"
 *
 * isEndpoint("GET", "/sms/0199a1c6-2f00-8000-8000-000000000000/sdr?x") // true
 * isEndpoint("GET", "/sms") // false
 * ```
 */
export const isEndpoint = (method: string, path: string): boolean => {
  const known = endpoints.find((endpoint) => endpoint.method === method)?.method
  return known !== undefined && router.find(known, path) !== undefined
}

const router = FindMyWay.make<Endpoint>(STRICT)
for (const endpoint of endpoints) router.on(endpoint.method, endpoint.path, endpoint)
