/**
 * SIP messages as the tests' trunk reads and writes them, by means of its own.
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

export const read = (text: string): Wire => {
  const end = text.indexOf("\r\n\r\n")
  const [start = "", ...lines] = text.slice(0, end).split("\r\n")
  const headers = new Map<string, Array<string>>()
  for (const line of lines) {
    const [name = "", ...value] = line.split(": ")
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value.join(": ")])
  }
  const [first = "", second = ""] = start.split(" ")
  const isResponse = first === "SIP/2.0"
  return {
    text,
    method: isResponse ? "" : first,
    status: isResponse ? Number(second) : 0,
    uri: isResponse ? "" : second,
    headers,
    body: text.slice(end + 4)
  }
}

export const header = (message: Wire, name: string): string => message.headers.get(name.toLowerCase())?.[0] ?? ""

export const branch = (message: Wire): string => /;branch=([^;]+)/.exec(header(message, "via"))?.[1] ?? ""

export const tag = (address: string): string => /;tag=([^;]+)/.exec(address)?.[1] ?? ""

export const cseq = (message: Wire): number => Number(header(message, "cseq").split(" ")[0])

export interface ResponseOptions {
  readonly tag?: string
  readonly headers?: ReadonlyArray<string>
  /** The reason phrase. */
  readonly phrase?: string
  readonly source?: { readonly address: string; readonly port: number }
}

/** A response to a request, as a user agent server makes it. */
export const response = (request: Wire, status: number, options: ResponseOptions = {}): string => {
  const to = header(request, "to")
  const { source } = options
  const [via = "", ...vias] = request.headers.get("via") ?? []
  const seen = source === undefined ? "" : `;received=${source.address}`
  return [
    `SIP/2.0 ${status} ${options.phrase ?? (status < 200 ? "Progress" : status < 300 ? "OK" : "No")}`,
    `Via: ${source === undefined ? via : via.replace(/;rport(?=;|$)/, `;rport=${source.port}`)}${seen}`,
    ...vias.map((each) => `Via: ${each}`),
    `From: ${header(request, "from")}`,
    `To: ${to}${status === 100 || tag(to) !== "" ? "" : `;tag=${options.tag ?? "callee"}`}`,
    `Call-ID: ${header(request, "call-id")}`,
    `CSeq: ${header(request, "cseq")}`,
    ...(options.headers ?? []),
    "Content-Length: 0",
    "",
    ""
  ].join("\r\n")
}
