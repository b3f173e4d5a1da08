/**
 * The operators' API: each operator command is `POST operator/v1/…`, with the command's words instead of `…` and its
 * input as JSON. Reads are POST too, so that no phone number is in an address, which proxies log.
 *
 * The handler answers below any prefix: it looks for `/operator/v1/` in the path, and all other paths are files of the
 * page, if there is a page.
 */
import type * as Networks from "@watchword/auth/Networks"
import { NotFound } from "@watchword/schemas/Errors"
import type { InstallationSecret } from "@watchword/send/pipeline"
import { type AnyCommand, type Role, checkRemote } from "../command/Command.ts"
import { notHere } from "../command/Faces.ts"
import { recorded } from "../command/OperatorLog.ts"
import { databaseCommands } from "../commands/DatabaseCommands.ts"
import * as SlowReads from "../command/SlowReads.ts"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { Handle, HostResponse } from "@watchword/server/Host"
import {
  ApiRequest,
  Bodies,
  Drain,
  EventStream,
  Payload,
  type Route,
  envelope,
  headerOf,
  jsonResponse,
  noEndpoint,
  respond,
  router,
  stopping,
  wrongMethod
} from "@watchword/server/http"
import { documentOf, endpointOf } from "./Contract.ts"
import { inputOf, listed } from "./Described.ts"
import * as Files from "./Files.ts"
import * as Identify from "../identity/Identify.ts"
import { type SignedIn, includes } from "../identity/Identity.ts"
import * as Sessions from "../identity/Sessions.ts"
import * as Streams from "./Streams.ts"

/** Who may ask, and the page in front of the API. */
export type Options = (Identify.ByHost | Identify.ByTokens) & { readonly page?: Files.Page | null }

/** Makes handlers of a service. Their streams share queries. */
export type Operators = (options: Options) => Effect.Effect<Handle, Networks.NetworkError>

type Own = InstallationSecret | Settings | Store

export type { Page } from "./Files.ts"

const API = "/operator/v1/"
const WATCH = "/watch/"
const MAX_BYTES = 65_536

/** The closing of the scope ends streams, and waits for requests in flight. */
export const make = <R>(
  commands: ReadonlyArray<AnyCommand<R>>
): Effect.Effect<Operators, never, R | Own | Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R | Own>()
    const scope = yield* Scope.Scope
    const sessions = yield* Sessions.make
    const served = commands.filter(({ absent }) => absent.http === undefined)
    const elsewhere = new Map([...commands, ...databaseCommands].map((command) => [command.name.join("/"), command]))
    const payload = Payload.make(Bodies.make({ maxBytes: MAX_BYTES }))
    const streams = Streams.make(context)
    let document: object | null = null
    yield* Effect.addFinalizer(() => streams.close)

    const run = Effect.fnUntraced(function* (command: AnyCommand<R>, request: ApiRequest, who: SignedIn) {
      const actor = { who: who.name, identity: who.owner, by: who.signedInBy === "token" ? "api" : "console" } as const
      const input = yield* payload(request, who.owner, {})
      yield* checkRemote(command, input)
      const { isDone, json, lines } = yield* Effect.provideService(
        recorded(command, actor, input, seenAt(request)),
        SlowReads.Asker,
        who.owner
      )
      const answer = isText(request) ? textResponse(request, yield* lines) : jsonResponse(request, 200, json)
      return isDone ? answer : { ...answer, headers: { ...answer.headers, [DONE]: "false" } }
    })

    const routesOf = ({ authorize, identify, signingIn }: Identify.Identification): ReadonlyArray<Route<R | Own>> => {
      /** Identifies the operator first, and then answers. */
      const asked = (
        { method, path }: Omit<Route, "answer">,
        role: Role,
        answer: (request: ApiRequest, who: SignedIn) => Effect.Effect<HostResponse, unknown, R | Own>
      ): Route<R | Own> => ({
        method,
        path,
        answer: (request) => Effect.flatMap(authorize(request.host, role), (who) => answer(request, who))
      })

      const watch = Effect.fnUntraced(function* (command: AnyCommand<R>, request: ApiRequest, who: SignedIn) {
        if (!command.isWatchable) return yield* notWatchable
        const mayGoOn = Effect.match(Effect.provideContext(identify(request.host), context), {
          // Without the database the command fails as well, and the stream reports that.
          onFailure: (error) => error instanceof StoreError,
          onSuccess: (now) => now?.owner === who.owner && includes(now.role, command.role)
        })
        const events = yield* streams.open(command, inputOf(command.fields, request.host.path), who.owner)
        return yield* EventStream.respond(request, events, mayGoOn)
      })

      const read = (path: Route["path"], answer: (who: SignedIn) => unknown) =>
        asked({ method: "GET", path }, "support", (request, who) =>
          Effect.sync(() => jsonResponse(request, 200, answer(who)))
        )

      return [
        ...served.flatMap((command) => {
          const endpoint = endpointOf(command)
          const watched = { method: "GET", path: `/watch${endpoint.path}` } as const
          return [
            asked(endpoint, command.role, (request, who) => run(command, request, who)),
            asked(watched, command.role, (request, who) => watch(command, request, who))
          ]
        }),
        read("/openapi.json", () => (document ??= documentOf(served))),
        read("/me", ({ name, role, signedInBy }) => ({ name, role, signed_in_by: signedInBy })),
        read("/commands", ({ role }) => listed(served, role)),
        ...signingIn
      ]
    }

    return (options) =>
      Effect.gen(function* () {
        const identification = yield* Identify.make(options, sessions)
        const { authorize } = identification

        const nowhere = Effect.fnUntraced(function* (request: ApiRequest, path: string) {
          const isWatched = path.startsWith(WATCH)
          const method = isWatched ? "GET" : "POST"
          if (request.method !== method) return wrongMethod(request, [method])
          yield* authorize(request.host, "support")
          const command = elsewhere.get(path.slice(isWatched ? WATCH.length : 1))
          return yield* command === undefined ? Effect.fail(noEndpoint) : notHere(command, "http")
        })

        const made = () => {
          const routes = routesOf(identification)
          return { answer: router(routes, failed), paths: new Set<string>(routes.map(({ path }) => path)) }
        }
        // Made for the first request, so that the start of a server waits for no page.
        let routed: ReturnType<typeof made> | null = null

        const answered: Handle = (host) => {
          const path = pathOf(host.path)
          if (path === null)
            return Effect.map(Files.answer(options.page ?? null, new ApiRequest(host)), withoutReferrer)
          const request = new ApiRequest(host)
          const [resource = ""] = path.split("?", 1)
          routed ??= made()
          const answer = routed.paths.has(resource)
            ? routed.answer(request, path)
            : Effect.catchCause(nowhere(request, resource), (cause) => failed(cause, request))
          return Effect.provideContext(Effect.map(timed(answer), withoutReferrer), context)
        }

        const drained = yield* Effect.provideService(Drain.make(answered, refuse), Scope.Scope, scope)
        // A stream ends by itself when the service does.
        return (host) => (pathOf(host.path)?.startsWith(WATCH) === true ? answered(host) : drained(host))
      })
  })

