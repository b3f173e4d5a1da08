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

/** Keys that tell a repeat from another send. */
export interface Keys {
  /** A correlation id, a UUID. The same send under it is a `Conflict` for 24 hours, unless the first failed. */
  readonly requestId?: string
  /** 1 to 255 visible ASCII characters. The same send under it is answered as the first was, for 24 hours. */
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
