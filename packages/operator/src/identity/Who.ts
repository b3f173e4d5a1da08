/**
 * Who sends a request: the host's own users, or holders of operators' tokens, sessions that tokens and links have opened, and
 * the users of a proxy that is trusted.
 */
import * as Networks from "@watchword/auth/Networks"
import * as Operators from "./Operators.ts"
import { Forbidden, Unauthorized } from "@watchword/schemas/Errors"
import type { Role } from "../command/Command.ts"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { HostRequest } from "@watchword/server/Host"
import { headerOf } from "@watchword/server/http"
import { type Operator, type SignedIn, isRole } from "./Identity.ts"
import type { Sessions } from "./Sessions.ts"
import type { Strangers } from "./Strangers.ts"

/** A host with users of its own. */
export interface ByHost {
  /** Who sends a request; null for no operator. An error of it is answered 500. */
  readonly authorize: (request: HostRequest) => Operator | null | PromiseLike<Operator | null>
}

/** A proxy that names the user of each request in a header. */
export interface ByProxy {
  /** Addresses and CIDR ranges from which the header is believed: of this proxy, and not of those of customers. */
  readonly addresses: ReadonlyArray<string>
  /** In lower case. */
  readonly header: string
  /** By the names of users; `*` for all others. */
  readonly roles: ReadonlyMap<string, Role>
}

/** A server whose operators have tokens of `watchword operator grant`, and sessions. */
export interface ByTokens {
  readonly tokens: {
    /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is believed. None by default. */
    readonly trustedProxies?: ReadonlyArray<string>
    readonly proxy?: ByProxy | null
  }
}

/** Fails with `Unauthorized` for a request that shows nothing valid. */
export type Who = (
  request: HostRequest
) => Effect.Effect<SignedIn, Unauthorized | Forbidden | StoreError, Settings | Store>

export const byHost =
  ({ authorize }: ByHost): Who =>
  (request) =>
    Effect.flatMap(
      Effect.promise(async () => await authorize(request)),
      (found) =>
        found === null
          ? Effect.fail(stranger)
          : Effect.sync(() => {
              const operator = checked(found)
              return { ...operator, signedInBy: "host", owner: `host ${operator.name}` }
            })
    )

/** Programs without types give anything. */
const checked = ({ name, role }: Operator): Operator => {
  if (typeof name !== "string" || name.trim() === "" || !isRole(role)) {
    throw new TypeError("authorize must answer { name, role }, where role is support, operator or admin, or null")
  }
  return { name: name.slice(0, Operators.NAME), role }
}

const stranger = new Unauthorized({ message: "Sign in first." })

/**
 * @param proxies the addresses of the proxy
 * @param strangers counts requests with a header `authorization` that shows nothing valid
 */
export const byTokens = (
  proxy: ByProxy | null,
  proxies: Networks.Networks,
  sessions: Sessions,
  strangers: Strangers
): Who =>
  Effect.fnUntraced(function* (request) {
    const shown = headerOf(request, "authorization")
    const [, token] = BEARER.exec(shown ?? "") ?? []
    if (token !== undefined) {
      const granted = yield* Operators.ofToken(token)
      if (granted !== null) return signedIn(granted, "token")
      yield* strangers.note(request, "the operator's token is unknown or has ended")
      return yield* wrongToken
    }
    const user = proxy === null ? null : userOf(proxy, proxies, request)
    if (proxy !== null && user !== null) {
      const role = proxy.roles.get(user) ?? proxy.roles.get("*")
      return role === undefined
        ? yield* withoutRole(user)
        : { name: user, role, signedInBy: "proxy", owner: `proxy ${user}` }
    }
    const granted = yield* sessions.of(request)
    if (granted === null) {
      if (shown !== null) yield* strangers.note(request, "the operator's token is not spelled as they are")
      return yield* unknown
    }
    return signedIn(granted, granted.kind === "link" ? "link" : "cookie")
  })

const BEARER = /^Bearer +(wwo_\w+)$/i

const signedIn = ({ id, name, role }: Operators.Granted, signedInBy: SignedIn["signedInBy"]): SignedIn => ({
  name,
  role,
  signedInBy,
  owner: id
})

/** The user that the proxy names; the header of any other sender says nothing. */
const userOf = ({ header }: ByProxy, proxies: Networks.Networks, request: HostRequest): string | null => {
  const { remoteAddress } = request
  if (remoteAddress === null || !Networks.contains(proxies, remoteAddress)) return null
  return headerOf(request, header)?.trim().slice(0, Operators.NAME) || null
}

const unknown = Effect.fail(
  new Unauthorized({ message: "Sign in, or send an operator's token: authorization: Bearer wwo_…" })
)
const wrongToken = Effect.fail(new Unauthorized({ message: "The operator's token is wrong, or has ended." }))
const withoutRole = (user: string) =>
  Effect.fail(new Forbidden({ message: `${user} has no role here: name it in CONSOLE_ROLES.`, reason: "role_support" }))
