/**
 * A load generator for HTTP over raw sockets: a number of connections that are kept alive, with one request in flight
 * on each. It reads only the status and `content-length` of an answer. A verification is two requests, its start and
 * its check, and one answer in the figures.
 *
 * In each request `########` becomes eight fresh digits and `@@@@@@@@@@@@` twelve fresh hexadecimal digits.
 */
import { type Socket, connect } from "node:net"
import { type Check, checkOf, isApproved } from "./checks.ts"

export interface Task {
  /** The server's port, or the ports of several servers, over which connections are spread. */
  readonly port: number | ReadonlyArray<number>
  /** If there are several, sends cycle through them. */
  readonly request: string | ReadonlyArray<string>
  readonly connections: number
  /**
   * Sends per second at fixed times, without waiting for answers: latencies then count from the time at which a send
   * was due. If not given, each connection sends as soon as it is answered.
   */
  readonly rate?: number
  /** When to stop: after this many milliseconds or answers. */
  readonly until: { readonly milliseconds: number } | { readonly answers: number }
  readonly status: number
  /** The status of sends that are refused, if some are. */
  readonly refusal?: number
  /** For sends that start a verification: the check that follows each start on its connection. */
  readonly check?: Check
}

export interface Result {
  readonly answers: number
  /** How many of the answers refuse a send. */
  readonly refusals: number
  readonly seconds: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

const DIGITS = "########"
/** Numbers of other blocks one after the other: rules take many of one block for pumping. */
const SPREAD = 61_803_397
const HEXADECIMAL = "@@@@@@@@@@@@"
const HEAD_END = Buffer.from("\r\n\r\n")

// No number occurs twice, whatever earlier runs have sent.
let serial = Math.floor(Math.random() * 1_000_000)

const run = (task: Task): Promise<Result> => {
  const { check, connections, port, rate, refusal, request, status, until } = task
  const latencies: Array<number> = []
  const sockets: Array<Socket> = []
  const done = Promise.withResolvers<Result>()
  const start = performance.now()
  let lastAnswer = start
  let waiting = 0
  let refusals = 0
  let left = "answers" in until ? until.answers : Number.POSITIVE_INFINITY
  const stopAt = "milliseconds" in until ? start + until.milliseconds : Number.POSITIVE_INFINITY

  const finish = (): void => {
    clearInterval(pacing)
    for (const socket of sockets) socket.destroy()
    latencies.sort((a, b) => a - b)
    done.resolve({
      answers: latencies.length,
      refusals,
      seconds: (lastAnswer - start) / 1000,
      p50: latencies[latencies.length >> 1] ?? 0,
      p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0
    })
  }

  const requests = (typeof request === "string" ? [request] : request).map(template)
  const ports = typeof port === "number" ? [port] : port
  const isOver = (): boolean => left <= 0 || performance.now() >= stopAt

  /** Connections without a request in flight, if the load sends at fixed times. */
  const free: Array<(dueAt: number) => void> = []
  let due = 0
  const pace = (perSecond: number): void => {
    if (isOver()) {
      if (waiting === 0) finish()
      return
    }
    for (; due < ((performance.now() - start) / 1000) * perSecond; due++) {
      const send = free.shift()
      if (send === undefined) return
      send(start + (due / perSecond) * 1000)
    }
  }
  const pacing = rate === undefined ? undefined : setInterval(() => pace(rate), 2)

  const open = (port: number): void => {
    let sentAt = 0
    let rest: Buffer | null = null
    let isChecking = false
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => next())
    sockets.push(socket)

    const next = (): void => {
      if (rate !== undefined) free.push(send)
      else if (!isOver()) send(performance.now())
      else if (waiting === 0) finish()
    }

    const send = (at: number): void => {
      left--
      waiting++
      serial++
      sentAt = at
      socket.write(filled(requests[serial % requests.length]))
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
      if (answered === refusal) refusals++
      else if (answered !== status) return done.reject(new Error(`answered ${bytes.toString()}`))
      if (check !== undefined) {
        isChecking = !isChecking
        if (isChecking) return void socket.write(checkOf(check, bytes))
        if (!isApproved(bytes)) return done.reject(new Error(`answered ${bytes.toString()}`))
      }
      waiting--
      lastAnswer = performance.now()
      latencies.push(lastAnswer - sentAt)
      next()
    })
  }

  for (let index = 0; index < connections; index++) open(ports[index % ports.length] ?? 0)
  return done.promise
}

/** A request, and the positions of the digits to fill in; -1 if it has no such digits. */
interface Template {
  readonly bytes: Buffer
  readonly digitsAt: number
  readonly hexadecimalAt: number
}

const template = (request: string): Template => {
  const bytes = Buffer.from(request, "latin1")
  return { bytes, digitsAt: bytes.indexOf(DIGITS), hexadecimalAt: bytes.indexOf(HEXADECIMAL) }
}

const filled = (template: Template | undefined): Buffer => {
  if (template === undefined) throw new Error("there is no request to send")
  const { digitsAt, hexadecimalAt } = template
  const bytes = Buffer.from(template.bytes)
  if (digitsAt !== -1)
    bytes.write(String((serial * SPREAD) % 100_000_000).padStart(DIGITS.length, "0"), digitsAt, "latin1")
  if (hexadecimalAt !== -1) bytes.write(serial.toString(16).padStart(HEXADECIMAL.length, "0"), hexadecimalAt, "latin1")
  return bytes
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
