/**
 * The cost of the log of refused requests in a flood of 401s: the CPU of a refusal on `node:http` and SQLite, with the
 * log and without it. Run with `node bench/refused.ts`.
 *
 * Servers and clients are separate processes, and the servers alternate round by round. CPU is the server's, user and
 * system, divided by the number of requests it answered; the log's writes, about one a second, are part of it.
 */
import * as Authenticator from "@watchword/auth/Authenticator"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { Features } from "@watchword/send/channel/Features"
import { watchword } from "@watchword/node"
import { Handler, toPromise } from "@watchword/server/Host"
import * as Server from "@watchword/server/Server"
import * as Operation from "@watchword/send/channel/Operation"
import { sms } from "@watchword/sms/Sms"
import { sqlite } from "@watchword/store-sqlite"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { type Socket, connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { until } from "../test/until.ts"

const CONNECTIONS = 32
const ROUND = 3_000
const ROUNDS = 7

const kinds = ["without", "with"] as const
type Kind = (typeof kinds)[number]

const unused = () => Effect.die("not reached")

/** A service with SMS and nothing else, which no refused request reaches. */
const features = Layer.succeed(Features, [
  {
    feature: sms,
    codes: null,
    operations: {
      send: Operation.command(unused),
      get: Operation.read(unused),
      list: Operation.list(unused),
      report: Operation.command(unused)
    },
    isLive: false,
    health: Effect.succeed([]),
    webhook: null,
    maintain: Effect.void,
    drain: Effect.void
  }
])

const servers = (file: string): Readonly<Record<Kind, Layer.Layer<Handler, unknown>>> => {
  const parts = Layer.merge(features, Authenticator.layer)
  const store = Layer.provide(sqlite(file), ChannelRegistry.layerBuiltIn)
  const logged = Server.layer().pipe(Layer.provide(Server.refusedLogLayer), Layer.provide(parts))
  return {
    with: Layer.provide(logged, store),
    without: Layer.provide(Layer.provide(Server.layer(), parts), store)
  }
}

/** In a process of its own: starts a server, and reports its CPU time on request. */
const serve = async (kind: Kind): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "refused-"))
  const file = join(folder, "watchword.db")
  const made = servers(file)[kind]
  const runtime = ManagedRuntime.make(Layer.merge(made, Logger.layer([])))
  const handle = toPromise(await runtime.runPromise(Handler), await runtime.context())
  const server = createServer(watchword({ handle }, { basePath: "/v1" })).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  process.send?.(typeof address === "object" ? address?.port : 0)
  const database = new Sqlite(file, { readonly: true })
  const logged = database.prepare("SELECT coalesce(sum(count), 0) FROM refused_requests").pluck()
  process.on("message", (asked) => process.send?.(asked === "cpu" ? process.cpuUsage() : logged.get()))
  process.on("disconnect", () => {
    rmSync(folder, { recursive: true })
    process.exit()
  })
}

/** Keeps one request in flight per connection for a while, and counts the refusals. */
const flood = async (port: number): Promise<number> => {
  const body = "{}"
  const request = Buffer.from(
    `POST /v1/sms HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-api-key: sk_live_wrong\r\nx-account-id: acc_wrong\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  )
  let answers = 0
  let stopping = false
  const failed = Promise.withResolvers<never>()
  const sockets = Array.from({ length: CONNECTIONS }, (): Socket => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => socket.write(request))
    socket.on("error", failed.reject)
    socket.on("data", (chunk) => {
      if (chunk.subarray(9, 12).toString("latin1") !== "401") return failed.reject(new Error(chunk.toString()))
      answers++
      if (!stopping) socket.write(request)
    })
    return socket
  })
  await Promise.race([new Promise((resolve) => setTimeout(resolve, ROUND)), failed.promise])
  stopping = true
  for (const socket of sockets) socket.destroy()
  return answers
}

interface Variant {
  readonly kind: Kind
  readonly child: ChildProcess
  readonly port: number
  readonly costs: Array<number>
  /** How many requests it has refused. */
  refused: number
}

const started = async (kind: Kind): Promise<Variant> => {
  const child = fork(fileURLToPath(import.meta.url), [kind])
  const [port] = await once(child, "message")
  return { kind, child, port, costs: [], refused: 0 }
}

const cpuOf = async ({ child }: Variant): Promise<number> => {
  child.send("cpu")
  const [{ system, user }] = await once(child, "message")
  return user + system
}

const loggedBy = async (child: ChildProcess): Promise<number> => {
  child.send("logged")
  const [logged] = await once(child, "message")
  return logged
}

const middle = (costs: ReadonlyArray<number>): number =>
  costs.toSorted((a, b) => a - b)[costs.length >> 1] ?? Number.NaN

const compare = async (): Promise<void> => {
  const variants = [await started("without"), await started("with")] as const
  for (const variant of variants) variant.refused += await flood(variant.port)
  for (let round = 0; round < ROUNDS; round++) {
    for (const variant of variants) {
      const before = await cpuOf(variant)
      const answers = await flood(variant.port)
      variant.refused += answers
      variant.costs.push(((await cpuOf(variant)) - before) / answers)
    }
  }
  const [without, having] = variants.map(({ costs }) => middle(costs))
  for (const { child, costs, kind, refused } of variants) {
    // Requests in flight at the end of a round are logged, and not counted.
    const logged = await until(
      () => loggedBy(child),
      (found) => found >= refused || kind === "without"
    )
    const counts = `${refused} refused, ${logged} in the log`
    console.log(`a 401 ${kind.padEnd(7)} the log  ${middle(costs).toFixed(1).padStart(6)} µs CPU  ${counts}`)
  }
  const more = (100 * ((having ?? Number.NaN) - (without ?? Number.NaN))) / (without ?? Number.NaN)
  console.log(`the log costs ${more.toFixed(1)} %`)
  for (const { child } of variants) child.disconnect()
}

const kind = kinds.find((known) => known === process.argv[2])
if (kind !== undefined && process.send !== undefined) await serve(kind)
else await compare()
