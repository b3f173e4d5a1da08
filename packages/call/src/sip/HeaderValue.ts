/**
 * The parts of header values: lists, parameters, addresses and URIs.
 *
 * Source: RFC 3261 §7.3.1, §19.1, §20, §25.
 */

/** Cuts at a separator, except within quotes and angle brackets. */
export const split = (text: string, separator: "," | ";" | " "): ReadonlyArray<string> => {
  const parts: Array<string> = []
  const isBare = hasNoQuotes(text)
  for (let start = 0; start <= text.length;) {
    const end = nextOutside(text, start, separator, isBare)
    const part = text.slice(start, end).trim()
    if (part !== "") parts.push(part)
    start = end + 1
  }
  return parts
}

/** The first value of a list. */
export const firstOf = (list: string): string => (list.includes(",") ? (split(list, ",")[0] ?? "") : list)

/** A parameter after the first semicolon outside of quotes and brackets; "" for one without a value. */
export const parameter = (text: string, name: string): string | undefined => {
  const isBare = hasNoQuotes(text)
  for (let semicolon = nextOutside(text, 0, ";", isBare); semicolon < text.length;) {
    const end = nextOutside(text, semicolon + 1, ";", isBare)
    const after = afterName(text, afterBlanks(text, semicolon + 1), name)
    if (after === end) return ""
    if (text.charCodeAt(after) === EQUALS) return unquoted(text.slice(after + 1, end).trim())
    semicolon = end
  }
  return undefined
}

const [QUOTE, OPEN, EQUALS, CLOSE, BACKSLASH] = [34, 60, 61, 62, 92]

/** Whether every separator counts, which most values need not be looked at for octet by octet. */
const hasNoQuotes = (text: string): boolean => !text.includes('"') && !text.includes("<")

/** Where the next separator outside of quotes and angle brackets is; the text's length when there is none. */
const nextOutside = (text: string, from: number, separator: string, isBare: boolean): number => {
  if (isBare) {
    const next = text.indexOf(separator, from)
    return next < 0 ? text.length : next
  }
  const wanted = separator.charCodeAt(0)
  let quoted = false
  let bracketed = false
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (quoted) {
      if (code === BACKSLASH) index++
      else if (code === QUOTE) quoted = false
    } else if (code === QUOTE) quoted = true
    else if (code === OPEN) bracketed = true
    else if (code === CLOSE) bracketed = false
    else if (code === wanted && !bracketed) return index
  }
  return text.length
}

/** Where the blanks end that follow a name, when the name is what stands here; else -1. */
export const afterName = (text: string, begin: number, name: string): number =>
  standsAt(text, begin, name) ? afterBlanks(text, begin + name.length) : -1

/** Whether a name stands here, in any case; it is asked for in lower case. */
export const standsAt = (text: string, begin: number, name: string): boolean => {
  for (let index = 0; index < name.length; index++) {
    const code = text.charCodeAt(begin + index)
    if (code !== name.charCodeAt(index) && lowered(code) !== name.charCodeAt(index)) return false
  }
  return true
}

const lowered = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code)

/** Where the blanks end that stand here, if any do. */
export const afterBlanks = (text: string, begin: number): number => {
  let index = begin
  while (isBlank(text.charCodeAt(index))) index++
  return index
}

/** Whether it is the code of a space or a tab, or of the line break of a field that goes on in another line. */
export const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13

/** A quoted string without its quotes; anything else as it is. */
export const unquoted = (text: string): string =>
  text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/g, "$1") : text

/** The tag of a From or To. */
export const tag = (address: string): string => parameter(address, "tag") ?? ""

/** The URI of a From, To, Contact, Route or Record-Route. */
export const uriOf = (address: string): string => {
  const open = indexOutsideQuotes(address, "<")
  if (open < 0) return (split(address, ";")[0] ?? "").trim()
  const close = address.indexOf(">", open)
  return address.slice(open + 1, close < 0 ? undefined : close).trim()
}

const indexOutsideQuotes = (text: string, wanted: string): number => {
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === "\\" && quoted) index++
    else if (character === '"') quoted = !quoted
    else if (character === wanted && !quoted) return index
  }
  return -1
}

export interface Uri {
  readonly scheme: "sip" | "sips"
  /** Without brackets around an IPv6 address. */
  readonly host: string
  readonly port: number | null
  /** In lower case, null where none is given. */
  readonly transport: string | null
  /** The `lr` parameter of a loose router. */
  readonly loose: boolean
}

const URI = /^(sips?):(?:[^@\s<>"]*@)?(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?(;[^?\s<>"]*)?(?:\?[^\s<>"]*)?$/i

/** Reads a SIP or SIPS URI; undefined when it is none. */
export const parseUri = (text: string): Uri | undefined => {
  const match = URI.exec(text)
  if (match === null) return undefined
  const [, scheme = "", host = "", port, more = ""] = match
  const parameters = `uri${more}`
  if (port !== undefined && (Number(port) > 65_535 || Number(port) === 0)) return undefined
  return {
    scheme: scheme.toLowerCase() === "sips" ? "sips" : "sip",
    host: host.replace(/^\[(.*)\]$/, "$1"),
    port: port === undefined ? null : Number(port),
    transport: parameter(parameters, "transport")?.toLowerCase() ?? null,
    loose: parameter(parameters, "lr") !== undefined
  }
}

/** Host and port as URIs and Vias want them. */
export const hostPort = (host: string, port: number | null): string =>
  `${host.includes(":") ? `[${host}]` : host}${port === null ? "" : `:${port}`}`

/** The host and port of a Via's sent-by. */
export const sentBy = (via: string): { readonly host: string; readonly port: number | null } | undefined => {
  const match = /^SIP *\/ *2\.0 *\/ *[a-z0-9-]+ +(\[[0-9a-f:.]+\]|[a-z0-9._-]+) *(?:: *([0-9]{1,5}))?$/i.exec(
    split(via, ";")[0] ?? ""
  )
  if (match === null) return undefined
  return { host: (match[1] ?? "").replace(/^\[(.*)\]$/, "$1"), port: match[2] === undefined ? null : Number(match[2]) }
}

/** The cause of a Reason header in ISDN's numbering, null where there is none. Source: RFC 3326 §2. */
export const q850 = (reasons: ReadonlyArray<string>): number | null => {
  for (const reason of reasons) {
    const cause = parameter(reason, "cause") ?? ""
    if (/^Q\.850 *(?:;|$)/i.test(reason) && /^[0-9]{1,3}$/.test(cause)) return Number(cause)
  }
  return null
}

/** The seconds of a Retry-After, null where there are none. Source: RFC 3261 §20.33. */
export const retryAfter = (text: string | undefined): number | null => {
  const seconds = /^[0-9]{1,9}/.exec(text ?? "")?.[0]
  return seconds === undefined ? null : Number(seconds)
}
