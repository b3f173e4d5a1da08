/**
 * SIP messages on the wire, read tolerantly and written strictly.
 *
 * Octets are latin1 both ways, so that a value that is sent back (a To, a Via) is sent as it came.
 *
 * Source: RFC 3261 §7, §20, §25; the torture tests of RFC 4475.
 */
import { Headers } from "./Headers.ts"

export interface Request extends Common {
  readonly _tag: "Request"
  readonly method: string
  readonly uri: string
}

export interface Response extends Common {
  readonly _tag: "Response"
  readonly status: number
  /** The reason phrase as it came, for people and for marks that vendors put there. */
  readonly phrase: string
}

export type Message = Request | Response

interface Common {
  readonly headers: Headers
  /** The topmost Via. */
  readonly via: string
  /** The branch of the topmost Via, "" if it has no branch. */
  readonly branch: string
  readonly callId: string
  readonly cseq: { readonly number: number; readonly method: string }
}

/** Octets of the longest message that is read. */
export const LONGEST = 65_535
const MOST_LINES = 257

/** Reads the head of a message; undefined when it is malformed or cut off. The body is ignored. */
export const parse = (bytes: Buffer): Message | undefined => {
  if (bytes.length > LONGEST) return undefined
  const { body, lines } = split(bytes.toString("latin1"))
  const [start = ""] = lines
  if (lines.length > MOST_LINES) return undefined
  const common = readCommon(new Headers(lines.slice(1)))
  if (common === undefined || !isWhole(common.headers, body)) return undefined
  return readResponse(start, common) ?? readRequest(start, common)
}

/** A response has one Via only, and its request came by one proxy (RFC 3261 §8.1.3.3). */
const hasOneVia = ({ headers, via }: Common): boolean => headers.all("via").length === 1 && !via.includes(",")

/** Whether the body is as long as Content-Length says (RFC 3261 §18.3). */
const isWhole = (headers: Headers, body: number): boolean => {
  const length = headers.first("content-length") ?? "0"
  return /^[0-9]{1,9}$/.test(length) && Number(length) <= body
}

interface Parts {
  readonly lines: ReadonlyArray<string>
  /** Octets of the body. */
  readonly body: number
}

/** The lines before the first blank one, unfolded (RFC 3261 §7.3.1). No control character is left in them. */
const split = (text: string): Parts => {
  const end = text.indexOf("\r\n\r\n")
  const lines = (end < 0 ? text : text.slice(0, end)).split("\r\n")
  if (!lines.every((line) => PLAIN.test(line))) return repaired(text)
  return { lines, body: end < 0 ? 0 : text.length - end - 4 }
}

/** A line that is neither blank, nor folded, nor has a line end or control character in it. */
const PLAIN = /^[!-~\u0080-\u00ff][\t -~\u0080-\u00ff]*$/

const repaired = (text: string): Parts => {
  const message = text.replace(/^[\r\n]+/, "")
  const [blank = ""] = /\r?\n\r?\n/.exec(message) ?? []
  const end = blank === "" ? message.length : message.indexOf(blank)
  const lines = message
    .slice(0, end)
    .replace(/\r?\n[ \t]+/g, " ")
    .replace(CONTROL, " ")
    .split("\n")
    .map((line) => line.trimEnd())
  return { lines, body: message.length - end - blank.length }
}

/** A lone carriage return must not be sent back: some peers take it for the end of a line. */
// oxlint-disable-next-line no-control-regex -- It looks for control characters.
const CONTROL = /\r(?!\n|$)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

const BRANCH = /;[ \t]*branch[ \t]*=[ \t]*([^;, \t"]+)/i

const readCommon = (headers: Headers): Common | undefined => {
  const via = headers.first("via")
  const callId = headers.first("call-id")
  const sequence = /^([0-9]{1,10})[ \t]+([^ \t]{1,32})$/.exec(headers.first("cseq") ?? "")
  if (via === undefined || callId === undefined || sequence === null) return undefined
  if (headers.first("from") === undefined || headers.first("to") === undefined) return undefined
  const cseq = { number: Number(sequence[1]), method: sequence[2] ?? "" }
  if (cseq.number >= 2 ** 32) return undefined
  const [, branch = ""] = BRANCH.exec(via) ?? []
  return { headers, via, branch, callId, cseq }
}

const readResponse = (start: string, common: Common): Response | undefined => {
  const match = /^SIP\/2\.0 +([1-6][0-9]{2})(?: (.*))?$/i.exec(start)
  if (match === null || !hasOneVia(common)) return undefined
  return { _tag: "Response", status: Number(match[1]), phrase: (match[2] ?? "").trim(), ...common }
}

const readRequest = (start: string, common: Common): Request | undefined => {
  const match = /^([A-Za-z0-9.!%*_+`'~-]{1,32}) +([^ \t]{1,2048}) +SIP\/2\.0 *$/i.exec(start)
  const [, method, uri = ""] = match ?? []
  if (method === undefined || method !== common.cseq.method) return undefined
  return { _tag: "Request", method, uri, ...common }
}

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
