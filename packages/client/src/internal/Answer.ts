/**
 * Interprets responses by their body rather than by their status.
 */
import { type AnyWatchwordError, type ErrorDetails, UnexpectedAnswer, apiError } from "../Errors.ts"

/** The value of an answer, or its error. */
export type Answer<A> = { readonly error?: never; readonly value: A } | { readonly error: AnyWatchwordError }

/** The names of programs for the fields of an answer, see Spelling.ts. */
interface Spelling {
  readonly fromWire: (name: string, value: unknown) => unknown
  readonly inPrograms: (json: string) => string
}

/** @param spelling of an endpoint with fields that programs have under other names than the wire */
export const read = <A>(
  response: Response,
  text: string,
  details: ErrorDetails,
  baseUrl: string,
  spelling?: Spelling
): Answer<A> => {
  const { ok, status } = response
  const parsed = ok ? parse(text, spelling?.fromWire) : parse(spelling?.inPrograms(text) ?? text)
  if (ok && (parsed !== null || text === "")) return { value: parsed?.json }
  const body: object = Object(parsed?.json)
  const known: ErrorDetails = {
    ...details,
    requestId: response.headers.get("x-request-id") ?? details.requestId,
    retryAfter: numberOf(field(body, "retry_after")) ?? secondsOf(response.headers.get("retry-after")),
    reason: textOf(field(body, "reason")),
    issues: issuesOf(field(body, "issues")),
    remaining: remainingOf(field(body, "remaining"))
  }
  const said = textOf(field(body, "message")) ?? `The answer had the status ${status}.`
  const message = isElsewhere(status, body, baseUrl) ? `${said} Does ${baseUrl} lack the version, such as /v1?` : said
  const error = ok ? null : apiError(field(body, "error"), message, known)
  return { error: error ?? new UnexpectedAnswer(explained(response, message), { ...known, status }) }
}

/**
 * Whether nothing is found because the address of the service lacks its version. Records that are not found are of it.
 */
const isElsewhere = (status: number, body: object, baseUrl: string): boolean =>
  status === 404 &&
  !/\/v\d+$/.test(baseUrl) &&
  (field(body, "error") === undefined || /no such endpoint/i.test(String(field(body, "message"))))

/** Parses JSON and boxes the value; null if the text is not JSON. */
const parse = (text: string, reviver?: Spelling["fromWire"]) => {
  try {
    return { json: JSON.parse(text, reviver) }
  } catch {
    return null
  }
}

const explained = ({ ok, status, type }: Response, message: string): string => {
  if (ok) return "The answer is not JSON; is baseUrl the address of the service, with its version?"
  const isRedirect = type === "opaqueredirect" || (status >= 300 && status < 400)
  return isRedirect ? "The answer is a redirect, which the client does not follow with its key." : message
}

const field = (body: object, name: string): unknown => Reflect.get(body, name)

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)

/** Of the header's two forms only the number of seconds, as the service writes it. */
const secondsOf = (header: string | null): number | undefined =>
  header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined

const issuesOf = (value: unknown): ErrorDetails["issues"] =>
  Array.isArray(value)
    ? value.map((issue: unknown) => {
        const { message, path } = Object(issue)
        return { path: String(path), message: String(message) }
      })
    : undefined

const remainingOf = (value: unknown): ErrorDetails["remaining"] => {
  if (typeof value !== "object" || value === null) return undefined
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, left]) => (typeof left === "number" ? [[name, left]] : []))
  )
}
