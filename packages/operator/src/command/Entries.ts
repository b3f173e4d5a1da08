/**
 * Encodes the log's entries, which a store keeps as texts.
 */
import type { LogEntry } from "@watchword/store/Store"

/** The outcome of a command that has answered. */
export const DONE = "done"

/**
 * Whom no other operator shares. An entry of a release that kept only names has a name that no identity is.
 *
 * The store keeps it with the output, which is JSON, so that entries of all releases are in one form.
 */
export const identityOf = ({ output, who }: Pick<LogEntry, "output" | "who">): string => {
  const value = output === null ? null : valueOf(output)
  const has = typeof value === "object" && value !== null && "identity" in value && typeof value.identity === "string"
  return has ? String(value.identity) : `named ${who}`
}

/** Reads a JSON text of an entry; answers a text that cannot be read as it is. */
export const valueOf = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}
