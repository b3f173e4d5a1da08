/**
 * Checks what programs pass to the channels: the same checks as over HTTP.
 */
import { RequestId } from "@watchword/schemas/Ids"
import { badRequest } from "@watchword/schemas/Issues"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** What tells a repeat from another send; see the interface's `x-request-id` and `Idempotency-Key`. */
export interface Keys {
  /** A UUID. */
  readonly requestId?: string
  readonly idempotencyKey?: string
}

const KeysSchema = Schema.Struct({
  requestId: Schema.NullOr(RequestId).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  idempotencyKey: Schema.NullOr(
    Schema.String.check(
      Schema.isPattern(/^[\x21-\x7e]{1,255}$/, { message: "must be 1 to 255 visible ASCII characters" })
    )
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
})

/** Decodes an argument; whatever is wrong with it is a `BadRequest`. */
export const checked = <A, I>(schema: Schema.ConstraintCodec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all" })
  return (value: unknown) =>
    Effect.mapError(decode(value), (error) => badRequest(error, "The arguments are not valid."))
}

export const sendKeys = checked(KeysSchema)
