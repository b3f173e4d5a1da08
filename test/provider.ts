/**
 * Answers that any provider may give over HTTP, and a server for tests that need no provider.
 */
import type { Answer, Answering } from "@watchword/sandbox/http"
import { type IncomingMessage, type ServerResponse, createServer } from "node:http"

export type Fault = Answer

export const answer = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers,
  body
})

/** Carries out the request first, and then gives this answer. */
export const late =
  (answer: Answer): Answering =>
  (_call, take) => {
    take()
    return answer
  }

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
