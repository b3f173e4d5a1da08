/**
 * Commands that look, asked of all cells at once: one answer with a part for each cell.
 */
import type { BadRequest } from "@watchword/schemas/Errors"
import type { AnyCommand } from "@watchword/operator/command"
import type * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { type Printed, ask, needsDatabase } from "../remote.ts"
import { mistake } from "../root.ts"
import type { Cells } from "./directory.ts"

type Asked = Pick<AnyCommand<never>, "absent" | "isLogged" | "name">

/**
 * Asks all cells. A cell that does not know the object is left out if another one does. A cell that fails is named next
 * to the answers of the others, and the command then exits with 1.
 */
export const askAll = Effect.fnUntraced(function* (cells: Cells, command: Asked, input: unknown) {
  const name = command.name.join(" ")
  if (command.absent.http !== undefined) return yield* needsDatabase(name)
  const names = [...cells.keys()].join(", ")
  if (command.isLogged) return yield* mistake(`${name} changes something: say where by --cell, one of ${names}.`)
  const answers = yield* Effect.forEach(
    cells,
    ([cell, server]) => Effect.map(Effect.result(ask(server, command, input)), (result) => ({ cell, result })),
    { concurrency: "unbounded" }
  )
  const found = answers.filter(({ result }) => Result.isSuccess(result) || !isUnknown(result.failure))
  const [first] = found.length === 0 ? answers : found
  if (first === undefined || found.every(({ result }) => Result.isFailure(result))) return yield* all(first?.result)
  const printed: Printed = {
    json: { cells: Object.fromEntries(found.map(({ cell, result }) => [cell, jsonOf(result)])) },
    lines: found.flatMap(({ cell, result }) => [`${cell}:`, ...linesOf(result).map((line) => `  ${line}`)]),
    isDone: found.every(({ result }) => Result.isSuccess(result) && result.success.isDone)
  }
  return printed
})

type Failure = BadRequest | CliError.UserError
type Answer = Result.Result<Printed, Failure>

/** The failure of all of them, in the words of the first. */
const all = (first: Answer | undefined): Effect.Effect<never, Failure> =>
  Effect.fail(first !== undefined && Result.isFailure(first) ? first.failure : mistake("There is no cell."))

const codeOf = (failure: Failure): string => {
  if (failure._tag === "BAD_REQUEST") return failure._tag
  return Predicate.hasProperty(failure.cause, "_tag") ? String(failure.cause._tag) : "BAD_REQUEST"
}

const isUnknown = (failure: Failure): boolean => codeOf(failure) === "NOT_FOUND"

const jsonOf = (result: Answer): unknown =>
  Result.isSuccess(result) ? result.success.json : { error: codeOf(result.failure), message: result.failure.message }

const linesOf = (result: Answer): ReadonlyArray<string> =>
  Result.isSuccess(result) ? result.success.lines : [result.failure.message]
