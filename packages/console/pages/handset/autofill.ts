/**
 * Whether a phone would offer the code of a text, and why not.
 *
 * Source: WICG, "Origin-bound one-time codes delivered via SMS" (the last line `@host #code`); Android, "SMS Retriever API"
 * (at most 140 bytes, the 11 characters of the app's hash at the end).
 */
export interface Offer {
  readonly code: string | null
  /** Who may have it, or why nothing is offered. */
  readonly says: string
}

const BOUND = /^@(\S+)(?: @\S+)* #(\S+)$/
const HASH = /(?:^|\s)([A-Za-z0-9+/]{11})$/
const LONGEST = 140

export const offerOf = (text: string, code: string | null): Offer => {
  const lines = text.trimEnd().split("\n")
  const last = lines.at(-1)?.trim() ?? ""
  const bound = BOUND.exec(last)
  if (bound !== null) {
    const [, host = "", given = ""] = bound
    return { code: given, says: `Browsers offer it on ${host}, and nowhere else.` }
  }
  if (last.startsWith("@")) {
    return { code: null, says: "The last line is almost @host #code, but not quite: browsers offer nothing." }
  }
  const [, hash] = HASH.exec(text.trimEnd()) ?? []
  if (hash !== undefined && /[A-Z0-9+/]/.test(hash) && !/^\d+$/.test(hash)) {
    const size = new TextEncoder().encode(text).length
    return size > LONGEST
      ? { code: null, says: `${size} bytes are more than the ${LONGEST} that the SMS Retriever reads.` }
      : { code, says: `The app with the hash ${hash} gets it without a tap.` }
  }
  return code === null
    ? { code: null, says: "No code is found in this text." }
    : { code, says: "Any page may be offered it: no last line binds it to a site or an app." }
}
