/**
 * Receives an identity server's hook on any host: it authenticates the request, delivers the code and answers in the
 * server's own format. Any request that does not come from the identity server gets a 401, and nothing else happens.
 */
import { Bodies } from "@watchword/server/http"
import { ClientAddresses as Clients } from "@watchword/server/http"
import type { Endpoints, HandlePromise, HostBody, HostHeaders, HostRequest, HostResponse } from "@watchword/server/Host"
import { bodyOf } from "@watchword/server/web"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { jsonOf, textOf } from "./Fields.ts"
import type { Hmac } from "./Hmac.ts"
import { type Message, type Outcome, type Sender, type StartOptions, outcomeOf, send, sent } from "./Sending.ts"

export interface AuthHook {
  /**
   * Answers a request from any host, wherever the host mounts it. The other adapters accept it instead of a service.
   */
  readonly handle: HandlePromise
  /** The hook's one endpoint, for hosts that mount it at their root: `POST /hooks/` and the server's name. */
  readonly endpoints: Endpoints
  /** The same for hosts that speak fetch: Deno, Bun, Hono, Next, Workers. */
  readonly fetch: (request: Request) => Promise<Response>
}

/** Options common to all hooks, in addition to the server's secret. */
export type HookOptions<Caller> = Sender<Caller> & {
  /**
   * How codes are sent: workflow, template, locale and any other start options; a function chooses them by message
   * type. Defaults to the account's settings.
   */
  readonly start?: StartOptions | ((message: Pick<Message, "to" | "type">) => StartOptions)
  /**
   * Milliseconds after which the server is answered that the code is on its way, even though it is still being sent:
   * 4,000 by default. Identity servers wait for 5 seconds.
   */
  readonly answerWithin?: number
  /**
   * Addresses and CIDR ranges of proxies whose X-Forwarded-For is trusted, so that strangers behind them can be
   * distinguished from the identity server. None by default; a host that determines the client's address itself has its
   * own setting.
   */
  readonly trustedProxies?: ReadonlyArray<string>
  /** The clock, in milliseconds since the epoch; `Date.now` by default. */
  readonly now?: () => number
  /** Receives the reason why a code was not sent; the console by default. */
  readonly logger?: { readonly error: (message: string) => void }
}

/** One kind of identity server. */
export interface Source {
  /** Its name, in lower case. */
  readonly name: string
  /** The key of signatures, or one derived from another secret that the server and the hook share. */
  readonly hmac: Hmac
  /** Whether the headers may be the server's. A body is read only then. */
  readonly isExpected: (headers: HostHeaders, now: number) => boolean | Promise<boolean>
  /** Whether the server has signed these bytes; null if the headers say it all. */
  readonly isSigned: ((headers: HostHeaders, bytes: Uint8Array) => Promise<boolean>) | null
  /** The message in a payload; null if there is no message. */
  readonly messageOf: (payload: unknown) => Message | null
  readonly answer: (outcome: Outcome) => HostResponse
}

/** Returns an option that the hook requires. Throws a `TypeError` that names the option if it is missing. */
export const required = <O extends object, K extends keyof O>(options: O, name: K, otherwise: string): O[K] => {
  const value = Object(options)[name]
  if (!value) throw new TypeError(`${otherwise}; is its environment variable set?`)
  return value
}

/** More than an identity server sends about a user. */
const MAX_BODY_BYTES = 262_144

