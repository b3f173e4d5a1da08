/**
 * Commands that a server elsewhere runs, by the operators' API.
 */
import { BadRequest, Issue } from "@watchword/schemas/Errors"
import type { AnyCommand } from "@watchword/operator/command"
import * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { mistake, root } from "./root.ts"

export interface Server {
  /** Where the API is, without `/operator/v1`. */
  readonly url: string
  readonly token: Redacted.Redacted
}

/** The failure of a command that needs the database itself. */
export const needsDatabase = (name: string): CliError.UserError =>
  mistake(
    `${name} works on the database itself: run it on the machine of the server, without --url, --cells, WATCHWORD_URL and ` +
      "WATCHWORD_CELLS."
  )

/** An answer as the command prints it: the one of both that was asked for. */
export interface Printed {
  readonly json: unknown
  readonly lines: ReadonlyArray<string>
  readonly isDone: boolean
}

/** Has a server run a command. @param form the form of its answer; the command's output unless given */
export const ask = Effect.fnUntraced(function* (
  { token, url }: Server,
  { absent, name }: Pick<AnyCommand<never>, "absent" | "name">,
  input: unknown,
  form?: "json"
) {
  if (absent.http !== undefined) return yield* needsDatabase(name.join(" "))
  const json = form === "json" || (yield* root).json
  const response = yield* Effect.tryPromise({
    try: (signal) =>
      fetch(`${url}/operator/v1/${name.join("/")}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${Redacted.value(token)}`,
          "content-type": "application/json",
          accept: json ? "application/json" : "text/plain"
        },
        body: JSON.stringify(input),
        // The address that the token is for.
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)])
      }),
    catch: (cause) => unreachable(url, cause)
  })
  const text = yield* Effect.tryPromise({ try: () => response.text(), catch: (cause) => unreachable(url, cause) })
  if (!response.ok) return yield* failureOf(url, response.status, text)
  const printed: Printed = {
    json: json ? yield* parsed(url, text) : null,
    lines: json ? [] : text.replace(/\n$/, "").split("\n"),
    isDone: response.headers.get("watchword-done") !== "false"
  }
  return printed
})

/** In milliseconds: an erasure of a large database takes its time. */
const TIMEOUT = 300_000

const unreachable = (url: string, cause: unknown) => {
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const message = `${url} cannot be reached: ${reason instanceof Error ? reason.message : String(reason)}`
  return new CliError.UserError({ cause: { _tag: "SERVICE_UNAVAILABLE" }, userMessage: message })
}

const parsed = (url: string, text: string) =>
  Effect.try({ try: (): unknown => JSON.parse(text), catch: () => foreign(url) })

const foreign = (url: string) => mistake(`${url} is not the address of the operators' API of Watchword.`)

const Failure = Schema.Struct({
  error: Schema.String,
  message: Schema.String,
  issues: Schema.optionalKey(Schema.Array(Issue))
})

const decodeFailure = Schema.decodeUnknownEffect(Schema.fromJsonString(Failure))

/** The failure in the server's words; fields of a wrong input get the names of their flags. */
const failureOf = (url: string, status: number, text: string) =>
  Effect.flatMap(
    Effect.mapError(decodeFailure(text), () => foreign(`${url} (status ${status})`)),
    ({ error, issues, message }): Effect.Effect<never, BadRequest | CliError.UserError> =>
      Effect.fail(
        error === "BAD_REQUEST"
          ? new BadRequest({ message, ...(issues === undefined ? {} : { issues }) })
          : new CliError.UserError({ cause: { _tag: error }, userMessage: message })
      )
  )
