/**
 * Where a command runs: on the database of the settings, by a server elsewhere (`watchword --url https://… --token
 * wwo_… guard list`), or by the servers of several cells (`watchword --cells cells.json why +49…`).
 *
 * The flags stand before the command, whose own flags may have their names.
 */
import type * as CliError from "effect/cli/CliError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Cells, cellsIn } from "./cells/directory.ts"
import type { Server } from "./remote.ts"
import { mistake } from "./root.ts"
import { baseOf, isSafe, isToken } from "./servers.ts"

export type Where = "here" | Server | Cells

export const Place = Context.Reference<Where>("@watchword/standalone/cli/Place", { defaultValue: () => "here" })

interface Read {
  /** The arguments without the flags for the place. */
  readonly args: ReadonlyArray<string>
  readonly where: Where
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the place from the flags before the command, or from `WATCHWORD_URL` and `WATCHWORD_TOKEN`, or
 * `WATCHWORD_CELLS`. The flags of one win over the environment of the other.
 */
export const read = Effect.fnUntraced(function* (
  given: ReadonlyArray<string>,
  environment: Environment
): Effect.fn.Return<Read, CliError.UserError> {
  const flags = new Map<string, string>()
  const args = [...given]
  for (;;) {
    const [, name, inline] = /^--(url|token|cells|cell)(?:=(.*))?$/s.exec(args[0] ?? "") ?? []
    if (name === undefined) break
    args.shift()
    flags.set(name, inline ?? args.shift() ?? "")
  }
  if (flags.has("url") && flags.has("cells")) return yield* both
  const cells = flags.get("cells") ?? (flags.has("url") ? undefined : environment["WATCHWORD_CELLS"])
  if (cells !== undefined && cells !== "") return { args, where: yield* inCells(cells, flags.get("cell")) }
  if (flags.has("cell")) return yield* withoutCells
  return { args, where: yield* atUrl(flags, environment) }
})

const inCells = Effect.fnUntraced(function* (file: string, name: string | undefined) {
  const cells = yield* cellsIn(file)
  if (name === undefined) return cells
  const server = cells.get(name)
  return server ?? (yield* mistake(`--cell must be one of ${[...cells.keys()].join(", ")}.`))
})

const atUrl = Effect.fnUntraced(function* (flags: ReadonlyMap<string, string>, environment: Environment) {
  const url = flags.get("url") ?? environment["WATCHWORD_URL"] ?? ""
  const token = flags.get("token") ?? environment["WATCHWORD_TOKEN"] ?? ""
  if (url === "" && !flags.has("url")) return flags.has("token") ? yield* withoutUrl : "here"
  if (!isSafe(url)) return yield* unsafe
  if (!isToken(token)) return yield* withoutToken
  return { url: baseOf(url), token: Redacted.make(token) }
})

const both = mistake("--url is one server and --cells are several: give one of them.")
const withoutCells = mistake("--cell means nothing without --cells, the file of the cells.")
const withoutUrl = mistake("--token means nothing without --url, the address of a server.")
const unsafe = mistake("--url must be the address of a server, https://…, or http://… on this machine.")
const withoutToken = mistake("--token, or WATCHWORD_TOKEN, must be a token of watchword operator grant, wwo_….")
