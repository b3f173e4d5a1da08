/**
 * A request of a host with its correlation id and its route.
 */
import { REQUEST_ID } from "@watchword/api/Headers"
import type { Witness } from "@watchword/auth/Authenticator"
import type { Principal } from "@watchword/schemas/Account"
import { RequestId } from "@watchword/schemas/Ids"
import * as Inspectable from "effect/Inspectable"
import * as Schema from "effect/Schema"
import type { HostRequest } from "../Host.ts"

const isRequestId = Schema.is(RequestId)

/** A header's value; a repeated header's values joined as RFC 9110 §5.3 says. */
export const headerOf = (request: HostRequest, name: string): string | null => {
  const value = request.headers[name]
  return value === undefined ? null : typeof value === "string" ? value : value.join(", ")
}

export class ApiRequest extends Inspectable.Class implements Witness {
  readonly host: HostRequest

  /** The correlation id that the client sent, if it is one. */
  readonly givenId: RequestId | null

  /** The route's path as the contract writes it; `none` until a route is found. */
  route = "none"

  /** The account behind the request's key, once it is known, even if the key is refused. */
  principal: Principal | null = null

  keyRefusal: string | null = null

  /** The service's error that refused it, which a door may answer in other words. */
  refusal: { readonly code: string; readonly reason?: string | undefined } | null = null

  /** The body's value, once it was read. */
  body: unknown = undefined

  /** Whether it is the callback of a gateway. */
  isCallback = false

  private madeId: string | undefined

  constructor(host: HostRequest) {
    super()
    this.host = host
    const id = headerOf(host, REQUEST_ID)
    this.givenId = isRequestId(id) ? id : null
  }

  /** The correlation id that the answer carries: the client's, or one made for this request. */
  get requestId(): string {
    return this.givenId ?? (this.madeId ??= globalThis.crypto.randomUUID())
  }

  get method(): string {
    return this.host.method
  }

  // Headers and bodies do not belong into logs.
  toJSON(): unknown {
    return { _id: "ApiRequest", method: this.method, requestId: this.requestId }
  }
}
