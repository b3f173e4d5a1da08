/**
 * Who sends a request to the operators' API: by a token, a proxy's header, the session of a browser, or the host's own
 * word; and whether that operator may, by a role that is large enough, and in a browser by the console's own page.
 */
import { failedAttempts } from "@watchword/auth/Authenticator"
import { keyHash } from "@watchword/auth/Keys"
import * as Networks from "@watchword/auth/Networks"
import * as Operators from "./Operators.ts"
import { Forbidden, Unauthorized } from "@watchword/schemas/Errors"
import type { Role } from "../command/Command.ts"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HostRequest } from "@watchword/server/Host"
import { ClientAddresses, type Route, headerOf } from "@watchword/server/http"
import { type Note, type Operator, type SignedIn, includes, isRole, tooSmall } from "./Identity.ts"
import type { Sessions } from "./Sessions.ts"
import * as SigningIn from "./SigningIn.ts"

/** A host with users of its own. */
export interface ByHost {
  /** Who sends a request; null for no operator. An error of it is answered 500. */
  readonly authorize: (request: HostRequest) => Operator | null | PromiseLike<Operator | null>
}

/** A proxy that names the user of each request in a header. */
export interface ByProxy {
  /** Addresses and CIDR ranges from which the header is trusted: this proxy's, not the customers' proxies. */
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

/** The operator of a request; null if it shows none. Fails if its credentials are wrong. */
export type Identify = (
  request: HostRequest
) => Effect.Effect<SignedIn | null, Unauthorized | Forbidden | StoreError, Settings | Store>

export interface Identification {
  readonly identify: Identify
  /** The operator of a request, who has the role. */
  readonly authorize: (
    request: HostRequest,
    role: Role
  ) => Effect.Effect<SignedIn, Unauthorized | Forbidden | StoreError, Settings | Store>
  /** Routes of sessions; none if the host signs its users in. */
  readonly signingIn: ReadonlyArray<Route<Settings | Store>>
}

export const make = (
  options: ByHost | ByTokens,
  sessions: Sessions
): Effect.Effect<Identification, Networks.NetworkError> =>
  Effect.gen(function* () {
    if (!("tokens" in options)) return guarded(byHost(options), () => Effect.fail(hostsStranger), [])
    const { proxy = null, trustedProxies = [] } = options.tokens
    const clients = yield* Effect.fromResult(ClientAddresses.make(trustedProxies))
    const attempts = failedAttempts("requests failed to authenticate as an operator")
    const note: Note = (request, reason) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => attempts.note(clients.addressOf(request), now, reason))
    const ways = [byToken(note), ...(proxy === null ? [] : [yield* byProxy(proxy)]), bySession(sessions)]
    const refuse = Effect.fnUntraced(function* (request: HostRequest) {
      if (headerOf(request, "authorization") !== null) {
        yield* note(request, "the operator's token does not have the form of a token")
      }
      return yield* stranger
    })
    return guarded(firstOf(ways), refuse, SigningIn.routes(sessions, clients, note))
  })

const hostsStranger = new Unauthorized({ message: "Sign in first." })
const stranger = new Unauthorized({ message: "Sign in, or send an operator's token: authorization: Bearer wwo_…" })

/** @param refuse refuses a request that shows no operator */
const guarded = (
  identify: Identify,
  refuse: (request: HostRequest) => Effect.Effect<never, Unauthorized>,
  signingIn: Identification["signingIn"]
): Identification => ({
  identify,
  signingIn,
  authorize: Effect.fnUntraced(function* (request, role) {
    const who = (yield* identify(request)) ?? (yield* refuse(request))
    if (!includes(who.role, role)) return yield* tooSmall(who, role)
    if (who.signedInBy !== "token") yield* SigningIn.ofOwnPage(request)
    return who
  })
})

/** The first operator whom one of the ways shows. */
const firstOf = (ways: ReadonlyArray<Identify>): Identify =>
  Effect.fnUntraced(function* (request) {
    for (const way of ways) {
      const found = yield* way(request)
      if (found !== null) return found
    }
    return null
  })

/** The host's own word. */
const byHost =
  ({ authorize }: ByHost): Identify =>
  (request) =>
    Effect.map(
      Effect.promise(async () => await authorize(request)),
      (found) => {
        if (found === null) return null
        const operator = checked(found)
        return { ...operator, signedInBy: "host", owner: ownerOf("host", found.name) }
      }
    )

/** Programs without types give anything. */
const checked = ({ name, role }: Operator): Operator => {
  if (typeof name !== "string" || name.trim() === "" || !isRole(role)) {
    throw new TypeError("authorize must answer { name, role }, where role is support, operator or admin, or null")
  }
  return { name: name.slice(0, Operators.NAME), role }
}

/** A token of an operator in the header `authorization`. */
const byToken = (note: Note): Identify =>
  Effect.fnUntraced(function* (request) {
    const [, token] = BEARER.exec(headerOf(request, "authorization") ?? "") ?? []
    if (token === undefined) return null
    const granted = yield* Operators.ofToken(token)
    if (granted !== null) return signedIn(granted, "token")
    yield* note(request, "the operator's token is unknown or has expired")
    return yield* new Unauthorized({ message: "The operator's token is wrong or has expired." })
  })

const BEARER = /^Bearer +(wwo_\w+)$/i

/** The user that a proxy names; the header of any other sender says nothing. */
const byProxy = ({ addresses, header, roles }: ByProxy): Effect.Effect<Identify, Networks.NetworkError> =>
  Effect.map(Effect.fromResult(Networks.parse(addresses)), (proxies) =>
    Effect.fnUntraced(function* (request) {
      const { remoteAddress } = request
      if (remoteAddress === null || !Networks.contains(proxies, remoteAddress)) return null
      const user = headerOf(request, header)?.trim() ?? ""
      if (user === "") return null
      const role = roles.get(user) ?? roles.get("*")
      const name = user.slice(0, Operators.NAME)
      if (role !== undefined) return { name, role, signedInBy: "proxy", owner: ownerOf("proxy", user) }
      return yield* withoutRole(name)
    })
  )

/** The identity of a user. Of a long name it has a digest, so that two which begin alike are two. */
const ownerOf = (by: "host" | "proxy", user: string): string =>
  `${by} ${user.length > Operators.NAME ? `sha256:${keyHash(user)}` : user}`

const withoutRole = (user: string) =>
  new Forbidden({ message: `${user} has no role here: name it in CONSOLE_ROLES.`, reason: "role_support" })

/** The session of a browser, which a token or a link has opened. */
const bySession =
  (sessions: Sessions): Identify =>
  (request) =>
    Effect.map(sessions.of(request), (granted) =>
      granted === null ? null : signedIn(granted, granted.kind === "link" ? "link" : "cookie")
    )

const signedIn = ({ id, name, role }: Operators.Granted, signedInBy: SignedIn["signedInBy"]): SignedIn => ({
  name,
  role,
  signedInBy,
  owner: id
})
