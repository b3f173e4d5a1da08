/**
 * Runs an effect with the service's own context.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import { AccountId, KeyId } from "@watchword/schemas/Ids"
import { badRequest } from "@watchword/schemas/Issues"
import { parse } from "@watchword/schemas/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export type Run<R> = <A, E>(effect: Effect.Effect<A, E, R>) => Promise<A>

const identifier = <A>(schema: Schema.ConstraintCodec<A, string>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (text: string) => Effect.mapError(decode(text), (error) => badRequest(error, "The identifier is not valid."))
}

/** Reads the ids that programs pass as texts. */
export const accountId = identifier(AccountId)
export const keyId = identifier(KeyId)

/** An account's id, or null for the installation where none is given. */
export const ownerId = (account: string | null | undefined) =>
  account == null ? Effect.succeed(null) : accountId(account)

/** Reads a phone number that programs pass as a text. */
export const e164 = (number: string) => {
  const to = parse(number)
  if (to !== null) return Effect.succeed(to)
  const issues = [{ path: "number", message: "must be a phone number in E.164 form" }]
  return Effect.fail(new BadRequest({ message: "The number is not valid.", issues }))
}
