/**
 * A host on Node's plain HTTP server: the interface is under a prefix, and everything else belongs to the app.
 */
import type { HandlePromise } from "@watchword/server/Host"
import { bodyOf, closing, endStream, isUnread, pathOf, writeAnswer } from "@watchword/server/node"
import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from "node:http"

export interface Options {
  /** The handler of a service, `service.handle`. */
  readonly handle: HandlePromise
  /** The prefix of the interface, such as `/v1`. */
  readonly prefix: string
  /** Answers all other paths; 404 by default. */
  readonly app?: RequestListener
}

/** A host that is listening. */
export interface Listening {
  readonly baseUrl: string
  /** Stops: accepts no more connections, answers requests in flight, and ends streams. */
  readonly close: () => Promise<void>
}

const nothing: RequestListener = (_request, response) => void response.writeHead(404).end()

/** Listens on the local machine, on a free port unless one is given. */
export const listen = ({ app = nothing, handle, prefix }: Options, port = 0): Promise<Listening> => {
  const open = new Set<ServerResponse>()

  const answer = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const { method = "GET", headers, socket } = request
    const answered = await handle({
      method,
      path,
      headers,
      body: bodyOf(request),
      remoteAddress: socket.remoteAddress ?? null,
      whenGone: closing(response)
    })
    writeAnswer(request, response, answered, await isUnread(request))
  }

  const server = createServer((request, response) => {
    open.add(response)
    response.once("close", () => open.delete(response))
    const path = behind(prefix, request.url ?? "/")
    if (path === null) app(request, response)
    else answer(request, response, path).catch(() => response.destroy())
  })

  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeIdleConnections()
      open.forEach(endStream)
    })

  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      const bound = typeof address === "object" && address !== null ? address.port : port
      resolve({ baseUrl: `http://127.0.0.1:${bound}${prefix}`, close })
    })
  })
}

/** The part of a request's target after the prefix; null if the target does not begin with it. */
const behind = (prefix: string, target: string): string | null => {
  const path = pathOf(target)
  if (!path.startsWith(prefix)) return null
  const rest = path.slice(prefix.length)
  if (rest === "" || rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : null
}
