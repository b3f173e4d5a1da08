/**
 * Commands that a server elsewhere runs, by the operators' API: `watchword --url https://… --token wwo_… guard list`.
 *
 * The two flags stand before the command, whose own flags may have their names.
 */
import { BadRequest, Issue } from "@watchword/schemas/Errors"
import type { AnyCommand } from "@watchword/store/internal/Command"
import * as CliError from "effect/cli/CliError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { mistake, root } from "./root.ts"

export interface Server {
  /** Where the API is, without `/operator/v1`. */
  readonly url: string
  readonly token: Redacted.Redacted
}

/** The server that runs commands; null for this program, on the database of the settings. */
export const Remote = Context.Reference<Server | null>("@watchword/standalone/cli/Remote", { defaultValue: () => null })

interface Read {
  /** The arguments without those of the server. */
  readonly args: ReadonlyArray<string>
  readonly server: Server | null
}

/** Reads the server from the flags before the command, or from `WATCHWORD_URL` and `WATCHWORD_TOKEN`. */
export const read = Effect.fnUntraced(function* (
  given: ReadonlyArray<string>,
  environment: Readonly<Record<string, string | undefined>>
): Effect.fn.Return<Read, CliError.UserError> {
  const flags = new Map<string, string>()
  const args = [...given]
  for (;;) {
    const [, name, inline] = /^--(url|token)(?:=(.*))?$/s.exec(args[0] ?? "") ?? []
    if (name === undefined) break
    args.shift()
    flags.set(name, inline ?? args.shift() ?? "")
  }
  const url = flags.get("url") ?? environment["WATCHWORD_URL"] ?? ""
  const token = flags.get("token") ?? environment["WATCHWORD_TOKEN"] ?? ""
  if (url === "" && !flags.has("url")) return flags.has("token") ? yield* withoutUrl : { args, server: null }
  if (!isSafe(url)) return yield* unsafe
  if (!/^wwo_\w+$/.test(token)) return yield* withoutToken
  const base = url.replace(/\/+$/, "").replace(/\/operator\/v1$/, "")
  return { args, server: { url: base, token: Redacted.make(token) } }
})

const withoutUrl = mistake("--token means nothing without --url, the address of a server.")
const unsafe = mistake("--url must be the address of a server, https://…, or http://… on this machine.")
const withoutToken = mistake("--token, or WATCHWORD_TOKEN, must be a token of watchword operator grant, wwo_….")

/** Whether a token may be sent there: by TLS, or to this machine. */
const isSafe = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { hostname, protocol } = new URL(text)
  return protocol === "https:" || (protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname))
}

/** The failure of a command that needs the database itself. */
export const needsDatabase = (name: string): CliError.UserError =>
  mistake(`${name} works on the database itself: run it on the machine of the server, without --url and WATCHWORD_URL.`)

/** An answer as the command prints it: the one of both that was asked for. */
export interface Printed {
  readonly json: unknown
  readonly lines: ReadonlyArray<string>
  readonly isDone: boolean
}

/** Has a server run a command. */
export const ask = Effect.fnUntraced(function* (
  { token, url }: Server,
  { isLocal, name }: Pick<AnyCommand<never>, "isLocal" | "name">,
  input: unknown
) {
  if (isLocal) return yield* needsDatabase(name.join(" "))
  const { json } = yield* root
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
