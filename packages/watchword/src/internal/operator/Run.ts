/**
 * Runs an effect with the service's own context.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import { AccountId, KeyId } from "@watchword/schemas/Ids"
import { parse } from "@watchword/schemas/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { reading } from "../Reading.ts"

export type Run<R> = <A, E>(effect: Effect.Effect<A, E, R>) => Promise<A>

const account = reading(Schema.Struct({ account: AccountId }))
const key = reading(Schema.Struct({ keyId: KeyId }))

/** Reads the ids that programs pass as texts. */
export const accountId = (text: string) => Effect.map(account({ account: text }), ({ account }) => account)
export const keyId = (text: string) => Effect.map(key({ keyId: text }), ({ keyId }) => keyId)

/** Milliseconds for which a secret works beside its successor. */
export const Overlap = Schema.optional(Schema.Number)

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
