/**
 * Whether a phone offers the code of a text to a page or an app, and why not.
 *
 * Source: WICG, Origin-bound one-time codes delivered via SMS, §2 (the last line `@host #code @embedded`, offered only
 * to its host and site); Android, SMS Retriever (at most 140 bytes, with the 11 characters of the app's hash).
 */

/** Who asks for the code. */
export type Target = { readonly kind: "page"; readonly host: string } | { readonly kind: "app"; readonly hash: string }

export interface Offer {
  /** The code that the chip fills in; null if the phone offers no code. */
  readonly code: string | null
  readonly says: string
}

/** The most bytes of a text that the SMS Retriever reads. */
const LONGEST = 140

export const offerOf = (text: string, code: string | null, target: Target): Offer =>
  target.kind === "page" ? toPage(text, code, target.host) : toApp(text, code, target.hash)

/** The host that a text is bound to; null if it is not bound to a host. */
export const hostOf = (text: string): string | null => boundOf(lastLine(text))?.host ?? null

/** The hash of an app in a text; null if there is no hash. */
export const hashOf = (text: string): string | null => {
  const words = text.split(/\s+/).filter((word) => HASH.test(word))
  return words.find((word) => isAlone(text, word) || LIKELY.test(word)) ?? null
}

/** In bytes of UTF-8. */
const sizeOf = (text: string): number => new TextEncoder().encode(text).length

const toPage = (text: string, code: string | null, host: string): Offer => {
  const bound = boundOf(lastLine(text))
  if (bound !== null) {
    return isSameSite(host, bound.host)
      ? { code: bound.code, says: `The last line binds the code to ${bound.host}.` }
      : { code: null, says: `Bound to ${bound.host}: nothing is offered on ${host === "" ? "other pages" : host}.` }
  }
  const flaw = flawOf(text)
  if (flaw !== null) return { code: null, says: flaw }
  return code === null
    ? { code: null, says: "The text contains no code." }
    : { code, says: "Guessed from the words and offered on any page, because no last line @host #code binds it." }
}

const toApp = (text: string, code: string | null, hash: string): Offer => {
  const found = hashOf(text)
  if (found === null) {
    return {
      code: null,
      says: "The text has no app hash, so SMS Retriever ignores it. Start the verification with app_hash."
    }
  }
  if (hash !== found) return { code: null, says: `The text is for the app ${found}, not for ${hash || "this one"}.` }
  const size = sizeOf(text)
  return size > LONGEST
    ? { code: null, says: `The text has ${size} bytes; SMS Retriever reads at most ${LONGEST}.` }
    : { code, says: `SMS Retriever passes the text to the app without a tap (${size} of ${LONGEST} bytes).` }
}

const BOUND = /^@([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?) #([^#\s]+)(?: @[a-z0-9.-]+)?$/i

const boundOf = (line: string): { readonly host: string; readonly code: string } | null => {
  const [, host, code] = BOUND.exec(line) ?? []
  return host === undefined || code === undefined ? null : { host: host.toLowerCase(), code }
}

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1)?.trim() ?? ""

/** Why a last line that was meant to bind the code does not bind it. */
const flawOf = (text: string): string | null => {
  const last = lastLine(text)
  if (text.split("\n").some((line) => boundOf(line.trim()) !== null)) {
    return "The line @host #code is not the last one, where phones look for it."
  }
  if (!/^@\S/.test(last)) return null
  if (/^@https?:/i.test(last)) return "The @ is followed by a full address; it must be only the host."
  if (/^@[^\s:]+:\d/.test(last)) return "The host has a port, which the last line cannot include."
  if (!last.includes("#")) return "The # before the code is missing in the last line."
  return "The last line does not match @host #code: write one space between them and nothing else."
}

/** Without the public suffix list: the hosts are equal, or one is a subdomain of the other. */
const isSameSite = (one: string, other: string): boolean =>
  one === other || one.endsWith(`.${other}`) || (one.includes(".") && other.endsWith(`.${one}`))

const HASH = /^[A-Za-z0-9+/]{11}$/
/** Words of eleven letters are not hashes: "immediately". */
const LIKELY = /^(?!\d+$)(?=.*(?:[\d+/]|[a-z][A-Z]|[A-Z]{2}[a-z]))/

const isAlone = (text: string, word: string): boolean => text.split("\n").some((line) => line.trim() === word)
