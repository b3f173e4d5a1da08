/**
 * The operators' API: each command of operators is `POST operator/v1/…`, where its words stand for `…`, with its input in JSON.
 * Reads are POST too, so that no phone number is in an address, which proxies log.
 *
 * The handler answers below any prefix: it looks for `/operator/v1/` in the path, and all other paths are files of the page,
 * where it has one.
 */
import * as Networks from "@watchword/auth/Networks"
import { NotFound } from "@watchword/schemas/Errors"
import type { InstallationSecret } from "@watchword/send/pipeline"
import { type AnyCommand, checkRemote } from "../command/Command.ts"
import { notHere } from "../command/Faces.ts"
import { recorded } from "../command/OperatorLog.ts"
import { databaseCommands } from "../commands/DatabaseCommands.ts"
import * as SlowReads from "../command/SlowReads.ts"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { Handle, HostResponse } from "@watchword/server/Host"
import { ApiRequest, headerOf } from "@watchword/server/http"
import { Bodies } from "@watchword/server/http"
import { ClientAddresses as Clients } from "@watchword/server/http"
import { Drain } from "@watchword/server/http"
import { NO_STORE, envelope, jsonResponse, noEndpoint, respond, stopping } from "@watchword/server/http"
import { wrongMethod } from "@watchword/server/http"
import { Payload } from "@watchword/server/http"
import { inputOf, listed } from "./Described.ts"
import { documentOf } from "./Document.ts"
import * as Files from "./Files.ts"
import { type SignedIn, includes, tooSmall } from "../identity/Identity.ts"
import * as Sessions from "../identity/Sessions.ts"
import * as SigningIn from "../identity/SigningIn.ts"
import * as Strangers from "../identity/Strangers.ts"
import * as Streams from "./Streams.ts"
import { type ByHost, type ByTokens, type Who, byHost, byTokens } from "../identity/Who.ts"

/** Who may ask, and the page in front of the API. */
export type Options = (ByHost | ByTokens) & { readonly page?: Files.Page | null }

/** Makes handlers of a service. Their streams share queries. */
export type Operators = (options: Options) => Effect.Effect<Handle, Networks.NetworkError>

type Own = InstallationSecret | Settings | Store

export type { Page } from "./Files.ts"

const API = "/operator/v1/"
const WATCH = "watch/"
const MAX_BYTES = 65_536

