/**
 * The operators' log: each command that changes something, who ran it and by which face, as a row that is there before
 * the command runs. One whose process ended in between stays without an outcome: it may have happened.
 *
 * Numbers are written as records have them, so that an erasure finds them.
 */
import { WatchwordError } from "@watchword/schemas/Errors"
import { firstUlid, nextUlid } from "@watchword/schemas/Ids"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type LogEntry, Store } from "@watchword/store/Store"
import { DONE } from "./Entries.ts"
import { Acting, type Actor } from "./Acting.ts"
import type { Answer, AnyCommand, Failure, Prepared } from "./Command.ts"
import { parseInput } from "./NumberInput.ts"
import * as Unchanged from "./Unchanged.ts"

/**
 * Reads an input and runs a command, which is in the log where it changes something.
 *
 * @param seen when the operator read the values to change, in milliseconds since the epoch: a conflict if another
 *   operator has changed them since. Null for whatever there is
 */
export const recorded = <R>(
  command: AnyCommand<R>,
  actor: Actor,
  input: unknown,
  seen: number | null = null
): Effect.Effect<Answer<R>, Failure, R | Store> =>
  Effect.flatMap(command.prepare(input), (prepared) => logged(command, actor, { ...prepared, input }, seen))

/** A command whose input was read, with that input as JSON has it. */
interface Asked<A, R> {
  readonly input: unknown
  readonly before: Prepared<R>["before"]
  readonly isLogged: boolean
  readonly run: Effect.Effect<A, Failure, R>
}

type Logged = Pick<AnyCommand<never>, "fields" | "hidden" | "name">

/** The same for an input that was read. */
export const logged = Effect.fnUntraced(function* <A extends { readonly json: unknown }, R>(
  command: Logged,
  actor: Actor,
  { before, input, isLogged, run: asked }: Asked<A, R>,
  seen: number | null = null
): Effect.fn.Return<A, Failure, R | Store> {
  const run = Effect.provideService(asked, Acting, actor)
  if (!isLogged) return yield* run
  const store = yield* Store
  // A command whose subject cannot be read says why by itself.
  const found = before === null ? null : yield* Effect.orElseSucceed(before, () => null)
  const { by, identity, who } = actor
  const was = { identity, ...(found === null ? {} : { before: shown(found, command.hidden) }) }
  const entry: LogEntry = {
    who,
    by,
    id: idAt(yield* Clock.currentTimeMillis),
    command: command.name.join(" "),
    input: JSON.stringify(shown(input, command.hidden)),
    outcome: null,
    output: JSON.stringify(was)
  }
  const { id } = entry
  yield* store.beginLogEntry(entry)
  const end = (exit: Exit.Exit<A, Failure>) =>
    Effect.catchCause(store.endLogEntry({ id, ...endOf(exit, was, command.hidden) }), (cause) =>
      Effect.logWarning("the outcome of a command could not be written to the operators' log", cause)
    )
  const checked = seen === null ? run : Effect.andThen(Unchanged.since(seen, command, entry), run)
  // A client that hangs up does not leave a change half done.
  return yield* Effect.uninterruptible(Effect.onExit(checked, end))
})

/** An id of this very time, even if the process has given ids of a later one: the log is read by time. */
const idAt = (at: number): string => firstUlid(at).slice(0, TIME) + nextUlid(at).slice(TIME)

/** How many characters of a ULID are its time. */
const TIME = 10

/** @param was the output of an entry that begins */
const endOf = (
  exit: Exit.Exit<{ readonly json: unknown }, Failure>,
  was: Pick<Actor, "identity">,
  hidden: ReadonlyArray<string>
) => {
  if (Exit.isSuccess(exit)) {
    return { outcome: DONE, output: JSON.stringify({ ...summary(exit.value.json, hidden), ...was }) }
  }
  const error = Cause.squash(exit.cause)
  const outcome = error instanceof WatchwordError ? error.code : "INTERNAL_SERVER_ERROR"
  return { outcome, output: JSON.stringify({ identity: was.identity }) }
}

/** The most characters of a text, and the most values of an object or a list, which only templates and rules exceed. */
const LONGEST = 500
const MOST = 50
const DEEPEST = 6

/** A value for the log: without secrets, and shortened. */
const shown = (value: unknown, hidden: ReadonlyArray<string>, depth = 0, country?: string): unknown => {
  if (typeof value === "string") return parseInput(value, country).number ?? cut(value)
  if (typeof value !== "object" || value === null) return value
  if (depth === DEEPEST) return "…"
  if (Array.isArray(value)) return value.slice(0, MOST).map((each) => shown(each, hidden, depth + 1))
  const dialledIn = countryOf(value)
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MOST)
      .map(([name, each]) => [name, hidden.includes(name) ? "…" : shown(each, hidden, depth + 1, dialledIn)])
  )
}

/** The country in which the number of an input is dialled. */
const countryOf = (value: object): string | undefined =>
  "default_country" in value && typeof value.default_country === "string" ? value.default_country : undefined

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** The plain values of an output, such as ids and times. */
const summary = (json: unknown, hidden: ReadonlyArray<string>): object =>
  Object.fromEntries(
    Object.entries(typeof json === "object" && json !== null ? json : {})
      .filter(([, value]) => typeof value !== "object")
      .slice(0, MOST)
      .map(([name, value]) => [name, hidden.includes(name) ? "…" : shown(value, hidden)])
  )
