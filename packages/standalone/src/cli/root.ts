/**
 * Shared parts of all commands: the `--json` flag, and how answers and failures are printed.
 */
import { type ApiError, sentenceOf } from "@watchword/schemas/Errors"
import type { Face } from "@watchword/operator/command"
import type { StoreError } from "@watchword/store/StoreError"
import * as CliError from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import type { SettingError } from "../settings/Reading.ts"

export const root = Command.make("watchword").pipe(
  Command.withDescription(
    "Accounts, credits, API keys and settings of a Watchword server. The command of @watchword/standalone starts the " +
      "server when it has no arguments. With --url https://… and --token wwo_… before the command, or WATCHWORD_URL and " +
      "WATCHWORD_TOKEN, that server runs it; with --cells FILE the servers of several installations do."
  ),
  Command.withSharedFlags({
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON object"), Flag.withDefault(false))
  })
)

/** Prints an answer: as one JSON object, or as lines for people. */
export const print = Effect.fnUntraced(function* (answer: unknown, lines: ReadonlyArray<string>) {
  const { json } = yield* root
  yield* Effect.sync(
    () => void process.stdout.write(`${json ? JSON.stringify(answer) : lines.map(withoutControls).join("\n")}\n`)
  )
})

/** A line without the control characters by which a text of a carrier or a client would steer the terminal. */
export const withoutControls = (line: string): string => line.replaceAll(CONTROLS, "\u{fffd}")

// eslint-disable-next-line no-control-regex -- terminals obey them
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

type Failure = ApiError | StoreError | SettingError

/**
 * Turns a failure into one sentence for each thing that is wrong; the command then exits with 1.
 *
 * @param fields of the command's input, for the names of its flags
 */
export const explainedBy =
  (fields: ReadonlyArray<Face>) =>
  <A, R>(effect: Effect.Effect<A, Failure | CliError.UserError, R>): Effect.Effect<A, CliError.UserError, R> =>
    Effect.mapError(effect, (error) =>
      error._tag === "UserError"
        ? error
        : new CliError.UserError({ cause: error, userMessage: sentence(error, fields) })
    )

/** The same for programs, which have no input. */
export const explained = explainedBy([])

const sentence = (error: Failure, fields: ReadonlyArray<Face>): string => {
  if (error._tag !== "BAD_REQUEST" || error.issues === undefined) return error.message
  const flags = new Map(fields.map((field) => [field.json, field.isPositional ? nameOf(field) : `--${nameOf(field)}`]))
  const named = error.issues.map(({ message, path }) => {
    const name = path.replace(/^\w+/, (field) => flags.get(field) ?? field)
    return `${name} ${message}.`
  })
  return [...(error.message === sentenceOf(error.issues) ? [] : [error.message]), ...named].join(" ")
}

/** The name of a field's argument or flag. */
export const nameOf = ({ json }: Face): string => json.replace(/_id$/, "").replaceAll("_", "-")

/** The values of a flag that are separated by commas. */
export const separated = (values: string): ReadonlyArray<string> =>
  values
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "")

/** A mistake in how the command was called. */
export const mistake = (message: string): CliError.UserError =>
  new CliError.UserError({ cause: message, userMessage: message })
