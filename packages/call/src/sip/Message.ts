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
  /** The branch of the topmost Via. */
  readonly branch: string
  readonly callId: string
  readonly cseq: { readonly number: number; readonly method: string }
}

/** Octets of the longest message that is read; its head may be as long. */
export const LONGEST = 65_535
const MOST_HEADERS = 256

/** Header fields by their names, in lower case and never compact. */
export class Headers {
  private readonly fields = new Map<string, string | Array<string>>()

  add(name: string, value: string): void {
    const known = this.fields.get(name)
    if (known === undefined) this.fields.set(name, value)
    else if (typeof known === "string") this.fields.set(name, [known, value])
    else known.push(value)
  }

  /** The first field of a name, as it came. */
  first(name: string): string | undefined {
    const known = this.fields.get(name)
    return typeof known === "string" ? known : known?.[0]
  }

  /** Every field of a name, as they came. */
  fieldsOf(name: string): ReadonlyArray<string> {
    const known = this.fields.get(name)
    return known === undefined ? [] : typeof known === "string" ? [known] : known
  }

  /** The values of a list, whether they came in one field or in many. */
  list(name: string): ReadonlyArray<string> {
    return this.fieldsOf(name).flatMap((field) => HeaderValue.split(field, ","))
  }
}

const compact = new Map([
  ["i", "call-id"],
  ["m", "contact"],
  ["e", "content-encoding"],
  ["l", "content-length"],
  ["c", "content-type"],
  ["f", "from"],
  ["s", "subject"],
  ["k", "supported"],
  ["t", "to"],
  ["v", "via"]
])

/** Reads the head of a message; undefined when it is none. The body is left alone: nothing here needs it. */
export const parse = (bytes: Buffer): Message | undefined => {
  if (bytes.length > LONGEST) return undefined
  const lines = headOf(bytes.toString("latin1"))
  const [start] = lines
  if (start === undefined || lines.length > MOST_HEADERS) return undefined
  const headers = readHeaders(lines)
  const common = headers === undefined ? undefined : readCommon(headers)
  if (common === undefined) return undefined
  return readStart(start, common)
}

/** The start line and one line for each header field. */
const headOf = (text: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let from = 0
  while (from < text.length && lines.length <= MOST_HEADERS) {
    const newline = text.indexOf("\n", from)
    const end = newline < 0 ? text.length : newline
    const line = clean(text.slice(from, text.charCodeAt(end - 1) === 13 && end > from ? end - 1 : end))
    from = end + 1
    if (line === "") {
      // Blank lines before a message are allowed; the first one after its start ends the head.
      if (lines.length > 0) break
    } else if (lines.length > 1 && (line.startsWith(" ") || line.startsWith("\t"))) {
      lines.push(`${lines.pop() ?? ""} ${line.trim()}`)
    } else lines.push(line)
  }
  return lines
}

// oxlint-disable-next-line no-control-regex -- Control characters are what it looks for.
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/g

/** What a careless peer could take for the end of a line must not be sent back to it. */
const clean = (line: string): string => (line.search(CONTROL) < 0 ? line : line.replace(CONTROL, " "))

const readHeaders = (lines: ReadonlyArray<string>): Headers | undefined => {
  const headers = new Headers()
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? ""
    const colon = line.indexOf(":")
    // A line that is no header field says nothing; the others still do.
    if (colon <= 0) continue
    const name = line.slice(0, colon).trimEnd().toLowerCase()
    headers.add(compact.get(name) ?? name, line.slice(colon + 1).trim())
  }
  return headers
}

const readCommon = (headers: Headers): Common | undefined => {
  const callId = headers.first("call-id")
  const via = headers.list("via")[0]
  const cseq = /^([0-9]{1,10})[ \t]+([^ \t]{1,32})$/.exec(headers.first("cseq") ?? "")
  if (callId === undefined || via === undefined || cseq === null) return undefined
  if (headers.first("from") === undefined || headers.first("to") === undefined) return undefined
  const number = Number(cseq[1])
  if (number >= 2 ** 32) return undefined
  const branch = HeaderValue.parameter(via, "branch") ?? ""
  return { headers, branch, callId, cseq: { number, method: cseq[2] ?? "" } }
}

const readStart = (line: string, common: Common): Message | undefined => {
  const status = /^SIP\/2\.0 +([1-6][0-9]{2})(?: |$)/i.exec(line)
  if (status !== null) return { _tag: "Response", status: Number(status[1]), ...common }
  const request = /^([A-Za-z0-9.!%*_+`'~-]{1,32}) +([^ ]{1,2048}) +SIP\/2\.0 *$/i.exec(line)
  const method = request?.[1]
  if (method === undefined || method !== common.cseq.method) return undefined
  return { _tag: "Request", method, uri: request?.[2] ?? "", ...common }
}

/**
 * Writes a message. Whoever calls this answers for the lines: anything that could hold a line break has been
 * checked before.
 */
export const serialise = (start: string, lines: ReadonlyArray<string>, body = ""): string =>
  `${start}\r\n${lines.join("\r\n")}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
