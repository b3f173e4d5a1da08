/**
 * Checks of answers: successes, errors of the interface, and errors of the host.
 */
import { type Answer, holds, like, same } from "@watchword/store/checks"
import type { ErrorCode } from "@watchword/schemas/Errors"

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
/** An id that no record has. */
export const UNKNOWN = "01KAJ3T8ZZ0000000000000000"

export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (answer: Answer): Fields => JSON.parse(answer.text)

/** Requires status 200 and JSON, and returns its fields. */
export const success = (answer: Answer): Fields => {
  same(`status of ${answer.text.slice(0, 200)}`, answer.status, 200)
  like("content type", answer.headers["content-type"], /^application\/json/)
  return fieldsOf(answer)
}

/**
 * Requires an error of the interface: its envelope, which gives the reason of a 409 and a 429, and its id in the
 * header.
 */
export const error = (answer: Answer, status: number, code: ErrorCode | "METHOD_NOT_ALLOWED"): Fields => {
  like("content type", answer.headers["content-type"], /^application\/json/)
  const fields = fieldsOf(answer)
  const { error, message, request_id: requestId, issues, ...more } = fields
  const { reason, ...unexplained } = more
  const { retry_after: seconds, ...others } = unexplained
  const unexpected = status === 429 ? others : status === 409 ? unexplained : more
  same<unknown>("status, code and other fields", [answer.status, error, unexpected], [status, code, {}])
  like("message", message, /[\w)"]\.$/)
  like("request id", String(requestId).toLowerCase(), UUID)
  same<unknown>("request id of the header", answer.headers["x-request-id"], requestId)
  same("whether there are issues", Array.isArray(issues), status === 400)
  if (status === 409 || status === 429) like("reason", reason, /^[a-z_]+$/)
  same("seconds of the header", answer.headers["retry-after"], seconds === undefined ? seconds : String(seconds))
  return fields
}

/** Requires status 400 with these issues. */
export const badRequest = (answer: Answer, ...paths: ReadonlyArray<string>): Fields => {
  const fields = error(answer, 400, "BAD_REQUEST")
  like(
    "issues",
    fields["issues"],
    paths.map((path) => ({ path, message: /^(?:is required|must be |\w)/ }))
  )
  return fields
}

/** Answers of the interface have a request id, and answers of the host do not. */
export const isForeign = (answer: Answer): boolean => answer.headers["x-request-id"] === undefined

/** Requires an error of the host itself. */
export const foreign = (answer: Answer, statuses: ReadonlyArray<number>): void => {
  holds(`the host must answer itself, not with ${answer.text}`, isForeign(answer))
  holds(`the host must answer one of ${statuses.join(", ")}, not ${answer.status}`, statuses.includes(answer.status))
}
