/**
 * The token endpoint: exchanges an account and its API key for an access token of an hour.
 *
 * Source: RFC 6749 §2.3.1 (client authentication), §4.4 (client credentials), §5 (answers).
 */
import type { HostBody, HostRequest, HostResponse } from "@watchword/server/Host"
import { type Door, isWatchwordError } from "watchword"
import { json } from "./Answers.ts"
import { headerOf, utf8Of } from "./Fields.ts"
import { LIFE, type Tokens } from "./Tokens.ts"

/** The one scope of the standard. */
const SCOPE = "one-time-password-sms:send-validate"

export const make =
  (door: Pick<Door, "authenticate">, tokens: Tokens) =>
  async (request: HostRequest, body: HostBody): Promise<HostResponse> => {
    const form = formOf(request, body)
    if (typeof form === "string") return invalid(form)
    const client = clientOf(headerOf(request.headers, "authorization"), form)
    if (typeof client === "string") return invalid(client)
    const ticket = client === null ? null : await ticketOf(door, request, client)
    if (ticket === null) return unknownClient(request)
    const grant = form.get("grant_type")
    if (grant === undefined) return invalid("grant_type is missing.")
    if (grant !== "client_credentials") {
      return failed(400, "unsupported_grant_type", "grant_type must be client_credentials.")
    }
    const wanted = (form.get("scope") ?? SCOPE).split(" ")
    if (wanted.some((scope) => scope !== SCOPE && scope !== "openid")) {
      return failed(400, "invalid_scope", `The only scope is ${SCOPE}.`)
    }
    const token = await tokens.issue(ticket)
    return json(200, { access_token: token, token_type: "Bearer", expires_in: LIFE, scope: SCOPE })
  }

/** The ticket of a client's key; null for a client that is not known. */
const ticketOf = async (
  { authenticate }: Pick<Door, "authenticate">,
  request: HostRequest,
  client: OauthClient
): Promise<string | null> => {
  try {
    return (await authenticate(request, client)).ticket
  } catch (error) {
    if (isWatchwordError(error) && error.code === "UNAUTHORIZED") return null
    throw error
  }
}

type Form = ReadonlyMap<string, string>

/** The parameters of a body, or a sentence about the mistake in them. */
const formOf = ({ headers }: HostRequest, body: HostBody): Form | string => {
  const entries = entriesOf(headerOf(headers, "content-type"), body)
  if (typeof entries === "string") return entries
  const form = new Map<string, string>()
  for (const [name, value] of entries) {
    // A parameter without a value is treated as left out (RFC 6749 §3.2).
    if (typeof value !== "string" || form.has(name)) return `${printable(name)} is there more than once.`
    if (value !== "") form.set(name, value)
  }
  return form
}

const entriesOf = (type: string | null, body: HostBody): Iterable<readonly [string, unknown]> | string => {
  if (body._tag === "Parsed") return Object.entries(Object(body.value))
  if (body._tag !== "Absent" && body._tag !== "Bytes") return "The body is too large, or could not be read."
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type ?? "")) {
    return "The content type must be application/x-www-form-urlencoded."
  }
  const text = body._tag === "Bytes" ? utf8Of(body.bytes) : ""
  return text === undefined ? "The body must be UTF-8." : new URLSearchParams(text)
}

/** Names of parameters come from outside: an answer repeats plausible names only. */
const printable = (name: string): string => (/^[a-z_]{1,32}$/.test(name) ? name : "A parameter")

interface OauthClient {
  readonly account: string
  readonly apiKey: string
}

/** The client by its header or its form; null without a client, a sentence for a client that is there in both. */
const clientOf = (authorization: string | null, form: Form): OauthClient | string | null => {
  const id = form.get("client_id")
  const secret = form.get("client_secret")
  if (authorization === null) return id === undefined || secret === undefined ? null : { account: id, apiKey: secret }
  const basic = basicOf(authorization)
  if (basic === null) return null
  if (secret !== undefined) return "client_secret must not be there together with the header authorization."
  return id === undefined || id === basic.account ? basic : "client_id is not the client of the header authorization."
}

/** The parts of HTTP Basic, each of which is form-encoded. */
const basicOf = (authorization: string): OauthClient | null => {
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization)?.[1]
  if (encoded === undefined) return null
  try {
    const text = atob(encoded)
    const colon = text.indexOf(":")
    const [account, apiKey] = [text.slice(0, colon), text.slice(colon + 1)].map((part) =>
      decodeURIComponent(part.replaceAll("+", " "))
    )
    return colon < 0 || !account || !apiKey ? null : { account, apiKey }
  } catch {
    // It is not base64, or not form-encoded.
    return null
  }
}

const invalid = (message: string): HostResponse => failed(400, "invalid_request", message)

const unknownClient = ({ headers }: HostRequest): HostResponse =>
  failed(
    401,
    "invalid_client",
    "The client is an account's id with one of its API keys, and one of them is missing or not valid.",
    headers["authorization"] === undefined ? {} : { "www-authenticate": 'Basic realm="watchword"' }
  )

const failed = (
  status: number,
  error: string,
  description: string,
  headers: Readonly<Record<string, string>> = {}
): HostResponse => json(status, { error, error_description: described(description) }, headers)

/** The characters that a description may have (RFC 6749 §5.2). */
const described = (text: string): string => text.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'")

/** The answer to an error of the service, such as a store that is away. */
export const unavailable = failed(503, "temporarily_unavailable", "Tokens cannot be issued at the moment.")
