/**
 * Conflict of two operators who change one thing: the operators' log says whether another has changed it since it was
 * read.
 */
import { Conflict } from "@watchword/schemas/Errors"
import { timeOfUlid } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import { type LogEntry, Store } from "@watchword/store/Store"
import { DONE, identityOf, valueOf } from "./Entries.ts"
import type { StoreError } from "@watchword/store/StoreError"
import type { AnyCommand } from "./Command.ts"

type Described = Pick<AnyCommand<unknown>, "fields" | "name">

/** How many of the newest entries are looked at. */
const LOOKED_AT = 200

/** How often an entry of another server is looked at again, which may have been refused because of ours. */
const LOOKS = 20
const LOOK_EVERY = "100 millis"

/**
 * Fails where another operator has changed the subject of a command since a time in milliseconds since the epoch.
 *
 * @param entry the command's own, which is in the log already: of two at the same time, the one with the greater id is
 *   refused. Ids are of the clocks of servers, so that one of another server may be there before ours and have a
 *   greater id. Where such a command is under way, it has either seen ours, and is refused, or it continues
 */
export const since = Effect.fnUntraced(function* (
  seen: number,
  command: Described,
  entry: LogEntry
): Effect.fn.Return<void, Conflict | StoreError, Store> {
  const subject = subjectOf(command, entry)
  if (subject === null) return
  const own = identityOf(entry)
  const store = yield* Store
  const find = Effect.map(store.logEntries({ since: seen, before: null, limit: LOOKED_AT }), (entries) =>
    entries.filter((each) => {
      const isChange = each.outcome === null || each.outcome === DONE
      return isChange && identityOf(each) !== own && isAbout(each, command, subject)
    })
  )
  let others = yield* find
  for (let look = 0; look < LOOKS && others.length > 0 && others.every(isOpenAfter(entry)); look++) {
    yield* Effect.sleep(LOOK_EVERY)
    others = yield* find
  }
  const [other] = others
  if (other === undefined) return
  const at = new Date(timeOfUlid(other.id)).toISOString()
  return yield* new Conflict({
    message: `${other.who} changed this at ${at} (${other.command}). Reload it before you change it.`,
    reason: "changed_meanwhile"
  })
})

const isOpenAfter =
  (own: LogEntry) =>
  ({ id, outcome }: LogEntry): boolean =>
    outcome === null && id > own.id

/** The value of the first field that people write without a flag. Null for a command that makes something new. */
const subjectOf = ({ fields }: Described, { input }: LogEntry): string | null => {
  const first = fields.find(({ isPositional }) => isPositional)
  const subject = first === undefined ? undefined : fieldsOf(input).get(first.json)
  return typeof subject === "string" ? subject : null
}

/**
 * Whether an entry is of the same group of commands, such as `guard`, and names the subject in one field or another.
 */
const isAbout = (entry: Pick<LogEntry, "command" | "input">, { name: [group] }: Described, subject: string): boolean =>
  entry.command.split(" ")[0] === group && [...fieldsOf(entry.input).values()].includes(subject)

const fieldsOf = (json: string): ReadonlyMap<string, unknown> => {
  const value = valueOf(json)
  return new Map(typeof value === "object" && value !== null ? Object.entries(value) : [])
}
