/**
 * SIP messages as a trunk for tests reads and writes them, by means of its own: a fault of a client's codec is then no
 * fault of its peer's too.
 *
 * @example
 * ```ts
 * import { header, read } from "@watchword/sandbox/trunk"
 *
 * header(read("OPTIONS sip:a@b SIP/2.0\r\ni: 4711\r\n\r\n"), "call-id") // 4711
 * ```
 *
 * Source: RFC 3261 §7, §8.2.6, §12.1.1, §18.2 and §20; RFC 3581 §4.
 */

export interface Wire {
  /** As it came. */
  readonly text: string
  /** The method of a request, "" of a response. */
  readonly method: string
  /** The status of a response, 0 of a request. */
  readonly status: number
  readonly uri: string
  readonly headers: ReadonlyMap<string, ReadonlyArray<string>>
  readonly body: string
}

/** Headers by their compact forms. */
const COMPACT: ReadonlyMap<string, string> = new Map([
  ["c", "content-type"],
  ["f", "from"],
  ["i", "call-id"],
  ["k", "supported"],
  ["l", "content-length"],
  ["m", "contact"],
  ["s", "subject"],
  ["t", "to"],
  ["v", "via"]
])

export const read = (given: string): Wire => {
  const text = given.replace(/^(?:\r?\n)+/, "")
  const [blank = ""] = /\r?\n\r?\n/.exec(text) ?? []
  const end = blank === "" ? text.length : text.indexOf(blank)
  // A line that begins with white space continues the one before.
  const [start = "", ...lines] = text
    .slice(0, end)
    .replace(/\r?\n[ \t]+/g, " ")
    .split(/\r?\n/)
  const headers = new Map<string, Array<string>>()
  for (const line of lines) {
    const [, name = "", value = ""] = /^([^:\s]+)[ \t]*:[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    const full = COMPACT.get(name.toLowerCase()) ?? name.toLowerCase()
    headers.set(full, [...(headers.get(full) ?? []), value])
  }
  const [first = "", second = ""] = start.split(" ")
  const isResponse = first === "SIP/2.0"
  return {
    text: given,
    method: isResponse ? "" : first,
    status: isResponse ? Number(second) : 0,
    uri: isResponse ? "" : second,
    headers,
    body: text.slice(end + blank.length)
  }
}

export const header = (message: Wire, name: string): string => message.headers.get(name.toLowerCase())?.[0] ?? ""

export const branch = (message: Wire): string => /;\s*branch\s*=\s*([^;,\s]+)/i.exec(header(message, "via"))?.[1] ?? ""

export const tag = (address: string): string => /;\s*tag\s*=\s*([^;,\s]+)/i.exec(address)?.[1] ?? ""

export const cseq = (message: Wire): number => Number(header(message, "cseq").split(" ")[0])

export interface ResponseOptions {
  /** The tag of To, if the request lacks it. */
  readonly tag?: string
  readonly headers?: ReadonlyArray<string>
  /** The reason phrase. */
  readonly phrase?: string
  /** Where the request came from, for `received` and `rport`. */
  readonly source?: { readonly address: string; readonly port: number }
  readonly body?: string
}

/** A response to a request, as a user agent server makes it. */
export const response = (request: Wire, status: number, options: ResponseOptions = {}): string => {
  const { body = "", source } = options
  const to = header(request, "to")
  const isDialog = request.method === "INVITE" && status > 100 && status < 300
  return [
    `SIP/2.0 ${status} ${options.phrase ?? PHRASES.get(status) ?? (status < 200 ? "Progress" : status < 300 ? "OK" : "No")}`,
    ...viasOf(request, source),
    ...(isDialog ? (request.headers.get("record-route") ?? []).map((route) => `Record-Route: ${route}`) : []),
    `From: ${header(request, "from")}`,
    `To: ${to}${status === 100 || tag(to) !== "" ? "" : `;tag=${options.tag ?? "callee"}`}`,
    `Call-ID: ${header(request, "call-id")}`,
    `CSeq: ${header(request, "cseq")}`,
    ...(options.headers ?? []),
    `Content-Length: ${Buffer.byteLength(body, "latin1")}`,
    "",
    body
  ].join("\r\n")
}

/** The Via headers, the topmost with the address that its request came from. */
const viasOf = ({ headers }: Wire, source: ResponseOptions["source"]): ReadonlyArray<string> => {
  const [via = "", ...others] = headers.get("via") ?? []
  return [source === undefined ? via : seenFrom(via, source), ...others].map((each) => `Via: ${each}`)
}

const seenFrom = (via: string, { address, port }: { readonly address: string; readonly port: number }): string => {
  // One header may have several values, whose topmost is the first.
  const [, topmost = via, rest = ""] = /^([^,]*)(,.*)?$/.exec(via) ?? []
  return `${topmost.replace(/;\s*rport\s*(?=;|$)/i, `;rport=${port}`)};received=${address}${rest}`
}

const PHRASES: ReadonlyMap<number, string> = new Map([
  [100, "Trying"],
  [180, "Ringing"],
  [200, "OK"],
  [403, "Forbidden"],
  [404, "Not Found"],
  [405, "Method Not Allowed"],
  [480, "Temporarily Unavailable"],
  [481, "Call/Transaction Does Not Exist"],
  [484, "Address Incomplete"],
  [486, "Busy Here"],
  [487, "Request Terminated"],
  [500, "Server Internal Error"],
  [503, "Service Unavailable"],
  [603, "Decline"]
])

/**
 * The number that an address names: of a SIP or tel URI, with or without a display name, angle brackets and parameters.
 * Visual separators are left out, and bare digits get their plus sign. A user that is not a number is returned as is.
 *
 * Source: RFC 3261 §19.1.6 and §20; RFC 3966 §3 and §5.
 */
export const numberOf = (address: string): string => {
  // A display name may have brackets in it, if it is quoted.
  const unnamed = address.replace(/^\s*"(?:[^"\\]|\\.)*"/, "")
  const [, bracketed] = /<([^>]*)>/.exec(unnamed) ?? []
  const uri = (bracketed ?? unnamed.replace(/;.*$/, "")).trim()
  const [, user = ""] = /^sips?:([^@]+)@/i.exec(uri) ?? /^tel:(.+)$/i.exec(uri) ?? []
  // Parameters of a telephone number, and a password.
  const [subscriber = ""] = decoded(user).split(/[;:]/)
  const digits = subscriber.replace(/[-.() ]/g, "")
  if (!/^\+?\d+$/.test(digits)) return subscriber
  return /^\d{6,15}$/.test(digits) ? `+${digits}` : digits
}

const decoded = (user: string): string =>
  user.replace(/%([0-9a-f]{2})/gi, (_whole, code: string) => String.fromCharCode(parseInt(code, 16)))
