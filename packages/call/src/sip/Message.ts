/**
 * SIP messages as they are on the wire, read tolerantly and written strictly.
 *
 * Octets are taken as latin1 both ways, so that what has to be sent back (a To, a Via) goes back as it came.
 *
 * Source: RFC 3261 §7, §20, §25; the ideas of RFC 4475.
 */
import * as HeaderValue from "./HeaderValue.ts"

export interface Request extends Common {
  readonly _tag: "Request"
  readonly method: string
  readonly uri: string
}

export interface Response extends Common {
  readonly _tag: "Response"
  readonly status: number
}

export type Message = Request | Response

interface Common {
  readonly headers: Headers
  /** The topmost Via, as it came: it may hold what ends a line. */
  readonly via: string
  /** The branch of the topmost Via, as it came: to be compared, not to be sent back. */
  readonly branch: string
  /** Likewise. */
  readonly callId: string
  readonly cseq: { readonly number: number; readonly method: string }
}

/** Octets of the longest message that is read; its head may be as long. */
export const LONGEST = 65_535
const MOST_HEADERS = 256

/**
 * The header fields of a message, named in lower case and never in compact form. Where they are is known; a value is
 * read when somebody asks for it, for of most messages only what names their transaction is ever wanted.
 */
export class Headers {
  private readonly text: string
  /** Where each field begins and ends, in turn. */
  private readonly places: ReadonlyArray<number>

  constructor(text: string, places: ReadonlyArray<number>) {
    this.text = text
    this.places = places
  }

  has(name: string): boolean {
    return this.next(name, 0) >= 0
  }

  /** The first field of a name, as it came and therefore nothing to send back: it may hold what ends a line. */
  raw(name: string): string | undefined {
    const index = this.next(name, 0)
    return index < 0 ? undefined : this.rawAt(index, name)
  }

  /** The first field of a name; as it came, without its line breaks. */
  first(name: string): string | undefined {
    const value = this.raw(name)
    return value === undefined ? undefined : clean(value)
  }

  /** Every field of a name, like the first. */
  fieldsOf(name: string): ReadonlyArray<string> {
    const fields: Array<string> = []
    for (let index = this.next(name, 0); index >= 0; index = this.next(name, index + 2)) {
      fields.push(clean(this.rawAt(index, name)))
    }
    return fields
  }

  /** The values of a list, whether they came in one field or in many. */
  list(name: string): ReadonlyArray<string> {
    if (!this.has(name)) return NONE
    return this.fieldsOf(name).flatMap((field) => HeaderValue.split(field, ","))
  }

  /** The place of the next field of a name, from some place on; -1 when there is none. */
  private next(name: string, from: number): number {
    const { places, text } = this
    for (let index = from; index < places.length; index += 2) {
      if (colonAfter(text, places[index] ?? 0, name) >= 0) return index
    }
    return -1
  }

  private rawAt(index: number, name: string): string {
    const { places, text } = this
    let begin = colonAfter(text, places[index] ?? 0, name) + 1
    let end = places[index + 1] ?? begin
    while (begin < end && HeaderValue.isBlank(text.charCodeAt(begin))) begin++
    while (begin < end && HeaderValue.isBlank(text.charCodeAt(end - 1))) end--
    return text.slice(begin, end)
  }
}

const NONE: ReadonlyArray<string> = []

const compact = new Map([
  ["call-id", "i"],
  ["contact", "m"],
  ["content-encoding", "e"],
  ["content-length", "l"],
  ["content-type", "c"],
  ["from", "f"],
  ["subject", "s"],
  ["supported", "k"],
  ["to", "t"],
  ["via", "v"]
])

/** Where the colon of a field is that has this name, in full or compact; -1 when it has another. */
const colonAfter = (text: string, field: number, name: string): number => {
  const second = text.charCodeAt(field + 1)
  const isCompact = second === COLON || HeaderValue.isBlank(second)
  // Most fields have another name, and most of these begin with another letter.
  if (!isCompact && (text.charCodeAt(field) | 32) !== name.charCodeAt(0)) return -1
  const colon = HeaderValue.afterName(text, field, isCompact ? (compact.get(name) ?? name) : name)
  return text.charCodeAt(colon) === COLON ? colon : -1
}

const [LINE_FEED, CARRIAGE_RETURN, SPACE, ZERO, NINE, COLON] = [10, 13, 32, 48, 57, 58]

/** Reads the head of a message; undefined when it is none. The body is left alone: nothing here needs it. */
export const parse = (bytes: Buffer): Message | undefined => {
  if (bytes.length > LONGEST) return undefined
  const text = bytes.toString("latin1")
  const start = afterLineBreaks(text)
  const end = lineEnd(text, start)
  const places = fieldsAfter(text, end)
  const common = places === undefined ? undefined : readCommon(new Headers(text, places))
  return common === undefined ? undefined : readStart(text, start, end, common)
}

/** Blank lines before a message are allowed. */
const afterLineBreaks = (text: string): number => {
  let index = 0
  while (text.charCodeAt(index) === CARRIAGE_RETURN || text.charCodeAt(index) === LINE_FEED) index++
  return index
}

/** Where the line ends that begins here, the carriage return before its line feed not counted. */
const lineEnd = (text: string, begin: number): number => {
  const newline = text.indexOf("\n", begin)
  const end = newline < 0 ? text.length : newline
  return end > begin && text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end
}

