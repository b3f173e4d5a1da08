import type { CallbackEvent } from "./CallbackEvent.ts"
import { CallbackSignatureError, type CallbackSignatureErrorCode } from "./CallbackSignatureError.ts"
import { SIGNATURE, TIMESTAMP, type RawBody, keyOf, signedBytes } from "./signature.ts"

/** Headers of a request, their names in any case: the web's `Headers` or an object like Node's `request.headers`. */
export type CallbackHeaders = Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

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
 * Rejects with a {@link CallbackSignatureError}, whose `code` says why; and with a `TypeError` when it is
 * called with an empty token or a body that was parsed already.
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
  const [rawBody, headers, { accessToken, now = Date.now, toleranceSeconds = 300 }]: Arguments =
    args.length === 3 ? args : [await args[0].arrayBuffer(), args[0].headers, args[1]]

  const timestamp = headerOf(headers, TIMESTAMP)
  const signature = headerOf(headers, SIGNATURE)
  check(timestamp && signature, "MISSING_HEADER")
  check(/^\d+$/.test(timestamp), "INVALID_TIMESTAMP")
  // A clock or a tolerance that is not a number lets nothing through.
  check(Math.abs(Math.floor(now() / 1000) - Number(timestamp)) <= toleranceSeconds, "EXPIRED_TIMESTAMP")

  const bytes = signedBytes(timestamp, rawBody)
  const key = await keyOf(accessToken)
  // WebCrypto compares in constant time.
  const isRight = HEX.test(signature) && (await crypto.subtle.verify("HMAC", key, fromHex(signature), bytes))
  check(isRight, "INVALID_SIGNATURE")

  const event = parse(bytes.subarray(timestamp.length + 1))
  check(typeof event?.request_id === "string", "INVALID_BODY")
  return event
}

type Arguments = [RawBody, CallbackHeaders, VerifyOptions]

function check(condition: unknown, code: CallbackSignatureErrorCode): asserts condition {
  if (!condition) throw new CallbackSignatureError(code)
}

/** A header that is there more than once becomes a list, which is neither a timestamp nor a signature. */
const headerOf = (headers: CallbackHeaders, name: string): string | null =>
  isHeaders(headers)
    ? headers.get(name)
    : Object.keys(headers)
        .filter((key) => key.toLowerCase() === name.toLowerCase())
        .map((key) => headers[key])
        .join()

// Not instanceof: a runtime may have several implementations.
const isHeaders = (headers: CallbackHeaders): headers is Headers => typeof headers.get === "function"

const HEX = /^[\da-f]{64}$/i

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: 32 }, (_, index) => parseInt(hex.slice(2 * index, 2 * index + 2), 16))

const decoder = new TextDecoder("utf-8", { fatal: true })

const parse = (body: Uint8Array): CallbackEvent | null | undefined => {
  try {
    return JSON.parse(decoder.decode(body))
  } catch {
    return undefined
  }
}
