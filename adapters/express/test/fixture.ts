import { once } from "node:events"
import { type RequestListener, type Server, createServer } from "node:http"

export interface Listening {
  readonly url: string
  readonly server: Server
  /** Takes no more connections and waits for the requests in flight. */
  readonly close: () => Promise<void>
}

export const listen = async (listener: RequestListener): Promise<Listening> => {
  const server = createServer(listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("not listening on a port")
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { url: `http://127.0.0.1:${address.port}`, server, close }
}