/**
 * When a client read the values that it changes, by `If-Unmodified-Since`: the time of a `X-Read-At`, or an HTTP date,
 * which is the beginning of a second (RFC 9110, 13.1.4), so that a change within that second counts as later. Null
 * without a time.
 */
const seenAt = ({ host }: ApiRequest): number | null => {
  const at = Date.parse(headerOf(host, "if-unmodified-since") ?? "")
  return Number.isNaN(at) ? null : at
}

/** In milliseconds: the longest time that a change may take after its entry in the log. */
const APPLIED_WITHIN = 100

/**
 * Adds the time since which changes may be missing from an answer, to the millisecond. `Date` has seconds only. A
 * conflict names the change of another operator, so nothing before it is missing.
 */
const timed = <R>(answer: Effect.Effect<HostResponse, never, R>): Effect.Effect<HostResponse, never, R> =>
  Effect.flatMap(Clock.currentTimeMillis, (at) =>
    Effect.map(answer, (response) => {
      const since = response.status === 409 ? at : at - APPLIED_WITHIN
      return { ...response, headers: { ...response.headers, "x-read-at": new Date(since).toISOString() } }
    })
  )

const DONE = "watchword-done"

const NO_REFERRER = { "referrer-policy": "no-referrer" } as const

const withoutReferrer = (answer: HostResponse): HostResponse => ({
  ...answer,
  headers: { ...NO_REFERRER, ...answer.headers }
})

/** The path behind the prefix and the API's own, and the query; null for a path that is not the API's. */
const pathOf = (given: string): string | null => {
  const [path = "", ...query] = given.split("?")
  const at = path.lastIndexOf(API)
  // The router decodes paths, and a command has one spelling, by which proxies and the draining recognise it.
  return at < 0 ? null : [`/${path.slice(at + API.length).replaceAll("%", "%25")}`, ...query].join("?")
}

const isText = ({ host }: ApiRequest): boolean => headerOf(host, "accept")?.startsWith("text/plain") === true

const textResponse = (request: ApiRequest, lines: ReadonlyArray<string>): HostResponse => {
  const answer = jsonResponse(request, 200, null)
  return {
    ...answer,
    headers: { ...answer.headers, "content-type": "text/plain; charset=utf-8" },
    body: `${lines.join("\n")}\n`
  }
}

const failed: typeof respond = (cause, request, declared) =>
  Cause.squash(cause) === Payload.tooLarge ? Effect.succeed(tooLarge(request)) : respond(cause, request, declared)

const tooLarge = (request: ApiRequest): HostResponse =>
  jsonResponse(request, 413, {
    error: "PAYLOAD_TOO_LARGE",
    message: "The request body is too large.",
    request_id: request.requestId
  })

const notWatchable = Effect.fail(new NotFound({ message: "This command's answers cannot be streamed; use POST." }))

const refuse: Handle = (host) => Effect.sync(() => envelope(stopping, new ApiRequest(host)))
