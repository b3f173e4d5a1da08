/**
 * Options of a client and of its calls.
 */

export interface ClientOptions {
  /** The service's base address with its version, for example `https://otp.example.com/v1`. */
  readonly baseUrl: string | URL
  /** The account's API key, `sk_live_…` or `sk_test_…`: a secret, which belongs on a server. */
  readonly apiKey: string
  /** The account's id, `acc_…`, which is shown next to the key. */
  readonly accountId: string
  /** Seconds that one attempt may take; 65 unless given, longer than any call rings. */
  readonly timeout?: number
  /** How often a request that cannot send twice is repeated; 3 unless given, 0 for never. */
  readonly retries?: number
  /** The `fetch` to use, for example that of a service binding of Workers; the global one unless given. */
  readonly fetch?: Fetch
}

/** A `fetch` as the client calls it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason. A message that was sent stays sent. */
  readonly signal?: AbortSignal
  /** Seconds that one attempt may take, instead of the client's. */
  readonly timeout?: number
  /** How often the request is repeated, instead of the client's number. */
  readonly retries?: number
  /** A correlation id, any UUID, by which the service logs the request. */
  readonly requestId?: string
}

/** Options of a call that is known by an `Idempotency-Key`. */
export interface KeyedOptions extends CallOptions {
  /**
   * The name of this one request, 1 to 255 visible ASCII characters; a random one unless given. Within 24 hours the
   * same request under the same key answers as the first one did, even if that failed: to send again, use another key.
   */
  readonly idempotencyKey?: string
}

/** The time limit of an attempt, in seconds. */
export const TIMEOUT = 65

/** How often a request is repeated. */
export const RETRIES = 3

const VISIBLE = /^[\x21-\x7e]{1,255}$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const KNOWN: ReadonlySet<string> = new Set(["baseUrl", "apiKey", "accountId", "timeout", "retries", "fetch"])

/** Options by the names that other clients have, without case and signs. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ...[...KNOWN].map((name) => [name.toLowerCase(), name] as const),
  ...["url", "host", "origin", "endpoint", "base", "server"].map((name) => [name, "baseUrl"] as const),
  ...["key", "token", "secret", "apitoken"].map((name) => [name, "apiKey"] as const),
  ...["account", "id", "accountsid"].map((name) => [name, "accountId"] as const),
  ...["timeoutms", "maxwait"].map((name) => [name, "timeout"] as const),
  ...["maxretries", "retry"].map((name) => [name, "retries"] as const)
])

/** Checks options. Throws a `TypeError` that names the wrong one, and never the key itself. */
export const checked = (options: ClientOptions): ClientOptions & { readonly baseUrl: string } => {
  const unknown = Object.keys(Object(options)).find((name) => !KNOWN.has(name))
  const meant = unknown === undefined ? undefined : MEANT.get(unknown.toLowerCase().replaceAll(/[^a-z]/g, ""))
  demand(
    unknown === undefined,
    `createClient has no option ${unknown}${meant === undefined ? "." : `; did you mean ${meant}?`} Its options are ${[...KNOWN].join(", ")}.`
  )
  for (const name of ["baseUrl", "apiKey", "accountId"]) {
    // Programs without types may give none, and most options come from the environment.
    const value: unknown = Object(options)[name]
    demand(
      value !== undefined && value !== null && value !== "",
      `createClient needs ${name}, which is ${value === "" ? "empty" : String(value)}; is its environment variable set?`
    )
    demand(typeof value === "string" || name === "baseUrl", `${name} must be a text, and is a ${typeof value}`)
  }
  const { accountId, apiKey } = options
  const page = "location" in globalThis ? String(globalThis.location) : undefined
  const baseUrl = String(options.baseUrl).replace(/\/+$/, "")
  const url = URL.canParse(baseUrl, page) ? new URL(baseUrl, page) : null
  demand(
    url !== null && /^https?:$/.test(url.protocol) && url.username === "",
    "baseUrl must be an http or https address without a user name"
  )
  demand(VISIBLE.test(apiKey), "apiKey must be visible ASCII characters, without spaces or line breaks")
  demand(VISIBLE.test(accountId), "accountId must be visible ASCII characters, without spaces or line breaks")
  demand(
    !(apiKey.startsWith("sk_live_") && "document" in globalThis),
    "apiKey must not be a live key in a browser, whose user can read it; call the service from your own server"
  )
  return { ...options, baseUrl }
}

/** Checks that the options of a call can be sent as headers. */
export const checkCall = ({ idempotencyKey, requestId }: KeyedOptions): void => {
  demand(
    idempotencyKey === undefined || VISIBLE.test(idempotencyKey),
    "idempotencyKey must be 1 to 255 visible ASCII characters without spaces"
  )
  demand(requestId === undefined || UUID.test(requestId), "requestId must be a UUID")
}

const demand = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new TypeError(otherwise)
}
