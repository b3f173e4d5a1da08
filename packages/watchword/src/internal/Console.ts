/**
 * The operators' API of a service and its page, for hosts that mount them behind their own sign-in, or behind
 * operators' tokens.
 */
import { type HandlePromise, type HostHeaders, isStream, toPromise, within599 } from "@watchword/server/Host"
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

/** A request as `authorize` sees it. */
export interface ConsoleRequest {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  /** The address of the socket's other end; null if the host does not know it. */
  readonly remoteAddress: string | null
}

interface ByHost {
  /** Who sends a request, by the host's own sign-in; null for no operator. */
  readonly authorize: (request: ConsoleRequest) => Operator | null | PromiseLike<Operator | null>
  /** The page of `@watchword/console`; without it only the API is served. */
  readonly page?: Api.Page
}

type ByTokens = Extract<Api.Options, { readonly tokens: object }>

/** Who may ask, the page, and the settings that a server was started with, which operators may see. */
export type ConsoleOptions = (ByHost | ByTokens) & { readonly settings?: ReadonlyArray<StartSetting> }

/** The operators' API, and the console if its page is given. */
export interface Console {
  /** For the adapters of hosts: `watchword(console)`. */
  readonly handle: HandlePromise
  /** For hosts that speak fetch. */
  readonly fetch: (request: Request) => Promise<Response>
}

/**
 * The operators' API of a service, `operator/v1/…`, and the console if its page is given. An adapter mounts it as it
 * mounts a service. It finds its own prefix; the page is at its folder, with a slash at the end. Make it once: its
 * streams share queries.
 *
 * Throws without `authorize`, which says who sends a request: an open console gets found.
 *
 * @example
 * ```ts
 * import { watchword } from "@watchword/node"
 * import { createServer } from "node:http"
 * import { createWatchword, memory, watchwordConsole } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * const ops = watchwordConsole(service, {
 *   authorize: ({ headers }) => (headers.get("x-my-session") === "anna" ? { name: "anna", role: "admin" } : null)
 * })
 * createServer(watchword(ops, { basePath: "/ops" })).listen(8081)
 *
 * const headers = { "x-my-session": "anna", "sec-fetch-site": "same-origin" }
 * const me = await ops.fetch(new Request("https://example.com/ops/operator/v1/me", { headers }))
 * console.log(await me.json()) // { name: "anna", role: "admin", signed_in_by: "host" }
 * ```
 */
export const watchwordConsole = (service: Inside.Running, options: ConsoleOptions): Console => {
  checkGiven(options)
  const context = Inside.of(service, "the console").context.pipe(
    Context.add(StartSettings, options.settings ?? []),
    Context.add(Readers, readers)
  )
  const made = Effect.gen(function* () {
    const scope = yield* ServiceScope
    const handlers = yield* Effect.provideService(Api.make(commands), Scope.Scope, scope)
    return yield* handlers("tokens" in options ? options : asked(options))
  })
  const handle = toPromise(Effect.runSyncWith(context)(made), context)
  return { handle, fetch: fetching(handle) }
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

const asked = ({ authorize, page }: ByHost): Api.Options => ({
  authorize: ({ headers, method, path, remoteAddress }) =>
    authorize({ method, path, headers: headersOf(headers), remoteAddress }),
  ...(page === undefined ? {} : { page })
})

const headersOf = (given: HostHeaders): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    // HTTP/2's pseudo-headers, such as `:path`, are not headers.
    if (value === undefined || name.startsWith(":")) continue
    for (const one of typeof value === "string" ? [value] : value) headers.append(name, one)
  }
  return headers
}

const fetching =
  (handle: HandlePromise): Console["fetch"] =>
  async (request) => {
    const { pathname, search } = new URL(request.url)
    const host = {
      method: request.method,
      path: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: bodyOf(request),
      remoteAddress: null
    }
    const { body, headers, status } = within599(await handle(host))
    // Workers would compress a body that is already compressed.
    const init = { status, headers, encodeBody: "manual" }
    if (status === 204 || status === 304 || body === null) return new Response(null, init)
    return new Response(
      isStream(body) ? streamOf(body) : body instanceof Uint8Array ? new Uint8Array(body) : body,
      init
    )
  }
