/**
 * What a request costs over HTTP, beside bare node:http doing the same JSON. Run with `node bench/http.ts`.
 *
 * - `bare`: node:http, JSON.parse and JSON.stringify.
 * - `handler`: the interface behind the node adapter, its SMS channel replaced by a constant.
 * - `service`: the whole send on a store in memory, with a gateway that accepts everything.
 *
 * Server and clients are processes of their own. Requests a second are what the clients saw; CPU is the
 * server's, user and system, divided by the requests it answered.
 */
import { nodeHandler } from "@watchword/node"
import * as Authenticator from "@watchword/auth/Authenticator"
import * as Keys from "@watchword/auth/Keys"
import { Call } from "@watchword/call/Call"
import { AccountId } from "@watchword/schemas/Ids"
import { MessageId } from "@watchword/schemas/MessageId"
import { accepted } from "@watchword/send/Outcome"
import { Handler, type HandlePromise, toPromise } from "@watchword/server/Host"
import * as Server from "@watchword/server/Server"
import { Sms } from "@watchword/sms/Sms"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as MemoryStore from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { fork } from "node:child_process"
import { once } from "node:events"
import { type RequestListener, createServer } from "node:http"
import { type Socket, connect } from "node:net"
import { fileURLToPath } from "node:url"
import * as Services from "watchword/Services"

const CONNECTIONS = 32
const WARM_UP = 2_000
const ROUND = 3_000
const ROUNDS = 3
const variants = ["bare", "handler", "service"] as const
type Variant = (typeof variants)[number]

const account = AccountId.make("acc_01KAJ3T8ZZ0000000000000000")
const messageId = MessageId.make("0199a1c6-2f00-8000-8000-000000000000")
const payload = JSON.stringify({ to: "+4915123456789", text: "Your code is 123456", from: "Watchword" })

const bare: RequestListener = (request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const { to, from } = JSON.parse(Buffer.concat(chunks).toString())
    const body = JSON.stringify({ messageId, from, to })
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body)
  })
}

const openAccount = Effect.gen(function* () {
  const store = yield* Store
  yield* store.createAccount({
    id: account,
    name: "Bench",
    caller: null,
    smsSender: null,
    senderUsername: null,
    minRing: 5,
    maxRing: 15,
    storeText: false,
    createdAt: 0
  })
  const { secret } = yield* Keys.Keys.use((keys) => keys.create({ account, mode: "live" }))
  return { handle: yield* Handler, key: Redacted.value(secret) }
})

const constant = Layer.succeed(Sms, {
  send: (_, body) => Effect.succeed({ messageId, from: body.from ?? "", to: body.to }),
  get: () => Effect.die("not measured"),
  list: () => Effect.die("not measured"),
  report: () => Effect.die("not measured"),
  links: Effect.succeed([])
})

const noCalls = Layer.succeed(Call, {
  flash: () => Effect.die("not measured"),
  get: () => Effect.die("not measured"),
  list: () => Effect.die("not measured"),
  hangup: () => Effect.die("not measured"),
  report: () => Effect.die("not measured"),
  links: Effect.succeed([])
})

const handlerAlone = Layer.merge(Server.layer(), Keys.layer).pipe(
  Layer.provide([constant, noCalls]),
  Layer.provide(Authenticator.layer),
  Layer.provideMerge(MemoryStore.layer)
)

const wholeService = Services.layer({
  store: MemoryStore.layer,
  sms: Layer.succeed(SmsGateway, {
    send: ({ delivery }) => Effect.succeed(accepted([delivery])),
    events: () => Effect.void,
    links: Effect.succeed([])
  })
})

const started = async (variant: Variant): Promise<{ readonly listener: RequestListener; readonly key: string }> => {
  if (variant === "bare") return { listener: bare, key: "none" }
  const runtime = ManagedRuntime.make<Handler | Keys.Keys | Store, unknown>(
    variant === "handler" ? handlerAlone : wholeService
  )
  const { handle, key } = await runtime.runPromise(openAccount)
  const promise: HandlePromise = toPromise(handle, await runtime.context())
  return { listener: nodeHandler(promise, { basePath: "/v1" }), key }
}

const serveVariant = async (variant: Variant): Promise<void> => {
  const { listener, key } = await started(variant)
  const server = createServer(listener).listen(0, "127.0.0.1", () => {
    const address = server.address()
    if (address !== null && typeof address !== "string") process.send?.({ port: address.port, key })
  })
  process.on("message", () => process.send?.(process.cpuUsage()))
  process.on("disconnect", () => process.exit())
}

/** Keeps one request in flight on each connection for some time, and counts the answers. */
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

const measure = async (variant: Variant) => {
  const child = fork(fileURLToPath(import.meta.url), [variant])
  const [{ port, key }] = await once(child, "message")
  const cpu = async (): Promise<number> => {
    child.send("cpu")
    const [{ user, system }] = await once(child, "message")
    return user + system
  }
  const request = Buffer.from(
    `POST /v1/sms HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-api-key: ${key}\r\nx-account-id: ${account}\r\n` +
      `content-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n${payload}`
  )
  await load(port, request, WARM_UP)
  const rounds: Array<{ readonly rate: number; readonly cost: number }> = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = await cpu()
    const answers = await load(port, request, ROUND)
    rounds.push({ rate: (answers / ROUND) * 1_000, cost: ((await cpu()) - before) / answers })
  }
  child.disconnect()
  return rounds.toSorted((a, b) => a.cost - b.cost)[ROUNDS >> 1]
}

const chosen = variants.find((variant) => variant === process.argv[2])
if (chosen !== undefined && process.send !== undefined) {
  await serveVariant(chosen)
} else {
  const bareRound = await measure("bare")
  for (const variant of chosen === undefined ? variants : [chosen]) {
    const round = variant === "bare" ? bareRound : await measure(variant)
    if (round === undefined || bareRound === undefined) continue
    console.log(
      `${variant.padEnd(8)} ${round.rate.toFixed(0).padStart(7)} req/s  ${round.cost.toFixed(1).padStart(6)} µs CPU  ` +
        `${(round.cost / bareRound.cost).toFixed(2)} × bare`
    )
  }
}
