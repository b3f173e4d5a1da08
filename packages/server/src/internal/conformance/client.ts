/**
 * A client of the service under test.
 */
import { type Answer, type CaseOf, type Question, exchange, exchangeRaw, holds, same } from "@watchword/store/checks"
import * as Effect from "effect/Effect"
import type { Abilities, Target } from "./Harness.ts"
import { error, foreign, isForeign } from "./answers.ts"

export type Client = ReturnType<typeof makeClient>

/** A case written with promises. */
export const test = (name: string, run: (client: Client) => Promise<void>): CaseOf<Client> => ({
  name,
  check: (client) => Effect.promise(() => run(client))
})

/** One case for each value. */
export const each = <A>(
  values: ReadonlyArray<A>,
  name: (value: A) => string,
  run: (client: Client, value: A) => Promise<void>
): ReadonlyArray<CaseOf<Client>> => values.map((value) => test(name(value), (client) => run(client, value)))

export const JSON_TYPE = { "content-type": "application/json" }

const everything: Abilities = {
  rawPaths: true,
  leadingSlashes: true,
  undecodablePaths: true,
  everyPath: true,
  everyMethod: true,
  rawBodies: true,
  statusBeyond599: true
}

// Counts on over all cases, so that each has numbers of its own.
let numbers = 0

export const makeClient = (target: Target, abilities: Partial<Abilities> = {}) => {
  const host: Abilities = { ...everything, ...abilities }

  const ask = (question: Question): Promise<Answer> => exchange(target.baseUrl, question)

  const credentials = (key = target.key) => ({ "x-api-key": key, "x-account-id": target.account })

  const get = (path: string): Promise<Answer> => ask({ method: "GET", path, headers: credentials() })

  const post = (path: string, body: Question["body"], headers: Question["headers"] = {}): Promise<Answer> =>
    ask({
      method: "POST",
      path,
      headers: { ...credentials(), ...JSON_TYPE, ...headers },
      ...(body === undefined ? {} : { body })
    })

  const postJson = (path: string, body: unknown, headers?: Question["headers"]): Promise<Answer> =>
    post(path, JSON.stringify(body), headers)

  /** A phone number that no other case has; the last digits choose the outcome in the sandbox. */
  const number = (digits = "6789"): string => `+49152${String(1_000 + (numbers++ % 9_000))}${digits}`

  /** A text message to a number of its own. */
  const message = (more: object = {}) => ({ to: number(), text: "Your code is 123456", from: "Watchword", ...more })

  /** Requires that a request had no endpoint. */
  const noEndpoint = (answer: Answer, { method, path }: Pick<Question, "method" | "path">): void => {
    const asSent = target.baseUrl + path
    if (!host.leadingSlashes && path.startsWith("//")) same("status", answer.status, 401)
    else if (!host.rawPaths && new URL(asSent).href !== asSent) same("status", answer.status, 401)
    else if (!host.undecodablePaths && isUndecodable(path)) foreign(answer, [400, 404])
    else if (!host.everyPath && isForeign(answer)) foreign(answer, [404])
    else if (!host.everyMethod && !COMMON_METHODS.includes(method)) foreign(answer, [404])
    else error(answer, 404, "NOT_FOUND")
  }

  /** Requires that the endpoints of a path have other methods. */
  const wrongMethod = (answer: Answer, method: string): void => {
    if (!host.everyPath && isForeign(answer)) return foreign(answer, [404])
    if (!host.everyMethod && !COMMON_METHODS.includes(method)) return foreign(answer, [404])
    error(answer, 405, "METHOD_NOT_ALLOWED")
    const allowed = answer.headers["allow"]?.split(", ") ?? []
    holds(`Allow is ${allowed.join(", ")}`, allowed.length > 0 && !allowed.includes(method))
  }

  /** Requires that a path that is too long or cannot be decoded had no endpoint. */
  const noRecord = (answer: Answer, path: string): void => {
    if (!host.everyPath && path.length > 200) foreign(answer, [404, 414])
    else noEndpoint(answer, { method: "GET", path })
  }

  /** Requires that the interface or the host refused a body because it is not a JSON object in UTF-8. */
  const unreadable = (answer: Answer): void => {
    if (!host.rawBodies && isForeign(answer)) foreign(answer, [400, 413, 415])
    else error(answer, 400, "BAD_REQUEST")
  }

  return {
    target,
    host,
    ask,
    askRaw: (text: string) => exchangeRaw(target.baseUrl, text),
    credentials,
    get,
    post,
    postJson,
    number,
    message,
    noEndpoint,
    wrongMethod,
    noRecord,
    unreadable
  }
}

const COMMON_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]

const isUndecodable = (path: string): boolean => {
  try {
    decodeURI(path)
    return false
  } catch {
    return true
  }
}