/** The closing of the scope ends streams, and waits for requests in flight. */
export const make = <R>(
  commands: ReadonlyArray<AnyCommand<R>>
): Effect.Effect<Operators, never, R | Own | Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R | Own>()
    const scope = yield* Scope.Scope
    const sessions = yield* Sessions.make
    const remote = commands.filter(({ absent }) => absent.http === undefined)
    const elsewhere = new Map([...commands, ...databaseCommands].map((command) => [command.name.join("/"), command]))
    const byPath = new Map(remote.map((command) => [command.name.join("/"), command]))
    const payload = Payload.make(Bodies.make({ maxBytes: MAX_BYTES }))
    const streams = Streams.make(context)
    let document: object | null = null
    const reads = new Map<string, (who: SignedIn) => unknown>([
      ["openapi.json", () => (document ??= documentOf(remote))],
      ["me", ({ name, role, signedInBy }) => ({ name, role, signed_in_by: signedInBy })],
      ["commands", ({ role }) => listed(remote, role)]
    ])
    yield* Effect.addFinalizer(() => streams.close)

    const find = Effect.fnUntraced(function* (path: string, who: SignedIn) {
      const command = byPath.get(path)
      if (command === undefined) {
        const other = elsewhere.get(path)
        return yield* other === undefined ? noEndpoint : notHere(other, "http")
      }
      return includes(who.role, command.role) ? command : yield* tooSmall(who, command.role)
    })

    const run = Effect.fnUntraced(function* (request: ApiRequest, path: string, who: SignedIn) {
      const command = yield* find(path, who)
      if (who.signedInBy !== "token") yield* SigningIn.sameOrigin(request.host)
      const actor = { who: who.name, by: who.signedInBy === "token" ? "api" : "console" } as const
      const input = yield* payload(request, who.name, {})
      yield* checkRemote(command, input)
      const { isDone, json, lines } = yield* Effect.provideService(
        recorded(command, actor, input, seenAt(request)),
        SlowReads.Asker,
        who.name
      )
      const answer = isText(request) ? textResponse(request, yield* lines) : jsonResponse(request, 200, json)
      return isDone ? answer : { ...answer, headers: { ...answer.headers, [DONE]: "false" } }
    })

    const watch = Effect.fnUntraced(function* (request: ApiRequest, path: string, query: string, whoIs: Who) {
      const who = yield* reader(request, whoIs)
      const command = yield* find(path, who)
      if (!command.isWatchable) return yield* notWatchable
      const mayGoOn = Effect.match(Effect.provideContext(whoIs(request.host), context), {
        // Without the database there is no answer either, and the stream says so.
        onFailure: (error) => error instanceof StoreError,
        onSuccess: (now) => now.name === who.name && includes(now.role, command.role)
      })
      const body = yield* streams.open(command, inputOf(command.fields, query), who.owner, mayGoOn)
      const headers = { ...NO_STORE, ...NO_REFERRER, "content-type": "text/event-stream", "x-accel-buffering": "no" }
      return { status: 200, headers, body }
    })

    return (options) =>
      Effect.gen(function* () {
        const tokens = "tokens" in options ? options.tokens : null
        const trusted = tokens?.trustedProxies ?? []
        const clients = yield* Effect.fromResult(Clients.make(trusted))
        const proxies = yield* Effect.fromResult(Networks.parse(tokens?.proxy?.addresses ?? []))
        const strangers = Strangers.make(clients)
        const who =
          "tokens" in options ? byTokens(tokens?.proxy ?? null, proxies, sessions, strangers) : byHost(options)
        const signingIn = tokens === null ? null : SigningIn.make(sessions, clients, strangers)
        const page = options.page ?? null

        const route = (request: ApiRequest): Effect.Effect<HostResponse, unknown, R | Own> => {
          const { path, query } = placeOf(request)
          if (path === null) return outside(request)
          if (path === "session" && signingIn !== null) {
            if (request.method === "POST") return signingIn.open(request)
            return request.method === "DELETE" ? signingIn.end(request) : refused(request, "POST, DELETE")
          }
          const isWatched = path.startsWith(WATCH)
          const read = reads.get(path)
          const method = isWatched || read !== undefined ? "GET" : "POST"
          if (request.method !== method) return refused(request, method)
          if (isWatched) return watch(request, path.slice(WATCH.length), query, who)
          return read === undefined
            ? Effect.flatMap(who(request.host), (who) => run(request, path, who))
            : Effect.map(reader(request, who), (who) => jsonResponse(request, 200, read(who)))
        }

        const outside = (request: ApiRequest): Effect.Effect<HostResponse> => {
          const [path = ""] = request.host.path.split("?", 1)
          return page === null ? Effect.succeed(envelope(noEndpoint, request)) : Files.answer(page, request, path)
        }

        const answered: Handle = (host) => {
          const request = new ApiRequest(host)
          return Effect.suspend(() => route(request)).pipe(
            Effect.map(withoutReferrer),
            Effect.catchCause((cause) =>
              Cause.squash(cause) === Payload.tooLarge ? Effect.succeed(tooLarge(request)) : respond(cause, request)
            ),
            Effect.provideContext(context)
          )
        }

        const drained = yield* Effect.provideService(Drain.make(answered, refuse), Scope.Scope, scope)
        // A stream ends by itself when the service does.
        return (host) =>
          placeOf(new ApiRequest(host)).path?.startsWith(WATCH) === true ? answered(host) : drained(host)
      })
  })

/**
 * The beginning of the second in which a client has read what it changes (RFC 9110, 13.1.4): a change within it may be later than
 * the read, and to look again costs nothing. Null without a time.
 */
const seenAt = ({ host }: ApiRequest): number | null => {
  const at = Date.parse(headerOf(host, "if-unmodified-since") ?? "")
  return Number.isNaN(at) ? null : at
}

/** The sender of a read, which no page of another site may ask for either. */
const reader = ({ host }: ApiRequest, whoIs: Who) =>
  Effect.tap(whoIs(host), ({ signedInBy }) => (signedInBy === "token" ? Effect.void : SigningIn.notElsewhere(host)))

const DONE = "watchword-done"

const NO_REFERRER = { "referrer-policy": "no-referrer" } as const

const withoutReferrer = (answer: HostResponse): HostResponse => ({
  ...answer,
  headers: { ...NO_REFERRER, ...answer.headers }
})

/** The path behind the prefix and the API's own, and the query; null for a path that is not the API's. */
const placeOf = ({ host }: ApiRequest): { readonly path: string | null; readonly query: string } => {
  const [path = "", ...query] = host.path.split("?")
  const at = path.lastIndexOf(API)
  return { path: at < 0 ? null : path.slice(at + API.length), query: query.join("?") }
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

const tooLarge = (request: ApiRequest): HostResponse =>
  jsonResponse(request, 413, {
    error: "PAYLOAD_TOO_LARGE",
    message: "The request body is too large.",
    request_id: request.requestId
  })

const refused = (request: ApiRequest, methods: string): Effect.Effect<HostResponse> =>
  Effect.succeed(wrongMethod(request, methods.split(", ")))

const notWatchable = Effect.fail(
  new NotFound({ message: "This command's answers cannot be followed; ask it by POST." })
)

const refuse: Handle = (host) => Effect.sync(() => envelope(stopping, new ApiRequest(host)))
