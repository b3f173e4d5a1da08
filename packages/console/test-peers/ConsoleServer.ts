/**
 * A service on SQLite with its console, for tests that see a browser's requests.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import { consolePage } from "@watchword/console"
import { watchword } from "@watchword/node"
import { sqlite } from "@watchword/store-sqlite"
import { type Options, type Watchword, createWatchword, watchwordConsole } from "watchword"

export type Role = "support" | "operator" | "admin"

export interface ConsoleServer {
  /** The console's address, with a slash at its end. */
  readonly url: string
  readonly service: Watchword
  /** Makes a token with a role, for a person of that name. */
  readonly grant: (role: Role) => Promise<string>
  /** Runs a command as its host may. */
  readonly command: (name: string, input: object) => Promise<Readonly<Record<string, unknown>>>
  /** The requests, as in a proxy's log. */
  readonly requests: ReadonlyArray<string>
  /** How many streams are open. */
  readonly streams: () => number
  /** Stops answering until `come` is called. */
  readonly go: () => Promise<void>
  readonly come: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * @param file the file of the database
 * @param prefix such as `/x/y/console`
 * @param more further options of the service
 */
export const start = async (file: string, prefix = "/console", more: Partial<Options> = {}): Promise<ConsoleServer> => {
  const secret = "a secret that is long enough for the tests of the console"
  const service = await createWatchword({ store: sqlite(file), secret, webhooks: { allowPrivate: true }, ...more })
  const handle = watchword(watchwordConsole(service, { tokens: {}, page: consolePage }))
  const asHost = watchwordConsole(service, { authorize: () => ({ name: "host", role: "admin" }) }).fetch
  const requests: Array<string> = []
  let streams = 0

  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (request.url?.includes("/watch/") === true) {
      streams += 1
      response.on("close", () => (streams -= 1))
    }
    handle(request, response)
  })
  const listen = async (port: number): Promise<number> => {
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("the server has no address")
    return address.port
  }
  const go = async (): Promise<void> => {
    const closed = once(server, "close")
    server.close()
    server.closeAllConnections()
    await closed
  }
  const port = await listen(0)
  const origin = `http://127.0.0.1:${port}`

  const command: ConsoleServer["command"] = async (name, input) => {
    const response = await asHost(
      new Request(`${origin}/operator/v1/${name.replaceAll(" ", "/")}`, {
        method: "POST",
        headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
        body: JSON.stringify(input)
      })
    )
    if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`)
    return response.json()
  }

  return {
    url: `${origin}${prefix}/`,
    service,
    grant: async (role) => String((await command("operator grant", { name: "anna", role }))["token"]),
    command,
    requests,
    streams: () => streams,
    go,
    come: async () => void (await listen(port)),
    stop: async () => {
      if (server.listening) await go()
      await service.dispose()
    }
  }
}
