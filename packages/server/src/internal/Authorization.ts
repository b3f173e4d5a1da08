/**
 * Authorization of requests: the API key, the account id, the address, the scope. Comes before the body is read.
 */
import type { Requirement } from "@watchword/api/Access"
import { ACCOUNT_ID, API_KEY, AUTHORIZATION } from "@watchword/api/Headers"
import { Authenticator, authorize } from "@watchword/auth/Authenticator"
import type { Forbidden, ServiceUnavailable, Unauthorized } from "@watchword/schemas/Errors"
import type { Principal } from "@watchword/schemas/Account"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { headerOf } from "../http/ApiRequest.ts"
import type { Clients } from "../http/Clients.ts"
import type { HostRequest } from "../Host.ts"
import * as UntrustedProxies from "./UntrustedProxies.ts"

/** Checks the key, and then whether its account may act and it has the scope. */
export type Authorize = (
  request: HostRequest,
  access: Requirement
) => Effect.Effect<Principal, Unauthorized | Forbidden | ServiceUnavailable | StoreError>

export const make = (clients: Clients): Effect.Effect<Authorize, never, Authenticator> =>
  Effect.map(Authenticator, (authenticator): Authorize => {
    const proxies = UntrustedProxies.make()
    return (host, demand) => {
      const authorized = Effect.flatMap(
        authenticator.authenticate({
          apiKey: headerOf(host, API_KEY),
          accountId: headerOf(host, ACCOUNT_ID),
          authorization: headerOf(host, AUTHORIZATION),
          remoteAddress: clients.addressOf(host),
          accountRequired: demand.accountRequired
        }),
        (principal) => Effect.mapEager(authorize(principal, demand), () => principal)
      )
      const untrusted = clients.untrusted(host)
      return untrusted === null ? authorized : Effect.andThen(proxies.note(untrusted), authorized)
    }
  })
