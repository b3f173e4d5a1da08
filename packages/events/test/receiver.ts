/**
 * A receiver of webhooks: a scripted HTTP server that keeps the requests it receives.
 */
import { once } from "node:events"
import { type Server, type ServerResponse, createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface Got {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly got: ReadonlyArray<Got>
  /** Resolves when so many requests have come. */
  readonly until: (count: number) => Promise<void>
  /** How many connections there were, and how many are open. */
  readonly connections: () => number
  readonly open: () => number
  /** Forgets the requests so far. */
  readonly forget: () => void
}

const servers = new Set<Server>()

/** Closes all receivers of a test. */
export const closeReceivers = async (): Promise<void> => {
  for (const server of servers) {
    servers.delete(server)
    server.closeAllConnections()
    server.close()
    await once(server, "close")
  }
}

/** @param answer answers the request of a number, from 1 on; 204 unless given */
export const receive = async (
  answer: (response: ServerResponse, number: number) => void = (response) => response.writeHead(204).end()
): Promise<Receiver> => {
  const got: Array<Got> = []
  const waiting = new Set<() => void>()
  let connections = 0
  let open = 0
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      got.push({ path: request.url ?? "", headers, body })
      for (const look of waiting) look()
      answer(response, got.length)
    })
  })
  server.on("connection", (socket) => {
    connections++
    open++
    socket.on("close", () => open--)
  })
  servers.add(server)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address: string | AddressInfo | null = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    got,
    connections: () => connections,
    open: () => open,
    forget: () => {
      got.length = 0
    },
    until: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (got.length < count) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      })
  }
}

/** An answer that says so. */
export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(code, headers).end()
  }
