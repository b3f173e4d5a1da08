/**
 * Counts a process's statements and calls, by kind and by text or place. Import it before the counted modules, which
 * may keep the functions that it replaces.
 *
 * Timers that Node makes for itself, for the sockets of its HTTP server or the date in its answers, are left out.
 */
import { createHook } from "node:async_hooks"
import { syncBuiltinESMExports } from "node:module"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"

/** How often, by kind and by the text of a statement or the place of a call. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>

let counts: Record<string, Record<string, number>> = {}
let fibers = 0

/** The counts since the last call. */
export const take = (): Counts => {
  const taken = counts
  counts = {}
  // Effect numbers the fibers of a process. One of them asks for the number.
  const latest = Effect.runSync(Effect.fiberId)
  if (latest > fibers + 1) taken["fibers"] = { "": latest - fibers - 1 }
  fibers = latest
  return taken
}

const count = (kind: string, detail: string): void => {
  const details = (counts[kind] ??= {})
  details[detail] = (details[detail] ?? 0) + 1
}

type Note = (self: unknown, args: ReadonlyArray<unknown>) => void

const replace = (owner: object, names: ReadonlyArray<string>, note: Note): void => {
  for (const name of names) {
    const original = Reflect.get(owner, name)
    Reflect.set(owner, name, function (this: unknown, ...args: ReadonlyArray<unknown>) {
      note(this, args)
      return Reflect.apply(original, this, args)
    })
  }
}

/** The line that leads here, of the service before that of a library; none if Node leads here by itself. */
const place = (): string | undefined => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const stack = new Error("the stack").stack ?? ""
  Error.stackTraceLimit = stackTraceLimit
  const places = [
    ...stack.matchAll(/file:\/\/\S*\/((?:packages(?!\/standalone\/)|adapters|node_modules)\/\S+):\d+:\d+/g)
  ]
  const [, own] = places.find(([, place = ""]) => !place.startsWith("node_modules")) ?? places[0] ?? []
  return own
}

const statement = (sql: string): void => count(sql.trim().split(/\W/, 1)[0]?.toUpperCase() ?? "", sql)
const memory = new Sqlite(":memory:")
replace(Object.getPrototypeOf(memory.prepare("SELECT 1")), ["run", "get", "all", "iterate"], (self) =>
  statement(String(Reflect.get(Object(self), "source")))
)
replace(Sqlite.prototype, ["exec", "pragma"], (_, [sql]) => statement(String(sql)))
memory.close()

const hash = (): void => count("hashes", place() ?? "Node")
replace(process.getBuiltinModule("node:crypto"), ["hash", "createHash", "createHmac"], hash)
replace(SubtleCrypto.prototype, ["digest", "sign", "verify", "deriveBits"], hash)
syncBuiltinESMExports()

const kinds = new Map([
  ["Timeout", "timers"],
  ["Immediate", "immediates"]
])
createHook({
  init: (_id, type) => {
    const kind = kinds.get(type)
    const at = kind === undefined ? undefined : place()
    if (kind !== undefined && at !== undefined) count(kind, at)
  }
}).enable()