export const make = <Caller>(source: Source, options: HookOptions<Caller>): AuthHook => {
  if (!isSender(options)) throw new TypeError(`the ${source.name} hook needs service and caller, or a client`)
  const { answerWithin = 4_000, logger = globalThis.console, now = Date.now, start = {}, trustedProxies = [] } = options
  const clients = Result.getOrThrowWith(
    Clients.make(trustedProxies),
    ({ entry, message }) => new TypeError(`the trusted proxy ${entry} of the ${source.name} hook ${message}`)
  )
  const withBody = Bodies.ofStrangers(MAX_BODY_BYTES, clients)

  const log = (said: string): void => logger.error(`The ${source.name} hook: ${said}`)

  /** Sends a message, and never rejects. */
  const delivered = async (message: Message): Promise<Outcome> => {
    try {
      const how = typeof start === "function" ? start({ to: message.to, type: message.type }) : start
      return await send(source.name, options, message, how, source.hmac)
    } catch (error) {
      const outcome = outcomeOf(error)
      if (outcome._tag === "Refused")
        log(`no code was sent. ${textOf(error, "code") ?? ""} ${textOf(error, "message") ?? ""}`)
      return outcome
    }
  }

  const answerTo = async (headers: HostHeaders, body: HostBody): Promise<HostResponse> => {
    switch (body._tag) {
      case "TooLarge":
        return json(413, { message: "The body is too large." })
      case "Overloaded":
        return json(503, { message: "Too many requests at once." })
      case "Late":
        return json(408, { message: "The body came too slowly, or in too small pieces." })
      case "Unreadable":
        return json(400, { message: "The body could not be read." })
      case "Parsed":
        if (source.isSigned === null) return deliver(body.value)
        log("its signature is of the body's bytes, and the host has parsed them already. Mount it before the parser.")
        return json(500, { message: "The body was parsed before its signature was checked." })
      case "Absent":
      case "Bytes": {
        const bytes = body._tag === "Bytes" ? body.bytes : new Uint8Array()
        const isRight = source.isSigned === null || (await source.isSigned(headers, bytes))
        return isRight ? deliver(jsonOf(bytes)) : unauthorized
      }
    }
  }

  const deliver = async (payload: unknown): Promise<HostResponse> => {
    const message = source.messageOf(payload)
    if (message === null) {
      log("a request has no phone number.")
      return json(400, { message: "The body has no phone number." })
    }
    return source.answer(await inTime(delivered(message), answerWithin))
  }

  const handle = async (request: HostRequest): Promise<HostResponse> => {
    if (request.method !== "POST") return json(405, { message: "Hooks are posted." }, { allow: "POST" })
    if (!(await source.isExpected(request.headers, now()))) return unauthorized
    return Effect.runPromise(withBody(request, (body) => Effect.promise(() => answerTo(request.headers, body))))
  }

  const endpoint = { method: "POST", path: `/hooks/${source.name}` } as const
  return {
    handle,
    endpoints: {
      all: [endpoint],
      has: (method, path) => method === endpoint.method && path.split("?", 1)[0] === endpoint.path
    },
    fetch: async (request) => {
      const { body, headers, status } = await handle({
        method: request.method,
        path: "/",
        headers: Object.fromEntries(request.headers),
        body: bodyOf(request),
        remoteAddress: null
      })
      return new Response(typeof body === "string" ? body : null, { status, headers })
    }
  }
}

const isSender = (options: object): boolean => {
  const given = (name: string): boolean => Boolean(Reflect.get(options, name))
  return given("client") || (given("service") && given("caller"))
}

/** An outcome, or, if no outcome comes in time, that the message is on its way. */
const inTime = async (outcome: Promise<Outcome>, milliseconds: number): Promise<Outcome> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve(sent), milliseconds)
  })
  return Promise.race([outcome, late]).finally(() => clearTimeout(timer))
}

export const json = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): HostResponse => ({
  status,
  headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  body: JSON.stringify(body)
})

const unauthorized = json(401, { message: "The request is not signed by the identity server." })

/** An answer whose status is that of the outcome, for servers that look at it. */
export const byStatus = (outcome: Outcome): HostResponse =>
  outcome._tag === "Sent"
    ? json(200, {})
    : json(
        outcome.status,
        { message: outcome.message },
        outcome.retryAfter === null ? {} : { "retry-after": String(outcome.retryAfter) }
      )
