/**
 * The header fields of a SIP message. Most are never asked for, so that lines are read when they are.
 *
 * Source: RFC 3261 §7.3, §20.
 */
import * as HeaderValue from "./HeaderValue.ts"

/** Names are asked for in lower case and in full. */
export class Headers {
  private readonly lines: ReadonlyArray<string>

  /** @param lines unfolded header lines */
  constructor(lines: ReadonlyArray<string>) {
    this.lines = lines
  }

  /** The first field of a name. */
  first(name: string): string | undefined {
    const compact = compactNames.get(name)
    for (const line of this.lines) {
      const value = valueOf(line, name, compact)
      if (value !== undefined) return value
    }
    return undefined
  }

  /** Every field of a name. */
  all(name: string): ReadonlyArray<string> {
    const compact = compactNames.get(name)
    const values: Array<string> = []
    for (const line of this.lines) {
      const value = valueOf(line, name, compact)
      if (value !== undefined) values.push(value)
    }
    return values
  }

  /** The values of a comma-separated list, which may span several fields. */
  list(name: string): ReadonlyArray<string> {
    return this.all(name).flatMap((field) => HeaderValue.split(field, ","))
  }
}

/** Source: RFC 3261 §7.3.3. */
const compactNames = new Map([
  ["content-type", "c"],
  ["content-encoding", "e"],
  ["from", "f"],
  ["call-id", "i"],
  ["supported", "k"],
  ["content-length", "l"],
  ["contact", "m"],
  ["subject", "s"],
  ["to", "t"],
  ["via", "v"]
])

/** The value of a line that has one of these names. */
const valueOf = (line: string, name: string, compact: string | undefined): string | undefined =>
  valueAfter(line, name) ?? (compact === undefined ? undefined : valueAfter(line, compact))

const valueAfter = (line: string, name: string): string | undefined => {
  const next = line[name.length]
  if (next !== ":" && next !== " " && next !== "\t") return undefined
  if (line.slice(0, name.length).toLowerCase() !== name) return undefined
  const rest = line.slice(name.length).trimStart()
  return rest.startsWith(":") ? rest.slice(1).trim() : undefined
}
