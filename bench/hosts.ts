/**
 * The cost of a request in each host, compared with the bare host handling the same JSON on one route. Run with
 * `node bench/hosts.ts`, or `node bench/hosts.ts express`.
 *
 * - `bare`: the host with its own way of reading and writing JSON, and a constant answer.
 * - `contract`: the interface in the host, with a constant instead of its SMS channel.
 * - `sandbox`: the whole service on a store in memory, called with a sandbox key.
 *
 * Servers and clients are separate processes; all servers alternate round by round. Clients count the requests per
 * second; CPU is the server's, user and system, divided by the number of requests it answered.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { Features } from "@watchword/send/channel/Features"
import * as Operation from "@watchword/send/channel/Operation"
import { MessageId, ReportSms, SendSms } from "@watchword/schemas/Sms"
import { sms } from "@watchword/sms/Sms"
import { type HandlePromise, Handler, endpointsOf, toPromise } from "@watchword/server/Host"
import { watchword as expressHandler } from "@watchword/express"
import { watchword as fastifyPlugin } from "@watchword/fastify"
import { watchword } from "@watchword/node"
import * as Authenticator from "@watchword/auth/Authenticator"
import * as Keys from "@watchword/auth/Keys"
import { AccountId } from "@watchword/schemas/Ids"
import * as Server from "@watchword/server/Server"
import { memory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import express from "express"
import fastify from "fastify"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { type RequestListener, createServer } from "node:http"
import { type Socket, connect } from "node:net"
import { fileURLToPath } from "node:url"
import * as Services from "watchword/Services"
import { someAccount } from "../test/accounts.ts"

const CONNECTIONS = 32
const WARM_UP = 2_000
const ROUND = 2_000
const ROUNDS = 5
const hosts = ["node", "express", "fastify"] as const
type Host = (typeof hosts)[number]
const loads = ["bare", "contract", "sandbox"] as const
type Load = (typeof loads)[number]

const account = AccountId.make("acc_01KAJ3T8ZZ0000000000000000")
const messageId = MessageId.make("0199a1c6-2f00-8000-8000-000000000000")
const payload = JSON.stringify({ to: "+4915123456789", text: "Your code is 123456", from: "Watchword" })

const answerTo = ({ to, from }: { readonly to: string; readonly from: string }) => ({ messageId, from, to })

const bareNode: RequestListener = (request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const body = JSON.stringify(answerTo(JSON.parse(Buffer.concat(chunks).toString())))
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body)
  })
}

const openAccount = Effect.gen(function* () {
  const store = yield* Store
  yield* store.createAccount(someAccount({ id: account }))
  const { secret } = yield* Keys.Keys.use((keys) => keys.create({ account, mode: "sandbox" }))
  return { handle: yield* Handler, key: Redacted.value(secret) }
})

const notMeasured = () => Effect.die("not measured")

/** Only SMS, whose sends return a constant. */
const constant = Layer.succeed(Features, [
  {
    feature: sms,
    codes: null,
    operations: {
      send: Operation.send(SendSms, (_, body) => Effect.succeed({ messageId, from: body.from ?? "", to: body.to })),
      get: Operation.read(notMeasured),
      list: Operation.list(notMeasured),
      report: Operation.body(ReportSms, notMeasured)
    },
    isLive: false,
    health: Effect.succeed([]),
    webhook: null,
    maintain: Effect.void,
    drain: Effect.void
  }
])

const handlerAlone = Layer.merge(Server.layer(), Keys.layer).pipe(
  Layer.provide(constant),
  Layer.provide(Authenticator.layer),
  Layer.provideMerge(memory()),
  Layer.provide(ChannelRegistry.layerBuiltIn)
)

const bare: Readonly<Record<Host, () => Promise<number>>> = {
  node: () => listen(bareNode),
  express: () =>
    listen(
      express().post("/v1/sms", express.json(), (request, response) => void response.json(answerTo(request.body)))
    ),
  fastify: () => {
    const text = { type: "string" }
    const body = { type: "object", required: ["to", "text"], properties: { to: text, text, from: text } }
    const response = { 200: { type: "object", properties: { messageId: text, from: text, to: text } } }
    const app = fastify()
    app.post<{ Body: Parameters<typeof answerTo>[0] }>("/v1/sms", { schema: { body, response } }, async (request) =>
      answerTo(request.body)
    )
    return listenTo(app)
  }
}

const endpoints = endpointsOf([sms])

