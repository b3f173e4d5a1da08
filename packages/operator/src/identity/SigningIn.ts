/**
 * Sessions of browsers: opened by a token or by the link of `watchword console open`, and ended.
 *
 * Pages of other sites cannot sign a browser in or out: a browser says in `Sec-Fetch-Site` where a request comes from
 * (W3C Fetch Metadata Request Headers §2.3).
 */
import * as Operators from "./Operators.ts"
import {
  type BadRequest,
  Forbidden,
  TooManyRequests,
  Unauthorized,
  badRequest,
  invalid
} from "@watchword/schemas/Errors"
import type { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as Schema from "effect/Schema"
import type { HostRequest, HostResponse } from "@watchword/server/Host"
import { type ApiRequest, headerOf } from "@watchword/server/http"
import { Bodies } from "@watchword/server/http"
import type { Clients, Route } from "@watchword/server/http"
import { NO_STORE } from "@watchword/server/http"
import { Payload } from "@watchword/server/http"
import * as Sessions from "./Sessions.ts"
import type { Note } from "./Identity.ts"

/**
 * Fails for a request that a page of another site may have sent, or one without a browser. Reads fail too, because the
 * name of such a page may be made to resolve to this machine; a person may open their address.
 */
export const ofOwnPage = (request: HostRequest): Effect.Effect<void, Forbidden> => {
  const site = headerOf(request, "sec-fetch-site")
  return site === "same-origin" || (request.method === "GET" && site === "none") ? Effect.void : elsewhere
}

const elsewhere = Effect.fail(
  new Forbidden({
    message:
      "A browser can sign in, read and change data only from the console's own page, over HTTPS or on the machine itself; a " +
      "program sends authorization: Bearer wwo_… with an operator's token.",
    reason: "other_site"
  })
)

const MAX_BYTES = 4_096
const IN_READING = 16

/** `POST session` with a token or a link, and `DELETE session`. A session is of no operator before it is opened. */
export const routes = (
  sessions: Sessions.Sessions,
  clients: Clients,
  note: Note
): ReadonlyArray<Route<Settings | Store>> => {
  const payload = Payload.make(Bodies.make({ maxBytes: MAX_BYTES, inReading: IN_READING }))
  const open = Effect.fnUntraced(function* (request: ApiRequest) {
    const { host } = request
    yield* ofOwnPage(host)
    const network = clients.networkOf(host)
    const shown = yield* Effect.flatMap(payload(request, network, {}), read)
    const added = yield* tried(network)
    const granted = yield* "token" in shown ? Operators.signIn(shown.token) : Operators.redeem(shown.link)
    if (granted === null) return yield* refused("token" in shown)
    yield* Store.use((store) => store.uncount(added))
    return done(yield* sessions.open(host, granted))
  })
  const end = Effect.fnUntraced(function* ({ host }: ApiRequest) {
    yield* ofOwnPage(host)
    const granted = yield* sessions.of(host)
    // A link opened only its session.
    if (granted?.kind === "link") yield* Operators.revoke(granted.id)
    return done(Sessions.ended(host))
  })
  const path = "/session"
  return [
    { method: "POST", path, answer: (request) => Effect.onExit(open(request), noted(request.host, note)) },
    { method: "DELETE", path, answer: end }
  ]
}

const SIGN_INS = Metric.counter("watchword_operator_sign_ins_total", {
  description: "Tries to open a session of an operator: done, or refused for a wrong token or link or too many tries.",
  incremental: true
})

/** Requests that are not from a page, or have neither a token nor a link, do not count. */
const noted =
  (request: HostRequest, note: Note) =>
  (exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> => {
    if (Exit.isSuccess(exit)) return count("done")
    const error = Cause.squash(exit.cause)
    if (!(error instanceof Unauthorized || error instanceof TooManyRequests)) return Effect.void
    const reason = error instanceof Unauthorized ? "the operator's token or link is wrong" : "too many sign-in attempts"
    return Effect.andThen(count("refused"), note(request, reason))
  }

const count = (outcome: "done" | "refused") => Metric.update(Metric.withAttributes(SIGN_INS, { outcome }), 1)

type Shown = { readonly token: string } | { readonly link: string }

const Body = Schema.Struct({ token: Schema.optionalKey(Schema.String), link: Schema.optionalKey(Schema.String) })
const decode = Schema.decodeUnknownEffect(Body, { onExcessProperty: "error" })

const read = Effect.fnUntraced(function* (body: unknown): Effect.fn.Return<Shown, BadRequest> {
  const { link, token } = yield* Effect.mapError(decode(body), (error) => badRequest(error))
  if (token !== undefined && link === undefined) return { token }
  if (link !== undefined && token === undefined) return { link }
  return yield* invalid([{ path: "token", message: "is required unless there is a link" }])
})

const MINUTE = 60_000
const TRIES = 5

/**
 * Counts a try of a network before it is looked at, so that many at once are counted too. The count of a successful
 * attempt is removed.
 */
const tried = Effect.fnUntraced(function* (network: string) {
  const counter = {
    key: `operator-sign-in:${network}`.slice(0, 64),
    window: MINUTE,
    slice: MINUTE / 6,
    amount: 1,
    limit: TRIES
  }
  const { added, counted, tallies } = yield* Store.use((store) => store.count([counter]))
  if (counted) return added
  return yield* new TooManyRequests({
    message: "Too many sign-in attempts; wait a minute.",
    reason: "too_many_sign_ins",
    retryAfter: Math.max(1, Math.ceil((tallies[0]?.freeIn ?? MINUTE) / 1_000))
  })
})

const refused = (isToken: boolean) =>
  Effect.fail(
    new Unauthorized({
      message: isToken
        ? "The token is wrong or has expired."
        : "The link was already used or is older than a minute: run watchword console open again."
    })
  )

const done = (cookie: string): HostResponse => ({
  status: 204,
  headers: { ...NO_STORE, "set-cookie": cookie },
  body: null
})
