import * as Departure from "#departure"
import { USER_AGENT } from "../../gateway/UserAgent.ts"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type * as Authentication from "../../gateway/Authentication.ts"
import type { Reply } from "../../gateway/Reply.ts"

/** How a body is written: as JSON, or as `application/x-www-form-urlencoded`. */
export type Encoding = "json" | "form"

export interface BodyRequest {
  readonly method: "POST" | "PUT"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly credentials: Authentication.Headers
  /** Milliseconds from the first byte to the last. */
  readonly timeout: number
  readonly body: Readonly<Record<string, unknown>>
  readonly encoding: Encoding
}

const LONGEST_ANSWER = 1024 * 1024

/**
 * Sends a body once and reads the JSON of the answer. The time limit holds in uninterruptible effects too. Only the
 * codes of errors are reported, because their messages may repeat headers.
 */
export const exchange = (request: BodyRequest): Effect.Effect<Reply> =>
  Effect.promise(async () => {
    const fetched = toRequest(request)
    if (fetched === null) {
      return { _tag: "NotAsked", why: "its address or token cannot be written into a request", timedOut: false }
    }
    const departure = Departure.watch()
    try {
      return await departure.run(async () =>
        read(await fetch(fetched, { signal: AbortSignal.timeout(request.timeout) }))
      )
    } catch (error) {
      return failed(error, departure.mayHaveLeft())
    }
  })

const toRequest = ({ body, credentials, encoding, headers, method, url }: BodyRequest): Request | null => {
  try {
    const own = { accept: "application/json", "content-type": contentTypes[encoding] }
    const all = new Headers({ "user-agent": USER_AGENT, ...headers, ...own })
    for (const [name, value] of Object.entries(credentials)) all.set(name, Redacted.value(value))
    // The credentials and the code are not meant for another host.
    return new Request(url, { method, headers: all, body: written(body, encoding), redirect: "manual" })
  } catch {
    return null
  }
}

const contentTypes: { readonly [E in Encoding]: string } = {
  json: "application/json",
  form: "application/x-www-form-urlencoded"
}

const written = (body: BodyRequest["body"], encoding: Encoding): string =>
  encoding === "json"
    ? JSON.stringify(body)
    : new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString()

const read = async (response: Response): Promise<Reply> => {
  const { status } = response
  const retryAfter = parseRetryAfter(response.headers.get("retry-after"), Date.now())
  const text = isJson(response.headers.get("content-type")) ? await readText(response) : await discard(response)
  try {
    if (text !== null) return { _tag: "Answer", status, body: JSON.parse(text), retryAfter }
  } catch {
    // Not JSON, despite its content type.
  }
  return { _tag: "Garbled", status, retryAfter }
}

const isJson = (contentType: string | null): boolean =>
  contentType === null || /^(application|text)\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType)

const readText = async (response: Response): Promise<string | null> => {
  const decoder = new TextDecoder()
  let text = ""
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength
    if (length > LONGEST_ANSWER) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

const discard = async (response: Response): Promise<null> => {
  await response.body?.cancel()
  return null
}

/** Seconds or an HTTP date (RFC 9110 §10.2.3). */
export const parseRetryAfter = (header: string | null, now: number): Duration.Duration | null => {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Duration.seconds(Number(header))
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Duration.millis(Math.max(0, at - now))
}

const failed = (error: unknown, mayHaveLeft: boolean): Reply => {
  if (Predicate.hasProperty(error, "name") && error.name === "TimeoutError") {
    return mayHaveLeft
      ? { _tag: "NoAnswer", why: "it did not answer in time", timedOut: true }
      : { _tag: "NotAsked", why: "it could not be reached in time", timedOut: true }
  }
  const cause = Predicate.hasProperty(error, "cause") ? error.cause : undefined
  const why = whyOf(cause)
  return neverConnected(cause) ? { _tag: "NotAsked", why, timedOut: false } : { _tag: "NoAnswer", why, timedOut: false }
}

const whyOf = (cause: unknown): string => {
  if (!Predicate.hasProperty(cause, "code")) return "the connection failed"
  const isName = Predicate.hasProperty(cause, "syscall") && cause.syscall === "getaddrinfo"
  return isName ? `its name does not resolve (${String(cause.code)})` : String(cause.code)
}

/** Whether an error of Node's `fetch` came before the request: no connection, or none that can be trusted. */
const neverConnected = (cause: unknown): boolean =>
  (Predicate.hasProperty(cause, "syscall") && (cause.syscall === "connect" || cause.syscall === "getaddrinfo")) ||
  (Predicate.hasProperty(cause, "code") && BEFORE_THE_REQUEST.has(cause.code)) ||
  // One for each address of the host.
  (cause instanceof AggregateError && cause.errors.length > 0 && cause.errors.every(neverConnected))

const BEFORE_THE_REQUEST: ReadonlySet<unknown> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE"
])
