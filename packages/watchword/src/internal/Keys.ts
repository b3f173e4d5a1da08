/**
 * The keys of a send, as programs pass them to direct calls.
 */
import { IDEMPOTENCY_KEY_PATTERN } from "@watchword/api/Headers"
import type { BadRequest } from "@watchword/schemas/Errors"
import { RequestId } from "@watchword/schemas/Ids"
import type { RequestKeys } from "@watchword/send/Claims"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { reading } from "./Reading.ts"

/** Keys that tell a repeat from another send; see the interface's `x-request-id` and `Idempotency-Key`. */
export interface Keys {
  /** A UUID. */
  readonly requestId?: string
  readonly idempotencyKey?: string
}

const KeysSchema = Schema.Struct({
  requestId: Schema.NullOr(RequestId).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  idempotencyKey: Schema.NullOr(
    Schema.String.check(
      Schema.isPattern(IDEMPOTENCY_KEY_PATTERN, { message: "must be 1 to 255 visible ASCII characters" })
    )
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
})

const read = reading(KeysSchema)

export const sendKeys = (keys: unknown): Effect.Effect<RequestKeys, BadRequest> =>
  Effect.map(read(keys), (given) => ({ ...given, origin: null }))
