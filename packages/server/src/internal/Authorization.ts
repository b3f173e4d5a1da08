/**
 * Authorization of requests: the API key, the account id, the address, the scope. Comes before the body is read.
 */
import type { Requirement } from "@watchword/api/Access"
import { ACCOUNT_ID, API_KEY, AUTHORIZATION } from "@watchword/api/Headers"
import { Authenticator, type Credentials, authorize } from "@watchword/auth/Authenticator"
import type { Forbidden, ServiceUnavailable, Unauthorized } from "@watchword/schemas/Errors"
import type { Principal } from "@watchword/schemas/Account"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { type ApiRequest, headerOf } from "../http/ApiRequest.ts"
import type { Clients } from "../http/Clients.ts"
import type { HostRequest } from "../Host.ts"
import * as UntrustedProxies from "./UntrustedProxies.ts"

type Refused = Unauthorized | ServiceUnavailable | StoreError

/** Checks the key, and then whether its account may act and it has the scope. */
export type Authorize = (request: ApiRequest, access: Requirement) => Effect.Effect<Principal, Forbidden | Refused>

/** Checks a key, wherever in a request it was, from the address of the request's client. */
export type Authenticate = (
  request: HostRequest,
  credentials: Omit<Credentials, "remoteAddress">
) => Effect.Effect<Principal, Refused>

export const authenticating = (clients: Clients): Effect.Effect<Authenticate, never, Authenticator> =>
  Effect.map(Authenticator, (authenticator): Authenticate => {
    const proxies = UntrustedProxies.make()
    return (host, credentials) => {
      const authenticated = authenticator.authenticate({ ...credentials, remoteAddress: clients.addressOf(host) })
      const untrusted = clients.untrusted(host)
      return untrusted === null ? authenticated : Effect.andThen(proxies.note(untrusted), authenticated)
    }
  })

export const authorizing =
  (authenticate: Authenticate): Authorize =>
  (request, demand) => {
    const { host } = request
    return Effect.flatMap(
      authenticate(host, {
        apiKey: headerOf(host, API_KEY),
        accountId: headerOf(host, ACCOUNT_ID),
        authorization: headerOf(host, AUTHORIZATION),
        accountRequired: demand.accountRequired,
        witness: request
      }),
      (principal) => Effect.mapEager(authorize(principal, demand), () => principal)
    )
  }
