/**
 * Conflict of two operators who change one thing: the operators' log says whether another has changed it since it was read.
 */
import { Conflict } from "@watchword/schemas/Errors"
import { timeOfUlid } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import { Store } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"
import type { AnyCommand } from "./Command.ts"
import { DONE, type LogEntry, valueOf } from "./LogStore.ts"

type Described = Pick<AnyCommand<unknown>, "fields" | "name">

/** How many entries before a command are looked at. */
const LOOKED_AT = 200

/**
 * Fails where another operator has changed the subject of a command since a time in milliseconds since the epoch.
 *
 * @param entry the command's own, which is in the log already: of two at the same time, the second is refused
 */
export const since = Effect.fnUntraced(function* (
  seen: number,
  command: Described,
  entry: LogEntry
): Effect.fn.Return<void, Conflict | StoreError, Store> {
  const subject = subjectOf(command, entry)
  if (subject === null) return
  const store = yield* Store
  const entries = yield* store.logEntries({ since: seen, before: entry.id, limit: LOOKED_AT })
  const other = entries.find(({ outcome, who, ...each }) => {
    const isChange = outcome === null || outcome === DONE
    return isChange && who !== entry.who && isAbout(each, command, subject)
  })
  if (other === undefined) return
  const at = new Date(timeOfUlid(other.id)).toISOString()
  return yield* new Conflict({
    message: `${other.who} has changed this at ${at} (${other.command}). Look again before you change it.`,
    reason: "changed_meanwhile"
  })
})

/** The value of the first field that people write without a flag. Null for a command that makes something new. */
const subjectOf = ({ fields }: Described, { input }: LogEntry): string | null => {
  const first = fields.find(({ isPositional }) => isPositional)
  const subject = first === undefined ? undefined : fieldsOf(input).get(first.json)
  return typeof subject === "string" ? subject : null
}

/** Whether an entry is of the same group of commands, such as `guard`, and names the subject in one field or another. */
const isAbout = (entry: Pick<LogEntry, "command" | "input">, { name: [group] }: Described, subject: string): boolean =>
  entry.command.split(" ")[0] === group && [...fieldsOf(entry.input).values()].includes(subject)

const fieldsOf = (json: string): ReadonlyMap<string, unknown> => {
  const value = valueOf(json)
  return new Map(typeof value === "object" && value !== null ? Object.entries(value) : [])
}
