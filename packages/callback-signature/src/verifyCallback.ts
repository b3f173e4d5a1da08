import { copyOf, verify } from "#hmac"
import type { CallbackEvent } from "./CallbackEvent.ts"
import { keyOf } from "./keyOf.ts"
import { type CallbackHeaders, check, decoder, headerOf } from "./request.ts"
import { SIGNATURE, TIMESTAMP, type RawBody } from "./signature.ts"

export type { CallbackHeaders } from "./request.ts"

export interface VerifyOptions {
  /** The gateway's access token. */
  readonly accessToken: string
  /** The clock, in milliseconds since the epoch; `Date.now` by default. */
  readonly now?: (() => number) | undefined
  /** How many seconds the timestamp may be away from now, in either direction; 300 by default. */
  readonly toleranceSeconds?: number | undefined
}

/**
 * Verifies a callback of the chat gateway and gives its event. The body is parsed only after the signature
 * has been found right, from the very bytes that were signed; so it has to be the raw body, before any
 * middleware has parsed it.
 *
 * Rejects with a `CallbackSignatureError`, whose `code` says why; and with a `TypeError` when it is
 * called without a token, or with a body that was parsed or read already.
 *
 * @example
 * ```ts
 * import { signCallback, verifyCallback } from "@watchword/callback-signature"
 *
 * const accessToken = "TEST_TOKEN"
 * const body = '{"request_id":"abc"}'
 * const event = await verifyCallback(body, await signCallback(body, { accessToken }), { accessToken })
 * console.log(event.request_id) // abc
 * ```
 */
export function verifyCallback(
  rawBody: RawBody,
  headers: CallbackHeaders,
  options: VerifyOptions
): Promise<CallbackEvent>
/** The same for a web `Request`, whose body is read. */
export function verifyCallback(request: Request, options: VerifyOptions): Promise<CallbackEvent>
export async function verifyCallback(...args: Arguments | [Request, VerifyOptions]): Promise<CallbackEvent> {
  const [rawBody, headers, options] = isOfRequest(args) ? await ofRequest(args) : args
  need(headers, "the headers of the request")
  need(options, "options: { accessToken }")
  const { accessToken, now = Date.now, toleranceSeconds = 300 } = options

  const timestamp = headerOf(headers, TIMESTAMP)
  const signature = headerOf(headers, SIGNATURE)
  check(timestamp && signature, "MISSING_HEADER")
  check(!/\D/.test(timestamp), "INVALID_TIMESTAMP")
  // A clock or a tolerance that is not a number lets nothing through.
  check(Math.abs(Math.floor(now() / 1000) - +timestamp) <= toleranceSeconds, "EXPIRED_TIMESTAMP")

  const body = copyOf(rawBody)
  const key = await keyOf(accessToken)
  const isRight = HEX.test(signature) && (await verify(key, signature, `${timestamp}\n`, body))
  check(isRight, "INVALID_SIGNATURE")

  let event: CallbackEvent | null | undefined
  try {
    event = JSON.parse(decoder.decode(body))
  } catch {
    // Said below.
  }
  check(typeof event?.request_id === "string", "INVALID_BODY")
  return event
}

type Arguments = [RawBody, CallbackHeaders, VerifyOptions]

const isOfRequest = (args: Arguments | [Request, VerifyOptions]): args is [Request, VerifyOptions] =>
  args.length !== 3 && typeof Object(args[0]).arrayBuffer === "function"

const ofRequest = async ([request, options]: [Request, VerifyOptions]): Promise<Arguments> => {
  need(!request.bodyUsed, "a request whose body has not been read")
  return [await request.arrayBuffer(), request.headers, options]
}

// Programs without types may leave something out.
const need = (given: unknown, what: string): void => {
  if (!given) throw new TypeError(`verifyCallback needs ${what}`)
}

const HEX = /^[\da-f]{64}$/i
