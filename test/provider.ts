/**
 * A provider's HTTP server, and the faults that any may have.
 */
import { type IncomingMessage, type ServerResponse, createServer } from "node:http"

/** Answers a request in place of the provider. */
export type Fault = (response: ServerResponse, request: IncomingMessage) => void

export const answer =
  (status: number, body: string, headers: Record<string, string> = { "content-type": "application/json" }): Fault =>
  (response) =>
    response.writeHead(status, headers).end(body)

/** Closes the connection after the request was read. */
export const drop: Fault = (_response, request) => request.socket.destroy()

/** Closes the connection in the middle of an answer. */
export const breakOff: Fault = (response, request) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write('{"ok":true,')
  setTimeout(() => request.socket.destroy(), 10)
}

export const sayNothing: Fault = () => undefined

/** Listens on a free port. A request whose handler fails has its connection closed. */
export const listen = async (handle: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>) => {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no address")
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${address.port}`, close }
}
