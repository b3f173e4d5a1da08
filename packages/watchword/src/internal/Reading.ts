/**
 * Reading of what programs pass to direct calls.
 */
import { type BadRequest, badRequest } from "@watchword/schemas/Errors"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Reads arguments of programs that may have no types: a field that there is not would change nothing. */
export const reading = <A, I>(
  schema: Schema.ConstraintCodec<A, I>,
  message?: string
): ((value: unknown) => Effect.Effect<A, BadRequest>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return (value) => Effect.mapError(decode(value), (error) => badRequest(error, message))
}
