/**
 * Requirements for every answer to a hostile request.
 */

const EXPECTED = new Set([
  200, 204, 400, 401, 402, 403, 404, 405, 409, 413, 415, 422, 429, 431, 480, 486, 503, 505, 603
])

/** The fault in an answer; undefined if it is correct. */
export const faultOf = (status: number, body: string, secrets: ReadonlyArray<string>): string | undefined => {
  const answered = `${status} ${body.slice(0, 300)}`
  if (!EXPECTED.has(status)) return `answered ${answered}`
  if (secrets.some((secret) => body.includes(secret))) return "a secret is in the answer"
  if (status < 400) return undefined
  const envelope: unknown = parsed(body)
  const { error, issues, message, request_id: id } = Object(envelope)
  if (typeof error !== "string" || typeof message !== "string" || typeof id !== "string")
    return `answered without the envelope: ${answered}`
  if (error !== "BAD_REQUEST" || issues === undefined) return undefined
  const areWhole = Array.isArray(issues) && issues.length > 0 && issues.every(isIssue)
  return areWhole ? undefined : `answered with broken issues: ${answered}`
}

const isIssue = (issue: unknown): boolean => {
  const { message, path } = Object(issue)
  return typeof path === "string" && typeof message === "string" && message !== ""
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
