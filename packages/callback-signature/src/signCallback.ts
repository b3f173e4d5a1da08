import { copyOf, sign } from "#hmac"
import { keyOf } from "./keyOf.ts"
import { SIGNATURE, TIMESTAMP, type RawBody } from "./signature.ts"

export interface SignOptions {
  /** The gateway's access token. */
  readonly accessToken: string
  /** Unix seconds; now by default. */
  readonly timestamp?: number | undefined
}

/** The two headers of a signed callback. */
export type SignedHeaders = {
  readonly [TIMESTAMP]: string
  readonly [SIGNATURE]: string
}

/**
 * Signs a callback as the gateway does: for tests of a receiver, and for gateways of one's own.
 *
 * @example
 * ```ts no_run
 * import { signCallback } from "@watchword/callback-signature"
 *
 * const body = JSON.stringify({ request_id: "abc" })
 * const headers = await signCallback(body, { accessToken: "TEST_TOKEN" })
 * await fetch("http://127.0.0.1:3000/callback", { method: "POST", body, headers })
 * ```
 */
export const signCallback = async (
  rawBody: RawBody,
  { accessToken, timestamp = Math.floor(Date.now() / 1000) }: SignOptions
): Promise<SignedHeaders> => {
  const key = await keyOf(accessToken)
  const signature = await sign(key, `${timestamp}\n`, copyOf(rawBody))
  return { [TIMESTAMP]: `${timestamp}`, [SIGNATURE]: signature }
}
