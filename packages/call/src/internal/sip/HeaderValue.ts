/**
 * Parts of header values: lists, parameters, addresses and URIs.
 *
 * Source: RFC 3261 §7.3.1, §19.1, §20, §25.
 */

/** Runs without the separator; within quotes and angle brackets it does not separate. */
const runs = {
  ",": /(?:[^",<]|"(?:[^"\\]|\\.)*"?|<[^>]*>?)+/g,
  ";": /(?:[^";<]|"(?:[^"\\]|\\.)*"?|<[^>]*>?)+/g
}

/** The parts of a value, trimmed; empty ones are left out. */
export const split = (text: string, separator: "," | ";"): ReadonlyArray<string> => {
  if (/["<]/.test(text)) return trimmed(text.match(runs[separator]) ?? [])
  return text.includes(separator) ? trimmed(text.split(separator)) : trimmed([text])
}

const trimmed = (parts: ReadonlyArray<string>): ReadonlyArray<string> =>
  parts.map((part) => part.trim()).filter((part) => part !== "")

/** The first value of a list. */
export const firstOf = (list: string): string => (list.includes(",") ? (split(list, ",")[0] ?? "") : list)

/** A parameter after the first semicolon; "" for one without a value. The name is asked for in lower case. */
export const parameter = (text: string, name: string): string | undefined => {
  for (const part of split(text, ";").slice(text.startsWith(";") ? 0 : 1)) {
    const equals = part.indexOf("=")
    if (equals < 0 && part.toLowerCase() === name) return ""
    if (equals >= 0 && part.slice(0, equals).trimEnd().toLowerCase() === name) {
      return unquoted(part.slice(equals + 1).trimStart())
    }
  }
  return undefined
}

/** A quoted string without its quotes; anything else as it is. */
export const unquoted = (text: string): string =>
  text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/g, "$1") : text

/** The tag of a From or To. */
export const tag = (address: string): string => parameter(address, "tag") ?? ""

const NAME_ADDR = /^(?:[^"<]|"(?:[^"\\]|\\.)*")*<([^>]*)/

/** The URI of a From, To, Contact, Route or Record-Route. */
export const uriOf = (address: string): string => (NAME_ADDR.exec(address)?.[1] ?? split(address, ";")[0] ?? "").trim()

export interface Uri {
  readonly scheme: "sip" | "sips"
  /** Without brackets around an IPv6 address. */
  readonly host: string
  readonly port: number | null
  /** In lower case, null if none is given. */
  readonly transport: string | null
  /** The `lr` parameter of a loose router. */
  readonly loose: boolean
}

const URI = /^(sips?):(?:[^@\s<>"]*@)?(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?(;[^?\s<>"]*)?(?:\?[^\s<>"]*)?$/i

/** Whether a text is a SIP or SIPS URI. */
export const isUri = (text: string): boolean => matchUri(text) !== null

const matchUri = (text: string): RegExpExecArray | null => {
  const match = URI.exec(text)
  const port = match?.[3]
  return port === undefined || (Number(port) > 0 && Number(port) <= 65_535) ? match : null
}

/** Reads a SIP or SIPS URI; undefined if it is not valid. */
export const parseUri = (text: string): Uri | undefined => {
  const match = matchUri(text)
  if (match === null) return undefined
  const [, scheme = "", host = "", port, more = ""] = match
  const parameters = `uri${more}`
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

const VIA = /^SIP *\/ *2\.0 *\/ *[a-z0-9-]+ +(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?: *: *([0-9]{1,5}))?[ \t]*(?:;|$)/i

/** The host and port of a Via, without spaces; undefined when it is malformed. */
export const sentBy = (via: string): string | undefined => {
  const [, host, port] = VIA.exec(via) ?? []
  return host === undefined || port === undefined ? host : `${host}:${port}`
}

/** The seconds of a Retry-After, null if it has no seconds. Source: RFC 3261 §20.33. */
export const retryAfter = (text: string | undefined): number | null => {
  const seconds = /^[0-9]{1,9}/.exec(text ?? "")?.[0]
  return seconds === undefined ? null : Number(seconds)
}
