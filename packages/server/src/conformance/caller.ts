/**
 * A client of a running service, for the suites beside this file.
 */
import type { ErrorCode } from "@watchword/schemas/Errors"
import { expect } from "vitest"
import { type Answer, type Question, exchange, exchangeRaw } from "./exchange.ts"

/**
 * What a host does with a request before and after the interface has it. Where a host cannot do something, the
 * suite asks for what it does instead.
 */
export interface Abilities {
  /** Paths arrive as they were sent; else `/sms/../sms` arrives as `/sms`. */
  readonly rawPaths: boolean
  /** Paths that cannot be decoded (`/%ZZ`) arrive; else the host answers 400 or 404 itself. */
  readonly undecodablePaths: boolean
  /** What is no endpoint arrives too; else endpoints do, and what the host takes for one; the rest is the host's. */
  readonly everyPath: boolean
  /** Methods that are not common in APIs (`OPTIONS`, `PROPFIND`) arrive; else they are the host's. */
  readonly everyMethod: boolean
  /** The interface reads bodies; else the host parses JSON, refuses what it cannot parse and has a limit of its own. */
  readonly rawBodies: boolean
  /** 603 leaves as 603; else as 486 with the header `x-status: 603`. */
  readonly statusBeyond599: boolean
}

const everything: Abilities = {
  rawPaths: true,
  undecodablePaths: true,
  everyPath: true,
  everyMethod: true,
  rawBodies: true,
  statusBeyond599: true
}

/** A running service with one account. */
export interface Target {
  /** Where the interface is, for example `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string
  readonly account: string
  /** A sandbox key of the account with every scope. */
  readonly key: string
  /** A sandbox key of the account with the scope `sms:read` alone. */
  readonly readKey: string
  /** What the host cannot do. */
  readonly host?: Partial<Abilities>
  readonly close: () => Promise<void>
}

export type Caller = ReturnType<typeof makeCaller>

export const JSON_TYPE = { "content-type": "application/json" }
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** @param target is asked with each request, so that tests can be declared before the service runs */
export const makeCaller = (target: () => Target) => {
  const host = (): Abilities => ({ ...everything, ...target().host })

  const ask = (question: Question) => exchange(target().baseUrl, question)

  const credentials = (key = target().key) => ({ "x-api-key": key, "x-account-id": target().account })

  const post = (path: string, body: Question["body"], headers: Question["headers"] = {}) =>
    ask({
      method: "POST",
      path,
      headers: { ...credentials(), ...JSON_TYPE, ...headers },
      ...(body === undefined ? {} : { body })
    })

  // Numbers differ, so that no send is taken for a repeat of another test's.
  let sent = 0
  const message = (more: object = {}) => ({
    to: `+49151${String(10_000_000 + sent++)}`,
    text: "Your code is 123456",
    from: "Watchword",
    ...more
  })

  /** Sends a message and resolves to its id. */
  const send = async () => String(JSON.parse((await post("/sms", JSON.stringify(message()))).text).messageId)

  /** No endpoint has this method and path. */
  const expectNoEndpoint = (answer: Answer, { method, path }: Pick<Question, "method" | "path">): void => {
    const { rawPaths, undecodablePaths, everyPath, everyMethod } = host()
    const asSent = target().baseUrl + path
    if (!rawPaths && new URL(asSent).href !== asSent) expect(answer.status).toBe(401)
    else if (!undecodablePaths && isUndecodable(path)) expectForeign(answer, [400, 404])
    else if (!everyPath && isForeign(answer)) expectForeign(answer, [404])
    else if (!everyMethod && !COMMON_METHODS.includes(method)) expectForeign(answer, [404])
    else expectEnvelope(answer, 404, "NOT_FOUND")
  }

  /** A body is no JSON object in UTF-8, which the host may have found out first. */
  const expectUnreadable = (answer: Answer): void => {
    if (!host().rawBodies && isForeign(answer)) expectForeign(answer, [400, 413, 415])
    else expectEnvelope(answer, 400, "BAD_REQUEST")
  }

  return {
    target,
    host,
    expectNoEndpoint,
    expectUnreadable,
    ask,
    askRaw: (text: string) => exchangeRaw(target().baseUrl, text),
    credentials,
    post,
    message,
    send
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

// Whatever the interface answers has an id.
const isForeign = (answer: Answer): boolean => answer.headers["x-request-id"] === undefined

/** The host's own answer. */
export const expectForeign = (answer: Answer, statuses: ReadonlyArray<number>): void => {
  expect([isForeign(answer), answer.text]).toEqual([true, answer.text])
  expect(statuses).toContain(answer.status)
}

/** An error as the interface writes it: these fields and no others, and the id in the header too. */
export const expectEnvelope = (answer: Answer, status: number, code: ErrorCode): void => {
  expect(answer.headers["content-type"]).toMatch(/^application\/json/)
  const { error, message, request_id: requestId, issues, ...others } = JSON.parse(answer.text)
  expect([answer.status, error, others]).toEqual([status, code, {}])
  expect(message).toMatch(/\w\.$/)
  expect(String(requestId).toLowerCase()).toMatch(UUID)
  expect(answer.headers["x-request-id"]).toBe(requestId)
  expect(Array.isArray(issues)).toBe(status === 400)
}
