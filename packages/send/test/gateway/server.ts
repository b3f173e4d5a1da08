/** A server that does as each request tells it, on a port of its own. */
import { type IncomingMessage, type ServerResponse, createServer } from "node:http"
import { isIPv4 } from "node:net"

export interface Seen {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: unknown
}

export type Behave = (seen: Seen, response: ServerResponse, request: IncomingMessage) => void

export const serve = async (behave: Behave) => {
  const seen: Array<Seen> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const one = {
        path: request.url ?? "",
        authorization: request.headers.authorization,
        body: bodyOf(request, Buffer.concat(chunks).toString())
      }
      seen.push(one)
      behave(one, response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string" || !isIPv4(address.address)) throw new Error("no address")
  return {
    url: `http://127.0.0.1:${address.port}/`,
    seen,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

const bodyOf = ({ headers }: IncomingMessage, text: string): unknown =>
  headers["content-type"] === "application/json" ? JSON.parse(text) : text

export const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
