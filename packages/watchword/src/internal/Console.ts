/**
 * The operators' API of a service and its page, for hosts that mount them behind their own sign-in, or behind
 * operators' tokens.
 */
import { type HandlePromise, type HostRequest, isStream, toPromise, within599 } from "@watchword/server/Host"
import * as Api from "@watchword/operator/http"
import type { Operator } from "@watchword/operator/identity"
import { bodyOf, streamOf } from "@watchword/server/web"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { commands } from "@watchword/operator/commands"
import { type StartSetting, StartSettings } from "@watchword/operator/Installation"
import { Readers } from "@watchword/send/rehearsal"
import * as Inside from "./Inside.ts"
import { readers } from "./Rehearsing.ts"
import { ServiceScope } from "./ServiceScope.ts"

export type { Operator } from "@watchword/operator/identity"

/** Who may ask, the page, and the settings that a server was started with, which operators may see. */
export type HandleOptions = Api.Options & { readonly settings?: ReadonlyArray<StartSetting> }

/**
 * The operators' API of a service, `operator/v1/…`, and the console where its page is given, for the adapters of hosts,
 * as `service.handle` is the interface. It works under any prefix. Make it once: its streams share queries.
 *
 * Throws without `authorize`, which says who sends a request: an open console is found.
 *
 * @example
 * ```ts
 * import { nodeHandler } from "@watchword/node"
 * import { createServer } from "node:http"
 * import { consoleHandle, createWatchword, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * const isAnna = (cookie: unknown) => cookie === "my-session=anna"
 * const handle = consoleHandle(service, {
 *   authorize: ({ headers }) => (isAnna(headers["cookie"]) ? { name: "anna", role: "support" } : null)
 * })
 * createServer(nodeHandler(handle, { basePath: "/ops" })).listen(8081)
 * ```
 */
export const consoleHandle = (service: Inside.Running, options: HandleOptions): HandlePromise => {
  checkGiven(options)
  const context = Inside.of(service, "the console").context.pipe(
    Context.add(StartSettings, options.settings ?? []),
    Context.add(Readers, readers)
  )
  const made = Effect.gen(function* () {
    const scope = yield* ServiceScope
    const handlers = yield* Effect.provideService(Api.make(commands), Scope.Scope, scope)
    return yield* handlers(options)
  })
  return toPromise(Effect.runSyncWith(context)(made), context)
}

const checkGiven = (given: unknown): void => {
  const isDecided =
    typeof given === "object" &&
    given !== null &&
    (("authorize" in given && typeof given.authorize === "function") || "tokens" in given)
  if (!isDecided) {
    throw new TypeError(
      "The console needs authorize: (request) => ({ name, role }) for an operator, where role is support, operator or admin, " +
        "and null for all others."
    )
  }
}

/** Options of a host that speaks fetch. */
export interface HostOptions {
  /** Who sends a request, by the host's own sign-in; null for no operator. */
  readonly authorize: (request: Request) => Operator | null | PromiseLike<Operator | null>
  /** The page of `@watchword/console`; without it only the API is served. */
  readonly page?: Api.Page
}

export type ConsoleHandler = (request: Request) => Promise<Response>

/**
 * The console and the operators' API as a function from Request to Response, for Hono, Next, Bun, Deno and Workers. It
 * finds its own prefix; the page is at its folder, with a slash at the end.
 *
 * Throws without `authorize`: an open console is found.
 *
 * @example
 * ```ts
 * import { consoleHandler, createWatchword, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * const ops = consoleHandler(service, {
 *   authorize: (request) => (request.headers.get("x-my-session") === "anna" ? { name: "anna", role: "admin" } : null)
 * })
 * const headers = { "x-my-session": "anna", "sec-fetch-site": "same-origin" }
 * const me = await ops(new Request("https://example.com/ops/operator/v1/me", { headers }))
 * console.log(await me.json()) // { name: "anna", role: "admin", signed_in_by: "host" }
 * await service.dispose()
 * ```
 */
export const consoleHandler = (service: Inside.Running, options: HostOptions): ConsoleHandler => {
  checkGiven(options)
  const { authorize, page } = options
  const requests = new WeakMap<HostRequest, Request>()
  const handle = consoleHandle(service, {
    authorize: (host) => {
      const request = requests.get(host)
      return request === undefined ? null : authorize(request)
    },
    ...(page === undefined ? {} : { page })
  })
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const host = {
      method: request.method,
      path: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: bodyOf(request),
      remoteAddress: null
    }
    requests.set(host, request)
    const { body, headers, status } = within599(await handle(host))
    // Workers would compress a body that is compressed already.
    const init = { status, headers, encodeBody: "manual" }
    if (status === 204 || status === 304 || body === null) return new Response(null, init)
    return new Response(
      isStream(body) ? streamOf(body) : body instanceof Uint8Array ? new Uint8Array(body) : body,
      init
    )
  }
}
