/**
 * The operators' API of a service and its page, for hosts that mount them behind their own sign-in, or behind operators' tokens.
 */
import { type Handle, type HandlePromise, type HostRequest, isStream, within599 } from "@watchword/server/Host"
import * as Api from "@watchword/server/internal/operators/Api"
import type { Operator } from "@watchword/server/internal/operators/Identity"
import { bodyOf, streamOf } from "@watchword/server/internal/WebMessages"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Needs, commands } from "./Commands.ts"

export type { Options } from "@watchword/server/internal/operators/Api"
export type { Operator } from "@watchword/server/internal/operators/Identity"

/** Makes the handlers of the API. */
export class Console extends Context.Service<Console, Api.Operators>()("watchword/Console") {}

export const layer: Layer.Layer<Console, never, Needs> = Layer.effect(Console, Api.make(commands))

/** Throws for options without `authorize`, and for a proxy whose address cannot be read. */
export const handleOf = (operators: Api.Operators, options: Api.Options): Handle => {
  checkGiven(options)
  return Effect.runSync(operators(options))
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
  /** The page of `@watchword/console`; without it there is the API alone. */
  readonly page?: Api.Page
}

export type ConsoleHandler = (request: Request) => Promise<Response>

/**
 * The console and the operators' API as a function from Request to Response, for Hono, Next, Bun, Deno and Workers. It finds its
 * own prefix; the page is at its folder, with a slash at the end.
 *
 * Throws without `authorize`: an open console is found.
 *
 * @example
 * ```ts
 * import * as MemoryStore from "@watchword/store/MemoryStore"
 * import { consoleHandler, createWatchword } from "watchword"
 *
 * const service = await createWatchword({ store: MemoryStore.layer })
 * const ops = consoleHandler(service, {
 *   authorize: (request) => (request.headers.get("x-my-session") === "anna" ? { name: "anna", role: "admin" } : null)
 * })
 * const me = await ops(new Request("https://example.com/ops/operator/v1/me", { headers: { "x-my-session": "anna" } }))
 * console.log(await me.json()) // { name: "anna", role: "admin", signed_in_by: "host" }
 * await service.dispose()
 * ```
 */
export const consoleHandler = (
  service: { readonly console: (options: Api.Options) => HandlePromise },
  options: HostOptions
): ConsoleHandler => {
  checkGiven(options)
  const { authorize, page } = options
  const requests = new WeakMap<HostRequest, Request>()
  const handle = service.console({
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