/** Where the line begins that follows one which ends here. */
const nextLine = (text: string, end: number): number => end + (text.charCodeAt(end) === CARRIAGE_RETURN ? 2 : 1)

/** Where each field begins and ends, until the first blank line; undefined when there are too many. */
const fieldsAfter = (text: string, startLine: number): ReadonlyArray<number> | undefined => {
  const places: Array<number> = []
  for (let begin = nextLine(text, startLine), lines = 1; begin < text.length; lines++) {
    const end = lineEnd(text, begin)
    if (end === begin) break
    if (lines >= MOST_HEADERS) return undefined
    // A line that begins with a blank goes on with the field before it.
    if (HeaderValue.isBlank(text.charCodeAt(begin)) && places.length > 0) places[places.length - 1] = end
    else places.push(begin, end)
    begin = nextLine(text, end)
  }
  return places
}

// oxlint-disable-next-line no-control-regex -- Control characters are what it looks for.
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]+/g

/** What a careless peer could take for the end of a line must not be sent back to it. */
const clean = (text: string): string => (text.search(CONTROL) < 0 ? text : text.replace(CONTROL, " ").trim())

const readCommon = (headers: Headers): Common | undefined => {
  const via = headers.raw("via")
  const callId = headers.raw("call-id")
  const cseq = readSequence(headers.raw("cseq"))
  if (via === undefined || callId === undefined || cseq === undefined) return undefined
  if (!headers.has("from") || !headers.has("to")) return undefined
  const branch = HeaderValue.parameter(HeaderValue.firstOf(via), "branch") ?? ""
  return { headers, via, branch, callId, cseq }
}

/** Character by character, as the status: every message has them, and a match of an expression is an array. */
const readSequence = (text = ""): Common["cseq"] | undefined => {
  let number = 0
  let index = 0
  for (; isDigit(text.charCodeAt(index)); index++) number = 10 * number + text.charCodeAt(index) - ZERO
  const method = HeaderValue.afterBlanks(text, index)
  const isWhole = index > 0 && index <= 10 && method > index && isToken(text, method)
  return isWhole && number < 2 ** 32 ? { number, method: text.slice(method) } : undefined
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE

/** Whether the rest is the name of a method. */
const isToken = (text: string, from: number): boolean => {
  for (let index = from; index < text.length; index++) if (text.charCodeAt(index) <= SPACE) return false
  return from < text.length && text.length - from <= 32
}

const readStart = (text: string, start: number, end: number, common: Common): Message | undefined => {
  const { branch, callId, cseq, headers, via } = common
  const status = readStatus(text, start, end)
  if (status !== undefined) return { _tag: "Response", status, headers, via, branch, callId, cseq }
  const line = text.slice(start, end)
  // oxlint-disable-next-line no-control-regex -- A URI has no control characters in it.
  const request = /^([A-Za-z0-9.!%*_+`'~-]{1,32}) +([^\u0000-\u0020\u007f]{1,2048}) +SIP\/2\.0 *$/i.exec(line)
  const method = request?.[1]
  if (method === undefined || method !== cseq.method) return undefined
  return { _tag: "Request", method, uri: request?.[2] ?? "", headers, via, branch, callId, cseq }
}

/** The status of a start line; undefined when it has none. */
const readStatus = (text: string, start: number, end: number): number | undefined => {
  let index = start + VERSION.length
  if (!HeaderValue.standsAt(text, start, VERSION) || text.charCodeAt(index) !== SPACE) return undefined
  while (text.charCodeAt(index) === SPACE) index++
  const after = index + 3
  if (after > end || (after < end && text.charCodeAt(after) !== SPACE)) return undefined
  let status = 0
  for (; index < after; index++) {
    if (!isDigit(text.charCodeAt(index))) return undefined
    status = 10 * status + text.charCodeAt(index) - ZERO
  }
  return status >= 100 && status < 700 ? status : undefined
}

const VERSION = "sip/2.0"

/** The methods that this client sends, for Allow. */
export const METHODS = "INVITE, ACK, CANCEL, BYE, OPTIONS"

/** The fields that every request has. */
export interface RequestFields {
  readonly route: {
    readonly endpoint: { readonly protocol: string }
    /** Our host and port in Via. */
    readonly sentBy: string
    /** The value of Route, or "". */
    readonly proxy: string
  }
  readonly uri: string
  /** With our tag. */
  readonly from: string
  readonly to: string
  readonly branch: string
  readonly callId: string
  readonly cseq: number
}

/**
 * Writes a request.
 *
 * @param more further header lines, each with its line break
 */
export const requestText = (
  method: string,
  { branch, callId, cseq, from, route, to, uri }: RequestFields,
  more = "",
  body = ""
): string =>
  serialise(
    `${method} ${uri} SIP/2.0`,
    `Via: SIP/2.0/${route.endpoint.protocol.toUpperCase()} ${route.sentBy};branch=${branch};rport\r\n` +
      `Max-Forwards: 70\r\n${route.proxy === "" ? "" : `Route: ${route.proxy}\r\n`}` +
      `From: ${from}\r\nTo: ${to}\r\nCall-ID: ${callId}\r\nCSeq: ${cseq} ${method}\r\n${more}`,
    body
  )

/** Writes a message. The caller has made sure that no value has a line break in it, and ends each field with one. */
export const serialise = (start: string, fields: string, body = ""): string =>
  `${start}\r\n${fields}Content-Length: ${body.length}\r\n\r\n${body}`
