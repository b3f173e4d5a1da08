/**
 * Requests of the account that were refused or failed. Written by scripts/contract.ts.
 */
import type { Convention, OverHttp } from "./Convention.ts"
import type { Request } from "./internal/Request.ts"
import { type ListBody, type Listing, listing } from "./Lists.ts"

/** A request that was refused or failed, or several alike. */
export interface RefusedRequest {
  /** When it was answered. ISO 8601 in UTC. */
  readonly created_at: string
  /** The `request_id` of the answer; null if an entry stands for several requests. */
  readonly request_id: string | null
  /** The method and the route, such as `POST /verifications`. */
  readonly operation: string
  /** The status of the answer. */
  readonly status: number
  /** The `error` of the answer. */
  readonly code: string
  /** The `reason` of the answer; of a 401, why the key was refused. */
  readonly reason: string | null
  /** The key of the request; null if an entry stands for several requests. */
  readonly key_id: string | null
  /** The address that the request came from; of IPv6, its /64. */
  readonly client: string | null
  /** The number in the request, masked; null without a valid one. */
  readonly to: string | null
  /** How many requests the entry stands for: in a flood, requests alike share one. */
  readonly count: number
}

export interface Requests<C extends Convention = OverHttp> {
  /**
   * Lists the requests of the key's account and mode that were refused or failed, of the last seven days, the newest
   * first unless `sort_by` says otherwise. It looks at the newest 2,000 in the bounds of `created_at`. `await` gives
   * a page, `for await` the records of that page and of all after it.
   */
  readonly list: (
    ...args: [...C["before"], body?: ListBody<RefusedRequest>, ...C["options"]]
  ) => Listing<RefusedRequest>
}

export const requests = (request: Request): Requests => ({
  list: (body, options) => listing(request, "/requests/list", body, options)
})
