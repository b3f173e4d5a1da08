/**
 * The header fields of a SIP message.
 *
 * Source: RFC 3261 §7.3, §20.
 */
import * as HeaderValue from "./HeaderValue.ts"

/** Names are asked for in lower case and in full. */
export class Headers {
  private readonly fields = new Map<string, Array<string>>()

  /** @param lines unfolded header lines; lines without a colon are ignored */
  constructor(lines: ReadonlyArray<string>) {
    for (const line of lines) {
      const colon = line.indexOf(":")
      if (colon < 0) continue
      const written = line.slice(0, colon).trimEnd().toLowerCase()
      const name = fullNames.get(written) ?? written
      const value = line.slice(colon + 1).trim()
      const others = this.fields.get(name)
      if (others === undefined) this.fields.set(name, [value])
      else others.push(value)
    }
  }

  /** The first field of a name. */
  first(name: string): string | undefined {
    return this.fields.get(name)?.[0]
  }

  /** Every field of a name. */
  all(name: string): ReadonlyArray<string> {
    return this.fields.get(name) ?? []
  }

  /** The values of a comma-separated list, which may span several fields. */
  list(name: string): ReadonlyArray<string> {
    return this.all(name).flatMap((field) => HeaderValue.split(field, ","))
  }
}

/** Names by their compact forms. Source: RFC 3261 §7.3.3, RFC 8224 §4. */
const fullNames = new Map([
  ["c", "content-type"],
  ["e", "content-encoding"],
  ["f", "from"],
  ["i", "call-id"],
  ["k", "supported"],
  ["l", "content-length"],
  ["m", "contact"],
  ["s", "subject"],
  ["t", "to"],
  ["v", "via"],
  ["y", "identity"]
])
