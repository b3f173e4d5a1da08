/** A Worker that verifies the cases it is sent, and callbacks themselves under `/callback`. */
import { CallbackSignatureError, verifyCallback } from "@watchword/callback-signature"
import type { Case } from "./cases.ts"
import { outcomeOf } from "./outcome.ts"

export default {
  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === "/callback") return callback(request)
    const one: Case = await request.json()
    return Response.json(await outcomeOf(one))
  }
}

const callback = async (request: Request): Promise<Response> => {
  try {
    const { request_id } = await verifyCallback(request, { accessToken: "TEST_TOKEN" })
    return new Response(request_id)
  } catch (error) {
    if (error instanceof CallbackSignatureError) return new Response(error.code, { status: 401 })
    throw error
  }
}
