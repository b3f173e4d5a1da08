/**
 * The operators' log: each command that changes something, who ran it and by which face, as a row that is there before the
 * command runs. One whose process ended in between stays without an outcome: it may have happened.
 *
 * Numbers are written as records have them, so that an erasure finds them.
 */
import { Conflict, WatchwordError } from "@watchword/schemas/Errors"
import { firstUlid, nextUlid, timeOfUlid } from "@watchword/schemas/Ids"
import { parse } from "@watchword/schemas/PhoneNumber"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Store } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"
import type { Answer, AnyCommand, Failure } from "./Command.ts"
import type { LogEntry } from "./LogStore.ts"

/** Who runs a command, and by which face. */
export interface Actor {
  readonly who: string
  readonly by: "api" | "console" | "command"
}

/** The outcome of a command that has answered. */
export const DONE = "done"

/**
 * Reads an input and runs a command, which is in the log where it changes something.
 *
 * @param seen when the operator read what is to be changed, in milliseconds since the epoch: a conflict where another operator
 * has changed it since then. Null for whatever there is
 */
export const recorded = Effect.fnUntraced(function* <R>(
  command: AnyCommand<R>,
  actor: Actor,
  input: unknown,
  seen: number | null = null
): Effect.fn.Return<Answer<R>, Failure, R | Store> {
  const run = yield* command.prepare(input)
  if (!command.isLogged) return yield* run
  const store = yield* Store
  const id = idAt(yield* Clock.currentTimeMillis)
  yield* store.beginLogEntry({
    ...actor,
    id,
    command: command.name.join(" "),
    input: JSON.stringify(shown(input, command.hidden)),
    outcome: null,
    output: null
  })
  const end = (exit: Exit.Exit<Answer<R>, Failure>) =>
    Effect.catchCause(store.endLogEntry({ id, ...endOf(exit, command.hidden) }), (cause) =>
      Effect.logWarning("the operators' log has no outcome of a command", cause)
    )
  const checked = seen === null ? run : Effect.andThen(unchanged(command, input, { id, seen, who: actor.who }), run)
  // A client that hangs up does not leave a change half done.
  return yield* Effect.uninterruptible(Effect.onExit(checked, end))
})

type Described = Pick<AnyCommand<unknown>, "fields" | "hidden" | "name">

/** How many entries before a command are looked at. */
const LOOKED_AT = 200

/** Another's entry from before this one says so: of two at the same time, the second is told. */
const unchanged = Effect.fnUntraced(function* (
  command: Described,
  input: unknown,
  { id, seen, who }: { readonly id: string; readonly seen: number; readonly who: string }
): Effect.fn.Return<void, Conflict | StoreError, Store> {
  const store = yield* Store
  const subject = subjectOf(command, shown(input, command.hidden))
  if (subject === null) return
  const entries = yield* store.logEntries({ since: seen, before: id, limit: LOOKED_AT })
  const other = entries.find(
    (entry) =>
      entry.who !== who && (entry.outcome === null || entry.outcome === DONE) && isAbout(entry, command.name, subject)
  )
  if (other === undefined) return
  const at = new Date(timeOfUlid(other.id)).toISOString()
  return yield* new Conflict({
    message: `${other.who} has changed this at ${at} (${other.command}). Look again before you change it.`,
    reason: "changed_meanwhile"
  })
})

/** What a command changes: the first field that people write without a flag. Null for one that makes something new. */
const subjectOf = ({ fields }: Described, input: unknown): string | null => {
  const first = fields.find(({ isPositional }) => isPositional)
  const subject = first === undefined ? undefined : valuesOf(input).get(first.json)
  return typeof subject === "string" ? subject : null
}

/** Whether an entry is of the same group of commands, such as `guard`, and names the subject in one field or another. */
const isAbout = ({ command, input }: LogEntry, [group]: Described["name"], subject: string): boolean =>
  command.split(" ")[0] === group && [...valuesOf(JSON.parse(input)).values()].includes(subject)

const valuesOf = (input: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof input === "object" && input !== null ? Object.entries(input) : [])

/** An id of this very time, also where the process has given ids of a later one: the log is read by time. */
const idAt = (at: number): string => firstUlid(at).slice(0, TIME) + nextUlid(at).slice(TIME)

/** How many characters of a ULID are its time. */
const TIME = 10

const endOf = <R>(exit: Exit.Exit<Answer<R>, Failure>, hidden: ReadonlyArray<string>) => {
  if (Exit.isSuccess(exit)) return { outcome: DONE, output: JSON.stringify(summary(exit.value.json, hidden)) }
  const error = Cause.squash(exit.cause)
  return { outcome: error instanceof WatchwordError ? error.code : "INTERNAL_SERVER_ERROR", output: null }
}

/** The most characters of a text, and the most values of an object or a list, which is longer in templates and rules alone. */
const LONGEST = 500
const MOST = 50
const DEEPEST = 6

/** A value as the log has it: without secrets and without the rest of what is long. */
const shown = (value: unknown, hidden: ReadonlyArray<string>, depth = 0): unknown => {
  if (typeof value === "string") return parse(value) ?? cut(value)
  if (typeof value !== "object" || value === null) return value
  if (depth === DEEPEST) return "…"
  if (Array.isArray(value)) return value.slice(0, MOST).map((each) => shown(each, hidden, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MOST)
      .map(([name, each]) => [name, hidden.includes(name) ? "…" : shown(each, hidden, depth + 1)])
  )
}

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** The plain values of an output, such as ids and times. */
const summary = (json: unknown, hidden: ReadonlyArray<string>): unknown =>
  typeof json === "object" && json !== null
    ? shown(Object.fromEntries(Object.entries(json).filter(([, value]) => typeof value !== "object")), hidden)
    : null
