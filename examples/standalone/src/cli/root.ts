/**
 * What all commands share: the `--json` flag, how answers are printed and how failures are told.
 */
import type { ApiError } from "@watchword/schemas/Errors"
import { AccountId, KeyId } from "@watchword/schemas/Ids"
import type { StoreError } from "@watchword/store/StoreError"
import * as Argument from "effect/cli/Argument"
import * as CliError from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type { SettingError } from "../Settings.ts"

export const root = Command.make("watchword").pipe(
  Command.withDescription("Accounts, credits and API keys of a Watchword server"),
  Command.withSharedFlags({
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON object"), Flag.withDefault(false))
  })
)

/** Prints an answer: as one JSON object, or as lines for people. */
export const print = Effect.fnUntraced(function* (answer: object, lines: ReadonlyArray<string>) {
  const { json } = yield* root
  yield* Console.log(json ? JSON.stringify(answer) : lines.join("\n"))
})

/** Turns a failure into one sentence for each thing that is wrong; the command then exits with 1. */
export const explained = <A, R>(
  effect: Effect.Effect<A, ApiError | StoreError | SettingError | CliError.UserError, R>
): Effect.Effect<A, CliError.UserError, R> =>
  Effect.mapError(effect, (error) =>
    error._tag === "UserError" ? error : new CliError.UserError({ cause: error, userMessage: sentence(error) })
  )

const sentence = (error: ApiError | StoreError | SettingError): string =>
  error._tag === "BAD_REQUEST" && error.issues !== undefined
    ? [error.message, ...error.issues.map((issue) => `${flagOf(issue.path)} ${issue.message}.`)].join(" ")
    : error.message

// Issues name fields; people typed flags.
const flagOf = (path: string): string => `--${path.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** A mistake in how the command was called. */
export const mistake = (message: string): CliError.UserError =>
  new CliError.UserError({ cause: message, userMessage: message })

export const accountArgument = Argument.String("account").pipe(
  Argument.withDescription("The account's id, acc_…"),
  Argument.withSchema(AccountId)
)

export const accountFlag = Flag.String("account").pipe(
  Flag.withDescription("The account's id, acc_…"),
  Flag.withSchema(AccountId)
)

export const keyArgument = Argument.String("key").pipe(
  Argument.withDescription("The key's id, key_…"),
  Argument.withSchema(KeyId)
)
