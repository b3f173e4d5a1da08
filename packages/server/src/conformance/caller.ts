/**
 * A client of a running service, for the suites beside this file.
 */
import type { ErrorCode } from "@watchword/schemas/Errors"
import { expect } from "vitest"
import { type Answer, type Question, exchange, exchangeRaw } from "./exchange.ts"

/** A running service with one account. */
export interface Target {
  /** Where the interface is, for example `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string
  readonly account: string
  /** A sandbox key of the account with every scope. */
  readonly key: string
  /** A sandbox key of the account with the scope `sms:read` alone. */
  readonly readKey: string
  readonly close: () => Promise<void>
}

export type Caller = ReturnType<typeof makeCaller>

export const JSON_TYPE = { "content-type": "application/json" }
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** @param target is asked with each request, so that tests can be declared before the service runs */
export const makeCaller = (target: () => Target) => {
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

  return {
    target,
    ask,
    askRaw: (text: string) => exchangeRaw(target().baseUrl, text),
    credentials,
    post,
    message,
    send
  }
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
