import * as MemoryStore from "@watchword/store/MemoryStore"
import { once } from "node:events"
import { type RequestListener, type Server, createServer } from "node:http"
import { type Watchword, createWatchword } from "watchword"

export interface Running {
  readonly service: Watchword
  readonly account: string
  readonly key: string
  readonly readKey: string
}

/** A service with one account and two sandbox keys. */
export const startService = async (): Promise<Running> => {
  const service = await createWatchword({ store: MemoryStore.layer })
  const account = await service.operator.createAccount({ name: "Acme", caller: "+4930901820123" })
  const { key } = await service.operator.createKey({ account, sandbox: true })
  const readKey = await service.operator.createKey({ account, sandbox: true, scopes: ["sms:read"] })
  return { service, account, key, readKey: readKey.key }
}

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
