/**
 * A server of the console for tests: the page, and the commands of operators on a database of SQLite.
 */
import { once } from "node:events"
import { type IncomingMessage, type ServerResponse, createServer } from "node:http"
import { text } from "node:stream/consumers"
import { gunzipSync } from "node:zlib"
import { console as page, headers } from "@watchword/console/console"
import { WatchwordError } from "@watchword/schemas/Errors"
import { sqlite } from "@watchword/store-sqlite"
import { type Needs, commands } from "watchword/internal/Commands"
import { type Watchword, createWatchword } from "watchword"
import type { AnyCommand } from "@watchword/store/internal/Command"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Database from "../../../examples/standalone/src/Database.ts"
import { type Fakes, fakes } from "./Fakes.ts"

export interface ConsoleServer {
  readonly origin: string
  readonly service: Watchword
  /** Answers of commands that there are not yet. */
  readonly fakes: Fakes
  /** The role of those who sign in from now on. */
  role: "support" | "operator" | "admin"
  readonly requests: ReadonlyArray<string>
  /** How many streams are open. */
  readonly streams: () => number
  /** Ends all streams and answers nothing until `come` is called. */
  readonly go: () => Promise<void>
  readonly come: () => Promise<void>
  readonly stop: () => Promise<void>
}

const ROLES = ["support", "operator", "admin"]

export const token = "wwo_right"

/** @param file the database */
export const start = async (file: string, prefix = "/console"): Promise<ConsoleServer> => {
  const service = await createWatchword({ store: sqlite(file) })
  const runtime = ManagedRuntime.make(
    Database.of({ database: { _tag: "Sqlite", file }, secret: Option.none(), webhookAllowPrivate: true })
  )
  const known = fakes()
  const requests: Array<string> = []
  let signedIn = 0
  let streams = 0
  let links = new Set(["once"])
  const self: { role: ConsoleServer["role"] } = { role: "admin" }
  const mayRun = ({ role }: Pick<AnyCommand<Needs>, "role">) => ROLES.indexOf(role) <= ROLES.indexOf(self.role)
  const json = (answer: ServerResponse, status: number, body: unknown, more = {}) =>
    answer
      .writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...more })
      .end(JSON.stringify(body))
  const refuse = (answer: ServerResponse, error: unknown) =>
    error instanceof WatchwordError
      ? json(answer, error.status, {
          error: error.code,
          message: error.message,
          ...("issues" in error ? { issues: error.issues } : {})
        })
      : json(answer, 500, { error: "INTERNAL_SERVER_ERROR", message: String(error) })

  const commandOf = (path: string) => commands.find(({ name }) => name.join("/") === path)

  const run = async (path: string, input: unknown) => {
    const fake = known.answers[path.replaceAll("/", " ")]
    if (fake !== undefined) return { json: fake(input), lines: ["Done."], isDone: true }
    const command = commandOf(path)
    if (command === undefined) return null
    return runtime.runPromise(
      Effect.gen(function* () {
        const { isDone, json, lines } = yield* command.answer(input)
        return { isDone, json, lines: yield* lines }
      })
    )
  }

  const api = async (path: string, asked: IncomingMessage, answer: ServerResponse) => {
    const body = asked.method === "POST" ? JSON.parse((await text(asked)) || "{}") : {}
    if (path === "session" && asked.method === "DELETE") {
      signedIn = 0
      return answer.writeHead(204).end()
    }
    if (path === "session") {
      const isRight = "token" in body ? body.token === token : links.delete(body.link)
      if (!isRight)
        return json(answer, 401, {
          error: "UNAUTHORIZED",
          message: "token" in body ? "There is no such token, or it has ended." : "This link was used, or has ended."
        })
      signedIn += 1
      return answer
        .writeHead(204, { "set-cookie": `console=${signedIn}; HttpOnly; SameSite=Strict; Path=${prefix}` })
        .end()
    }
    if (signedIn === 0 || asked.headers.cookie !== `console=${signedIn}`) {
      return json(answer, 401, { error: "UNAUTHORIZED", message: "Sign in first." })
    }
    if (path === "me") return json(answer, 200, { name: "anna", role: self.role, signed_in_by: "cookie" })
    if (path === "commands") {
      const real = commands.filter(mayRun).map(({ description, fields, name, role }) => ({
        name: name.join(" "),
        description,
        role,
        fields: fields.map(({ description, example, isNullable, isOptional, json, kind }) => ({
          name: json,
          description,
          kind,
          optional: isOptional,
          nullable: isNullable,
          example: example ?? null
        }))
      }))
      return json(answer, 200, { commands: [...real, ...known.commands.filter(mayRun)] })
    }
    if (path.startsWith("watch/")) {
      const [words = "", query] = path.slice(6).split("?")
      const input = Object.fromEntries(new URLSearchParams(query))
      answer.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
      let last = ""
      const send = async () => {
        const found = await run(words, input)
        const data = JSON.stringify(found?.json)
        if (data !== last) answer.write(`event: answer\ndata: ${data}\n\n`)
        last = data
      }
      streams += 1
      await send()
      const timer = setInterval(() => void send(), 200)
      return answer.on("close", () => {
        streams -= 1
        clearInterval(timer)
      })
    }
    const command = commandOf(path)
    if (command !== undefined && !mayRun(command)) {
      return json(answer, 403, { error: "FORBIDDEN", message: `This needs the role ${command.role}.` })
    }
    const found = await run(path, body)
    if (found === null) return json(answer, 404, { error: "NOT_FOUND", message: "There is no such command." })
    if (asked.headers.accept === "text/plain")
      return answer.writeHead(200, { "content-type": "text/plain" }).end(found.lines.join("\n"))
    return json(answer, 200, found.json, { "watchword-done": String(found.isDone) })
  }

  const server = createServer((asked, answer) => {
    const url = asked.url ?? ""
    const path = url.slice(prefix.length + 1)
    requests.push(`${asked.method} ${url}`)
    if (url === prefix) return answer.writeHead(308, { location: `${prefix}/` }).end()
    if (path.startsWith("operator/v1/")) {
      return void api(path.slice("operator/v1/".length), asked, answer).catch((error: unknown) => refuse(answer, error))
    }
    const file = page.get(path === "" ? "index.html" : path)
    if (file === undefined) return answer.writeHead(404).end()
    answer.writeHead(200, { ...headers, "content-type": file.type }).end(gunzipSync(file.gzip))
  })
  const listen = async (port: number): Promise<number> => {
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("the server has no address")
    return address.port
  }
  const go = async () => {
    const closed = once(server, "close")
    server.close()
    server.closeAllConnections()
    await closed
  }
  const port = await listen(0)
  return {
    origin: `http://127.0.0.1:${port}`,
    service,
    fakes: known,
    requests,
    streams: () => streams,
    get role() {
      return self.role
    },
    set role(role) {
      self.role = role
    },
    go,
    come: async () => void (await listen(port)),
    stop: async () => {
      if (server.listening) await go()
      await service.dispose()
      await runtime.dispose()
    }
  }
}
