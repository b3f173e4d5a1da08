/**
 * One HTTP exchange as it is on the wire: nothing is normalised, and no header is added but `host` and `connection`.
 * Needs Node.js.
 */
import { type IncomingMessage, request } from "node:http"
import { connect } from "node:net"

export interface Answer {
  readonly status: number
  readonly reason: string
  readonly headers: IncomingMessage["headers"]
  readonly text: string
}

export interface Question {
  readonly method: string
  /** Appended to the base address without any encoding. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | Array<string>>>
  /** Sent with its length; an array is sent in chunks. */
  readonly body?: string | Uint8Array | Array<Uint8Array>
}

/** Sends one request over a new connection. */
export const exchange = (baseUrl: string, question: Question): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(baseUrl)
    const headers: Record<string, string | Array<string>> = { ...question.headers }
    const { body } = question
    if (Array.isArray(body)) headers["transfer-encoding"] = "chunked"
    else if (body !== undefined) headers["content-length"] = String(Buffer.byteLength(body))
    const path = pathname.replace(/\/$/, "") + question.path
    const asked = request(
      { hostname, port, path, method: question.method, headers, agent: false, setDefaultHeaders: false },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", reject)
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            reason: response.statusMessage ?? "",
            headers: response.headers,
            text: Buffer.concat(chunks).toString("utf8")
          })
        )
      }
    )
    asked.on("error", reject)
    asked.setHeader("host", `${hostname}:${port}`)
    asked.setHeader("connection", "close")
    for (const chunk of Array.isArray(body) ? body : body === undefined ? [] : [body]) asked.write(chunk)
    asked.end()
  })

/** Writes bytes to the server's port, and reads until it closes the connection. */
export const exchangeRaw = (baseUrl: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl)
    const chunks: Array<Buffer> = []
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.on("data", (chunk) => chunks.push(chunk))
    socket.on("error", reject)
    socket.on("end", () => resolve(Buffer.concat(chunks).toString("latin1")))
  })
