import { CallbackSignatureError, verifyCallback } from "@watchword/callback-signature"
import { type Case, token, vector } from "./cases.ts"

/** What verifying a case comes to, in the form of its `expected`. */
export const outcomeOf = async (one: Case, body: string | Uint8Array | ArrayBuffer = one.body) => {
  const options = {
    accessToken: one.token ?? token,
    now: () => one.now ?? vector.sentAt,
    toleranceSeconds: one.toleranceSeconds
  }
  try {
    return { requestId: (await verifyCallback(body, one.headers, options)).request_id }
  } catch (error) {
    if (error instanceof CallbackSignatureError) return { code: error.code }
    throw error
  }
}
