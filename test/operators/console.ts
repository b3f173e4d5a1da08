/**
 * A service whose operators' API is served on a socket, for tests.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { OperatorCommands } from "@watchword/operator/commands"
import { type Serving, serve } from "@watchword/node"
import * as Settings from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { type Options, type Watchword, createWatchword, memory, watchwordConsole } from "watchword"

export type Role = "support" | "operator" | "admin"

export interface Console {
  readonly service: Watchword
  readonly origin: string
  /** Ends the server and its service. */
  readonly end: () => Promise<void>
  /** Requests a path below `/operator/v1/` with a POST, unless `init` says otherwise. */
  readonly ask: (path: string, init?: Asking) => Promise<Answer>
  /** Grants a token, as the host itself. */
  readonly grant: (role: Role, more?: object) => Promise<{ readonly id: string; readonly token: string }>
  /** The valid tokens and sessions. */
  readonly operators: () => Promise<ReadonlyArray<Record<string, unknown>>>
  /** Runs a command as the host. */
  readonly asHost: (path: string, input: object) => Promise<Record<string, unknown>>
}

export interface Asking {
  readonly method?: string
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Record<string, unknown>
}

const running: Array<() => Promise<void>> = []

/** Ends everything that tests have started, for `afterEach`. */
export const endAll = async (): Promise<void> => {
  for (const end of running.splice(0)) await end()
}

type Tokens = Extract<Parameters<typeof watchwordConsole>[1], { readonly tokens: object }>

export const start = async (
  tokens: Tokens["tokens"] = {},
  options: Partial<Options> = {},
  more: Pick<Tokens, "page"> = {}
): Promise<Console> => {
  const service = await createWatchword({ store: memory(), ...options })
  const serving = await serve(watchwordConsole(service, { tokens, ...more }), { port: 0 })
  let ending: Promise<void> | null = null
  const end = () => (ending ??= stop(service, serving))
  running.push(end)
  const origin = `http://127.0.0.1:${serving.port}`
  const host = watchwordConsole(service, { authorize: () => ({ name: "host", role: "admin" }) }).fetch

  const ask: Console["ask"] = async (path, { body, headers = {}, method = "POST", token } = {}) => {
    const response = await fetch(`${origin}/operator/v1/${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    return answerOf(response)
  }

  const asHost: Console["asHost"] = async (path, input) => {
    const response = await host(
      new Request(`${origin}/operator/v1/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
        body: JSON.stringify(input)
      })
    )
    const { json, status } = await answerOf(response)
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`)
    return json
  }

  return {
    service,
    origin,
    end,
    ask,
    asHost,
    operators: async () => listOf((await asHost("operator/list", {}))["operators"]),
    grant: async (role, more = {}) => {
      const { id, token } = await asHost("operator/grant", { name: role, role, ...more })
      return { id: String(id), token: String(token) }
    }
  }
}

const listOf = Schema.decodeUnknownSync(Schema.Array(Schema.Record(Schema.String, Schema.Unknown)))

const stop = async (service: Watchword, serving: Serving) => {
  await service.dispose()
  await serving.close()
}

/** The headers that the console's own pages send with each request. */
export const own = { "sec-fetch-site": "same-origin" }

/** Signs a browser in with a token or a link. */
export const signIn = (
  { ask }: Pick<Console, "ask">,
  body: object,
  headers: Readonly<Record<string, string>> = {}
): Promise<Answer> => ask("session", { body, headers: { ...own, ...headers } })

/** The cookie as a browser sends it back. */
export const cookieOf = ({ headers }: Answer): { readonly cookie: string } => ({
  cookie: (headers.get("set-cookie") ?? "").split(";", 1)[0] ?? ""
})

/** The operator whom a request is attributed to, or the status of a refusal. */
export const me = async ({ ask }: Pick<Console, "ask">, headers: Readonly<Record<string, string>>) => {
  const { json, status } = await ask("me", { method: "GET", headers: { ...own, ...headers } })
  return status === 200 ? json : status
}

/** The link printed by `watchword console open`, run on the database of a server. */
export const openLink = async (
  store: Layer.Layer<Store, StoreError, ChannelRegistry.ChannelRegistry>,
  input: object = {}
): Promise<string> => {
  const services = Settings.layer.pipe(Layer.provideMerge(store), Layer.provide(ChannelRegistry.layerBuiltIn))
  const { json } = await Effect.runPromise(Effect.provide(OperatorCommands.openConsole.answer(input), services))
  return /#link=(wwl_\w+)/.exec(JSON.stringify(json))?.[1] ?? ""
}

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const isJson = response.headers.get("content-type") === "application/json"
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} }
}
