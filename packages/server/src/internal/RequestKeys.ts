/**
 * The identifiers that distinguish a client's send from a repeat.
 */
import { IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_PATTERN } from "@watchword/api/Headers"
import { BadRequest } from "@watchword/schemas/Errors"
import type { RequestKeys } from "@watchword/send/Claims"
import * as Effect from "effect/Effect"
import { type ApiRequest, headerOf } from "../http/ApiRequest.ts"

export const requestKeys = (request: ApiRequest): Effect.Effect<RequestKeys, BadRequest> => {
  const idempotencyKey = headerOf(request.host, IDEMPOTENCY_KEY)
  return idempotencyKey === null || IDEMPOTENCY_KEY_PATTERN.test(idempotencyKey)
    ? Effect.succeed({ requestId: request.givenId, idempotencyKey, origin: null })
    : Effect.fail(invalid)
}

const invalid = new BadRequest({
  message: "The Idempotency-Key header is not valid.",
  issues: [{ path: "Idempotency-Key", message: "must be 1 to 255 visible ASCII characters without spaces" }]
})
