/**
 * SIP messages on the wire, read tolerantly and written strictly.
 *
 * Octets are latin1 both ways, so that a value that is sent back (a To, a Via) is sent as it came.
 *
 * Source: RFC 3261 §7, §20, §25; the torture tests of RFC 4475.
 */
import { Headers } from "./Headers.ts"
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
  /** The topmost Via. */
  readonly via: string
  /** The branch of the topmost Via, "" when it has none. */
  readonly branch: string
  readonly callId: string
  readonly cseq: { readonly number: number; readonly method: string }
}

/** Octets of the longest message that is read. */
export const LONGEST = 65_535
const MOST_LINES = 257

/** Reads the head of a message; undefined when it is malformed. The body is ignored. */
export const parse = (bytes: Buffer): Message | undefined => {
  if (bytes.length > LONGEST) return undefined
  const lines = headLines(bytes.toString("latin1"))
  const [start = ""] = lines
  if (lines.length > MOST_LINES) return undefined
  const common = readCommon(new Headers(lines.slice(1)))
  return common === undefined ? undefined : (readResponse(start, common) ?? readRequest(start, common))
}

/** The lines before the first blank one, unfolded (RFC 3261 §7.3.1). No control character is left in them. */
const headLines = (text: string): ReadonlyArray<string> => {
  const end = text.indexOf("\r\n\r\n")
  const lines = (end < 0 ? text : text.slice(0, end)).split("\r\n")
  return lines.every((line) => PLAIN.test(line)) ? lines : repairedLines(text)
}

/** A line that is neither blank, nor folded, nor has a line end or control character in it. */
const PLAIN = /^[!-~\u0080-\u00ff][\t -~\u0080-\u00ff]*$/

const repairedLines = (text: string): ReadonlyArray<string> => {
  const lines = text.replace(/^[\r\n]+/, "")
  const end = lines.search(/\r?\n\r?\n/)
  return (end < 0 ? lines : lines.slice(0, end))
    .replace(/\r?\n[ \t]+/g, " ")
    .replace(CONTROL, " ")
    .split("\n")
    .map((line) => line.trimEnd())
}

/** A carriage return alone must not be sent back: some peers take it for the end of a line. */
// oxlint-disable-next-line no-control-regex -- Control characters are what it looks for.
const CONTROL = /\r(?!\n|$)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

const readCommon = (headers: Headers): Common | undefined => {
  const via = headers.first("via")
  const callId = headers.first("call-id")
  const sequence = /^([0-9]{1,10})[ \t]+([^ \t]{1,32})$/.exec(headers.first("cseq") ?? "")
  if (via === undefined || callId === undefined || sequence === null) return undefined
  if (headers.first("from") === undefined || headers.first("to") === undefined) return undefined
  const cseq = { number: Number(sequence[1]), method: sequence[2] ?? "" }
  if (cseq.number >= 2 ** 32) return undefined
  const branch = HeaderValue.parameter(HeaderValue.firstOf(via), "branch") ?? ""
  return { headers, via, branch, callId, cseq }
}

const readResponse = (start: string, common: Common): Response | undefined => {
  const match = /^SIP\/2\.0 +([1-6][0-9]{2})(?: |$)/i.exec(start)
  return match === null ? undefined : { _tag: "Response", status: Number(match[1]), ...common }
}

const readRequest = (start: string, common: Common): Request | undefined => {
  const match = /^([A-Za-z0-9.!%*_+`'~-]{1,32}) +([^ \t]{1,2048}) +SIP\/2\.0 *$/i.exec(start)
  const [, method, uri = ""] = match ?? []
  return method === undefined || method !== common.cseq.method ? undefined : { _tag: "Request", method, uri, ...common }
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
