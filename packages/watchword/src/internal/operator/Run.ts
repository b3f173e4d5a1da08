/**
 * How the operator's part runs effects with the service's own context, and reads what programs pass.
 */
import type { BadRequest } from "@watchword/schemas/Errors"
import { AccountId } from "@watchword/schemas/Ids"
import { invalid } from "@watchword/schemas/Issues"
import { unknownField } from "@watchword/schemas/UnknownFields"
import type { Face } from "@watchword/operator/command/Wire"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { reading } from "../Reading.ts"

export type Run<R> = <A, E>(effect: Effect.Effect<A, E, R>) => Promise<A>

const account = reading(Schema.Struct({ account: AccountId }))

/** Reads an account's id, or null for the installation, that programs pass as a text. */
export const accountId = (text: string) => Effect.map(account({ account: text }), ({ account }) => account)
export const ownerId = (account: string | null | undefined) =>
  account == null ? Effect.succeed(null) : accountId(account)

/** An object that programs pass; `example` is the call in the error for anything else. */
export const objectOf = <A>(value: A, example: string): Effect.Effect<A, BadRequest> =>
  typeof value === "object" && value !== null
    ? Effect.succeed(value)
    : Effect.fail(invalid([{ path: "", message: `must be an object: ${example}` }]))

/** The input of a command from arguments and an object with options, which are fields that are no arguments. */
export const withOptions = <A extends object, B extends object>(
  { fields }: { readonly fields: ReadonlyArray<Pick<Face, "name">> },
  args: A,
  options: B
): Effect.Effect<A & B, BadRequest> => {
  const names = fields.map(({ name }) => name).filter((name) => !(name in args))
  const issues = Object.keys(options ?? {}).flatMap((path) =>
    names.includes(path) ? [] : [{ path, message: unknownField(path, names) }]
  )
  return issues.length === 0 ? Effect.succeed({ ...options, ...args }) : Effect.fail(invalid(issues))
}
