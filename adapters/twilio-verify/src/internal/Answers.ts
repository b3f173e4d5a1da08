/**
 * Answers of the door: JSON, and errors in Twilio's form. An error never has both `type` and `title`: SDKs would build
 * another exception, without the message.
 */
import type { HostResponse } from "@watchword/server/Host"
import * as Data from "effect/Data"

/** Twilio's error codes that the door uses, with their statuses. */
export const statuses = {
  20003: 401,
  20005: 403,
  20403: 403,
  20404: 404,
  20429: 429,
  20500: 500,
  20503: 503,
  60200: 400,
  60202: 429,
  60203: 429,
  60205: 403,
  60212: 429,
  60223: 403,
  60410: 403,
  60605: 403
} as const

export type TwilioCode = keyof typeof statuses

/** An error in Twilio's words. `retryAfter` is in seconds. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly code: TwilioCode
  readonly message: string
  readonly retryAfter?: number | undefined
  /** The reason of the service, which no answer has. */
  readonly reason?: string
}> {}

export const json = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): HostResponse => ({
  status,
  headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  body: JSON.stringify(body)
})

/** SDKs hide headers of errors from apps, so that the message has the seconds too. */
export const refused = ({ code, message, retryAfter }: Refused): HostResponse => {
  const status = statuses[code]
  const body = {
    code,
    message: retryAfter === undefined ? message : `${message.replace(/\.?$/, ".")} Try again in ${retryAfter} seconds.`,
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status
  }
  return json(status, body, {
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    ...(status === 401 ? { "www-authenticate": 'Basic realm="Twilio API"' } : {})
  })
}

/** The error of a part of Twilio Verify that the door does not have. */
export const unserved = (what: string): Refused =>
  new Refused({ code: 20404, message: `${what} is not served by this server.` })

/** Twilio's sentence for a resource that there is not, or no longer. */
export const notFound = (path: string): Refused =>
  new Refused({ code: 20404, message: `The requested resource ${path} was not found` })

export const invalid = (message: string): Refused =>
  new Refused({ code: 60200, message: `Invalid parameter: ${message}` })

/** A time as SDKs read it: Python reads no milliseconds. */
export const time = (at: number | string): string => `${new Date(at).toISOString().slice(0, 19)}Z`
