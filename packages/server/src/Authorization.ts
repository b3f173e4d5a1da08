/**
 * Who is asking, and whether they may: decided before anything else about a request is looked at.
 */
import { Access } from "@watchword/api/Access"
import { Authorization, CurrentPrincipal } from "@watchword/api/Authorization"
import { ACCOUNT_ID, API_KEY } from "@watchword/api/Headers"
import { Authenticator } from "@watchword/auth/Authenticator"
import { authorize } from "@watchword/auth/Authorize"
import { clientAddress } from "@watchword/auth/ClientAddress"
import * as Networks from "@watchword/auth/Networks"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orUnavailable } from "./Failures.ts"
import { current, headerOf } from "./ServerRequest.ts"

/** @param trustedProxies addresses and CIDR ranges of proxies whose X-Forwarded-For is believed */
export const layer = (
  trustedProxies: ReadonlyArray<string>
): Layer.Layer<Authorization, Networks.NetworkError, Authenticator> =>
  Layer.effect(
    Authorization,
    Effect.gen(function* () {
      const authenticator = yield* Authenticator
      const proxies = yield* Effect.fromResult(Networks.parse(trustedProxies))
      return Authorization.of((handler, { endpoint }) => {
        const { scope, accountRequired } = Context.getUnsafe(endpoint.annotations, Access)
        return Effect.flatMap(current, ({ host }) =>
          authenticator
            .authenticate({
              apiKey: headerOf(host, API_KEY),
              accountId: headerOf(host, ACCOUNT_ID),
              remoteAddress:
                host.clientAddress === undefined
                  ? clientAddress(proxies, {
                      socket: host.remoteAddress,
                      forwardedFor: host.headers["x-forwarded-for"] ?? null
                    })
                  : host.clientAddress,
              accountRequired
            })
            .pipe(
              orUnavailable,
              Effect.tap((principal) => authorize(principal, scope)),
              Effect.flatMap((principal) => Effect.provideService(handler, CurrentPrincipal, principal))
            )
        )
      })
    })
  )
