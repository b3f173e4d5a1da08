/**
 * How failures are reported: in sentences on standard error, or with --json as one object on standard output, where the
 * answer would be.
 */
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"

/** Whether the command was asked for JSON: the flag of `root` may be what cannot be read. */
export const isJson = process.argv.includes("--json")

/** A mistake in how the command was called is reported without the help, which would hide it. */
const presenter = CliOutput.layerPresenter({
  present: (event) => {
    if (event._tag === "InvalidInvocation") {
      const more = `\n\n${event.commandPath.join(" ")} --help says more.`
      return CliOutput.Formatter.use(({ formatErrors }) => Console.error(formatErrors(event.errors) + more))
    }
    const isMistake = event._tag === "Help" && event.reason === "Implicit"
    return isJson && isMistake ? Effect.void : CliOutput.defaultPresenter.present(event)
  }
})

/** With --json the standard output has one object: what else a command prints is on standard error. */
const objectAlone = Layer.effect(
  Console.Console,
  Effect.map(Console.Console, (console) =>
    isJson ? { ...console, log: (...texts) => console.error(...texts) } : console
  )
)

export const layer = Layer.provideMerge(presenter, objectAlone)

/**
 * Prints a failure as JSON, `{"error", "message"}`. The help of an incomplete command, which exits with 0, is one too.
 */
export const print = (failure: unknown): Effect.Effect<void> =>
  Effect.sync(() => {
    process.stdout.write(`${JSON.stringify(described(failure))}\n`)
    process.exitCode = 1
  })

const described = (failure: unknown): { readonly error: string; readonly message: string } => {
  if (!CliError.isCliError(failure)) return { error: "INTERNAL_ERROR", message: "The command failed." }
  if (failure._tag === "UserError") return { error: codeOf(failure.cause), message: failure.message }
  if (failure._tag !== "ShowHelp") return { error: MISTAKE, message: failure.message }
  const messages = failure.errors.map(({ message }) => message).join(" ")
  return {
    error: MISTAKE,
    message: messages.replaceAll(/\s+/g, " ") || `${failure.commandPath.join(" ")} needs a command.`
  }
}

const MISTAKE = "BAD_REQUEST"

/** The codes are the interface's, and one of its own for settings. */
const codeOf = (cause: unknown): string => {
  if (Predicate.isTagged(cause, "StoreError")) return "SERVICE_UNAVAILABLE"
  if (Predicate.isTagged(cause, "SettingError")) return "SETTING"
  return Predicate.hasProperty(cause, "_tag") ? String(cause._tag) : MISTAKE
}
