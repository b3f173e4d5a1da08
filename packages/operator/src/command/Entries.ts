/**
 * Encodes the log's entries, which a store keeps as texts.
 */

/** The outcome of a command that has answered. */
export const DONE = "done"

/** Reads a JSON text of an entry; answers a text that cannot be read as it is. */
export const valueOf = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}