const embedded: Readonly<Record<Host, (handle: HandlePromise) => Promise<number>>> = {
  node: (handle) => listen(watchword({ handle }, { basePath: "/v1" })),
  express: (handle) => listen(express().use("/v1", expressHandler({ handle, endpoints }))),
  fastify: (handle) => {
    const app = fastify()
    app.register(fastifyPlugin({ handle, endpoints }), { prefix: "/v1" })
    return listenTo(app)
  }
}

const listen = async (listener: RequestListener): Promise<number> => {
  const server = createServer(listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return address === null || typeof address === "string" ? 0 : address.port
}

const listenTo = async (app: ReturnType<typeof fastify>): Promise<number> =>
  Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port)

/** In a process of its own: starts a server, and reports its CPU time on request. */
const serveVariant = async (host: Host, load: Load): Promise<void> => {
  if (load === "bare") {
    process.send?.({ port: await bare[host](), key: "none" })
  } else {
    const runtime = ManagedRuntime.make<Handler | Keys.Keys | Store, unknown>(
      load === "contract" ? handlerAlone : Services.layer({ store: memory() })
    )
    const { handle, key } = await runtime.runPromise(openAccount)
    process.send?.({ port: await embedded[host](toPromise(handle, await runtime.context())), key })
  }
  process.on("message", () => process.send?.(process.cpuUsage()))
  process.on("disconnect", () => process.exit())
}

/** Keeps one request in flight per connection for `duration`, and counts the answers. */
const load = async (port: number, request: Buffer, duration: number): Promise<number> => {
  let answers = 0
  let stopping = false
  const sockets: Array<Socket> = []
  const failed = Promise.withResolvers<never>()
  for (let index = 0; index < CONNECTIONS; index++) {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => socket.write(request))
    socket.on("error", failed.reject)
    socket.on("data", (chunk) => {
      if (chunk.subarray(9, 12).toString("latin1") !== "200") return failed.reject(new Error(chunk.toString()))
      answers++
      if (!stopping) socket.write(request)
    })
    sockets.push(socket)
  }
  await Promise.race([new Promise((resolve) => setTimeout(resolve, duration)), failed.promise])
  stopping = true
  for (const socket of sockets) socket.destroy()
  return answers
}

interface Variant {
  readonly host: Host
  readonly load: Load
  readonly child: ChildProcess
  readonly port: number
  readonly request: Buffer
  readonly rounds: Array<{ readonly rate: number; readonly cost: number }>
}

const started = async (host: Host, load: Load): Promise<Variant> => {
  const child = fork(fileURLToPath(import.meta.url), [host, load])
  const [{ port, key }] = await once(child, "message")
  const request = Buffer.from(
    `POST /v1/sms HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-api-key: ${key}\r\nx-account-id: ${account}\r\n` +
      `content-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n${payload}`
  )
  return { host, load, child, port, request, rounds: [] }
}

const cpuOf = async ({ child }: Variant): Promise<number> => {
  child.send("cpu")
  const [{ user, system }] = await once(child, "message")
  return user + system
}

const measure = async (variant: Variant): Promise<void> => {
  const before = await cpuOf(variant)
  const answers = await load(variant.port, variant.request, ROUND)
  variant.rounds.push({ rate: (answers / ROUND) * 1_000, cost: ((await cpuOf(variant)) - before) / answers })
}

const compare = async (chosen: ReadonlyArray<Host>): Promise<void> => {
  const variants: Array<Variant> = []
  for (const host of chosen) for (const load of loads) variants.push(await started(host, load))
  for (const { port, request } of variants) await load(port, request, WARM_UP)
  for (let round = 0; round < ROUNDS; round++) for (const variant of variants) await measure(variant)
  for (const { host, load, rounds } of variants) {
    const median = middle(rounds)
    const ownBare = middle(variants.find((other) => other.host === host && other.load === "bare")?.rounds ?? [])
    console.log(
      `${host.padEnd(8)} ${load.padEnd(9)} ${median.rate.toFixed(0).padStart(7)} req/s  ` +
        `${median.cost.toFixed(1).padStart(6)} µs CPU  ${(median.cost / ownBare.cost).toFixed(2)} × bare ${host}`
    )
  }
  for (const { child } of variants) child.disconnect()
}

const middle = (rounds: Variant["rounds"]) =>
  rounds.toSorted((a, b) => a.cost - b.cost)[rounds.length >> 1] ?? { rate: Number.NaN, cost: Number.NaN }

const host = hosts.find((known) => known === process.argv[2])
const what = loads.find((known) => known === process.argv[3])
if (host !== undefined && what !== undefined && process.send !== undefined) await serveVariant(host, what)
else await compare(host === undefined ? hosts : [host])
