/**
 * Requests over so many connections that are kept alive, each answered before the connection's next one.
 */
import { Agent, request } from "node:http"

export interface Request {
  readonly method: string
  readonly path: string
  readonly body?: string
}

export interface Client {
  /** The body of the answer. Rejects where the status is no 2xx. */
  readonly ask: (request: Request) => Promise<string>
  readonly close: () => void
}

export const client = (server: {
  readonly port: number
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
}): Client => {
  const { connections, headers, port } = server
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    ask: ({ body, method, path }) =>
      new Promise((resolve, reject) => {
        const asking = request({ agent, host: "127.0.0.1", port, method, path, headers }, (response) => {
          let text = ""
          response.on("data", (chunk: Buffer) => (text += chunk.toString()))
          response.on("end", () => {
            if ((response.statusCode ?? 500) < 300) resolve(text)
            else reject(new Error(`answered ${response.statusCode} ${text}`))
          })
        })
        asking.on("error", reject)
        asking.end(body)
      }),
    close: () => agent.destroy()
  }
}
