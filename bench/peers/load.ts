/**
 * A load generator for HTTP over raw sockets: so many connections that are kept alive, one request in flight on
 * each. It reads the status and `content-length` of an answer and nothing else.
 *
 * In a request `########` becomes eight digits and `@@@@@@@@@@@@` twelve hexadecimal ones, other ones each time.
 */
import { type Socket, connect } from "node:net"

export interface Task {
  readonly port: number
  /** Connections take turns where there are several. */
  readonly request: string | ReadonlyArray<string>
  readonly connections: number
  /** What to stop after: milliseconds, or answers. */
  readonly until: { readonly milliseconds: number } | { readonly answers: number }
  readonly status: number
}

export interface Result {
  readonly answers: number
  readonly seconds: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

const DIGITS = "########"
const HEXADECIMAL = "@@@@@@@@@@@@"
const HEAD_END = Buffer.from("\r\n\r\n")

// No number comes twice, whatever was sent before.
let serial = Math.floor(Math.random() * 1_000_000)

const run = (task: Task): Promise<Result> => {
  const { connections, port, request, status, until } = task
  const latencies: Array<number> = []
  const sockets: Array<Socket> = []
  const done = Promise.withResolvers<Result>()
  const start = performance.now()
  let lastAnswer = start
  let waiting = 0
  let left = "answers" in until ? until.answers : Number.POSITIVE_INFINITY
  const stopAt = "milliseconds" in until ? start + until.milliseconds : Number.POSITIVE_INFINITY

  const finish = (): void => {
    for (const socket of sockets) socket.destroy()
    latencies.sort((a, b) => a - b)
    done.resolve({
      answers: latencies.length,
      seconds: (lastAnswer - start) / 1000,
      p50: latencies[latencies.length >> 1] ?? 0,
      p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0
    })
  }

  const open = (request: string): void => {
    const bytes = Buffer.from(request, "latin1")
    const digitsAt = bytes.indexOf(DIGITS)
    const hexadecimalAt = bytes.indexOf(HEXADECIMAL)
    let sentAt = 0
    let rest: Buffer | null = null
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => send())
    sockets.push(socket)

    const send = (): void => {
      if (left <= 0 || performance.now() >= stopAt) {
        if (waiting === 0) finish()
        return
      }
      left--
      waiting++
      serial++
      if (digitsAt !== -1) bytes.write(String(serial % 100_000_000).padStart(DIGITS.length, "0"), digitsAt, "latin1")
      if (hexadecimalAt !== -1) {
        bytes.write(serial.toString(16).padStart(HEXADECIMAL.length, "0"), hexadecimalAt, "latin1")
      }
      sentAt = performance.now()
      socket.write(bytes)
    }

    const lost = (how: string) => done.reject(new Error(`port ${port}, after ${latencies.length} answers: ${how}`))
    socket.on("error", ({ message }) => lost(message))
    socket.on("close", () => lost("the server closed a connection"))
    socket.on("data", (chunk: Buffer) => {
      const bytes: Buffer = rest === null ? chunk : Buffer.concat([rest, chunk])
      const head = bytes.indexOf(HEAD_END)
      if (head === -1 || bytes.length < head + HEAD_END.length + lengthIn(bytes, head)) {
        rest = bytes
        return
      }
      rest = null
      const answered = Number(bytes.toString("latin1", 9, 12))
      if (answered !== status) return done.reject(new Error(`answered ${bytes.toString()}`))
      waiting--
      lastAnswer = performance.now()
      latencies.push(lastAnswer - sentAt)
      send()
    })
  }

  const requests = typeof request === "string" ? [request] : request
  for (let index = 0; index < connections; index++) open(requests[index % requests.length] ?? "")
  return done.promise
}

const LENGTH = /content-length: *(\d+)/i

const lengthIn = (bytes: Buffer, head: number): number =>
  Number(LENGTH.exec(bytes.toString("latin1", 0, head))?.[1] ?? 0)

process.on("message", (task: Task) => {
  run(task).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    }
  )
})
process.once("disconnect", () => process.exit())
process.send?.("ready")
