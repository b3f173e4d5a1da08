/**
 * Requests: one attempt after the other until there is an answer, or an error that no repeat would mend.
 */
import { ConnectionFailed, type ErrorDetails, TimedOut } from "../Errors.ts"
import { type ClientOptions, type KeyedOptions, RETRIES, TIMEOUT, checkCall, checked } from "../Options.ts"
import { type Answer, read } from "./Answer.ts"
import { wait, waitAfter } from "./Retry.ts"
import { fromWire, inPrograms } from "./Spelling.ts"

/** A request of one endpoint. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  /** The path below the base address. */
  readonly path: string
  /** The parameters behind it. With `wait` the service takes so many seconds of its own accord. */
  readonly query?: { readonly wait?: number; readonly default_country?: string } | undefined
  readonly body?: unknown
  /**
   * Whether a repeat is safe: `keyed`, because the request has an `Idempotency-Key`; `harmless`, because the endpoint
   * changes nothing or is idempotent; `never`, it may act twice.
   */
  readonly repeats: "keyed" | "harmless" | "never"
  /** Whether programs have fields of its answer under other names, see Spelling.ts. */
  readonly isSpelled?: boolean
}

/** Asks an endpoint. The answer has the type that the contract gives it, which a test compares with the server's. */
export type Request = <A>(endpoint: Endpoint, options?: KeyedOptions) => Promise<A>

export const make = (clientOptions: ClientOptions): Request => {
  const client = checked(clientOptions)
  const send = client.fetch ?? ((url, init) => fetch(url, init))

  const attempt = async <A>(
    { body, isSpelled = false, method, path, query = {} }: Endpoint,
    { requestId, signal, timeout = client.timeout ?? TIMEOUT }: KeyedOptions,
    idempotencyKey: string | undefined
  ): Promise<Answer<A>> => {
    const details: ErrorDetails = { requestId, idempotencyKey }
    const longest = timeout + (query.wait ?? 0)
    const limit = AbortSignal.timeout(Math.ceil(longest * 1000))
    try {
      const response = await send(client.baseUrl + path + searchOf(query), {
        method,
        headers: {
          accept: "application/json",
          "x-api-key": client.apiKey,
          "x-account-id": client.accountId,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(requestId === undefined ? {} : { "x-request-id": requestId }),
          ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
        },
        // A redirect would take the key to where it leads.
        redirect: "manual",
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return read(
        response,
        await response.text(),
        details,
        client.baseUrl,
        isSpelled ? { fromWire, inPrograms } : undefined
      )
    } catch (cause) {
      signal?.throwIfAborted()
      return limit.aborted
        ? { error: new TimedOut(`No answer within ${longest} seconds.`, details) }
        : { error: new ConnectionFailed(failed(client.baseUrl, cause), { ...details, cause }) }
    }
  }

  return async <A>(endpoint: Endpoint, options: KeyedOptions = {}): Promise<A> => {
    checkCall(options)
    const key = endpoint.repeats === "keyed" ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
    const most = endpoint.repeats === "never" ? 0 : (options.retries ?? client.retries ?? RETRIES)
    for (let repeats = 0; ; repeats++) {
      const answer = await attempt<A>(endpoint, options, key)
      if (answer.error === undefined) return answer.value
      const milliseconds = repeats < most ? waitAfter(answer.error, repeats) : null
      if (milliseconds === null) throw answer.error
      await wait(milliseconds, options.signal)
    }
  }
}

const searchOf = (query: object): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return search && `?${search}`
}

/** Why a connection failed, by the code that the runtime gives: its words may have more in them. */
const failed = (baseUrl: string, cause: unknown): string => {
  const code: unknown = Object(Object(cause).cause).code ?? Object(cause).code
  if (typeof code !== "string") return `The connection to ${baseUrl} failed.`
  const isPlain = /^ERR_SSL_|^EPROTO$/.test(code)
  return `The connection to ${baseUrl} failed: ${code}${isPlain ? ", no TLS is spoken there; is it http://?" : "."}`
}
