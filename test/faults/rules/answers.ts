/**
 * Answers to clients: none is a mistake of the service, and each error has the form of the interface.
 */
import type { Evidence, Violation } from "../Evidence.ts"

const EXPECTED = new Set([200, 204, 400, 401, 402, 403, 404, 405, 409, 413, 415, 429, 480, 486, 503, 603])

export const answers = ({ asked }: Evidence): ReadonlyArray<Violation> =>
  asked.flatMap(({ answer, number, odd, path, status }) => {
    const fault = (what: string): ReadonlyArray<Violation> => [{ rule: "answer", number, what: `${path}: ${what}` }]
    if (status === null) return []
    if (!EXPECTED.has(status)) return fault(`${status} ${odd ?? JSON.stringify(answer)}`)
    if (odd !== null) return fault(`${status} with a body that is no JSON object: ${odd.slice(0, 200)}`)
    if (status < 400) return []
    const isWhole = ["error", "message", "request_id"].every((name) => typeof answer[name] === "string")
    return isWhole ? [] : fault(`${status} without the envelope: ${JSON.stringify(answer).slice(0, 200)}`)
  })
