/**
 * What all commands share: the `--json` flag, how answers are printed and how failures are told.
 */
import { parseTime } from "@watchword/pagination/internal/Time"
import type { ApiError } from "@watchword/schemas/Errors"
import { AccountId, KeyId } from "@watchword/schemas/Ids"
import { fromEuros, toEuros } from "@watchword/schemas/Money"
import type { Balance } from "@watchword/store/Account"
import type { StoreError } from "@watchword/store/StoreError"
import * as Argument from "effect/cli/Argument"
import * as CliError from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SettingError } from "../settings/Reading.ts"

export const root = Command.make("watchword").pipe(
  Command.withDescription(
    "Accounts, credits, API keys and settings of a Watchword server. The command of @watchword/standalone starts the " +
      "server when it has no arguments."
  ),
  Command.withSharedFlags({
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON object"), Flag.withDefault(false))
  })
)

/** Prints an answer: as one JSON object, or as lines for people. */
export const print = Effect.fnUntraced(function* (answer: object, lines: ReadonlyArray<string>) {
  const { json } = yield* root
  yield* Effect.sync(() => void process.stdout.write(`${json ? JSON.stringify(answer) : lines.join("\n")}\n`))
})

type Failure = ApiError | StoreError | SettingError

/**
 * Turns a failure into one sentence for each thing that is wrong; the command then exits with 1.
 *
 * @param fields that the command has as arguments; all others are flags of the same name
 */
export const explainedWith =
  (fields: ReadonlyArray<string>) =>
  <A, R>(effect: Effect.Effect<A, Failure | CliError.UserError, R>): Effect.Effect<A, CliError.UserError, R> =>
    Effect.mapError(effect, (error) =>
      error._tag === "UserError"
        ? error
        : new CliError.UserError({ cause: error, userMessage: sentence(error, new Set(fields)) })
    )

/** The same for commands whose fields are all flags. */
export const explained = explainedWith([])

const sentence = (error: Failure, fields: ReadonlySet<string>): string => {
  if (error._tag !== "BAD_REQUEST" || error.issues === undefined) return error.message
  const named = (path: string) => (fields.has(path.replace(/[.[].*$/, "")) ? path : flagOf(path))
  return [error.message, ...error.issues.map(({ message, path }) => `${named(path)} ${message}.`)].join(" ")
}

// Issues name fields; people typed flags.
const flagOf = (path: string): string =>
  path === "expiresAt" ? "--expires" : `--${path.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** The values of a flag that are separated by commas. */
export const separated = (values: string): ReadonlyArray<string> =>
  values
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "")

/** An amount of money that a person typed. */
export const amountOf = (name: string, amount: string) =>
  Effect.mapError(Effect.fromOption(Option.filter(fromEuros(amount), (micro) => micro > 0)), () =>
    mistake(`${name} must be in EUR, more than 0, with at most six decimals, such as 12.50.`)
  )

/** A time that a person typed, in milliseconds since the epoch. */
export const timeOf = (flag: string, text: string) =>
  Effect.mapError(Effect.fromOption(parseTime(text)), () =>
    mistake(`${flag} must be a time in ISO 8601, for example 2027-01-31T12:00:00Z.`)
  )

export const inEuros = (balance: Balance) => ({
  balance: toEuros(balance.posted),
  held: toEuros(balance.held),
  available: toEuros(balance.available)
})

/** A count with its noun, such as "1 entry". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** A mistake in how the command was called. */
export const mistake = (message: string): CliError.UserError =>
  new CliError.UserError({ cause: message, userMessage: message })

const accountIdOf = Schema.decodeSync(AccountId)

const ACCOUNT = "the id of an account, acc_… and 26 letters and digits"

export const accountArgument = Argument.String("account").pipe(
  Argument.withDescription("The account's id, acc_…"),
  Argument.mapTryCatch(accountIdOf, () => ACCOUNT)
)

/** An account, or null for all of them. */
export const ownerArgument = Argument.String("account").pipe(
  Argument.withDescription("The account's id, acc_…, or all for what holds for all accounts"),
  Argument.mapTryCatch(
    (id) => (id === "all" ? null : accountIdOf(id)),
    () => `${ACCOUNT}, or all`
  )
)

/** How answers call an owner. */
export const ofOwner = (owner: AccountId | null): string => (owner === null ? "of all accounts" : `of account ${owner}`)

export const accountFlag = Flag.String("account").pipe(
  Flag.withDescription("The account's id, acc_…"),
  Flag.mapTryCatch(accountIdOf, () => ACCOUNT)
)

export const keyArgument = Argument.String("key").pipe(
  Argument.withDescription("The key's id, key_…"),
  Argument.mapTryCatch(Schema.decodeSync(KeyId), () => "the id of a key, key_… and 26 letters and digits")
)
