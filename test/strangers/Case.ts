/**
 * A shared resource: one party takes as much of it as possible, while others need their share.
 */
import { type Socket, connect } from "node:net"
import { realTime } from "../until.ts"
import type { Question, World } from "./World.ts"

export interface Case {
  /** The resource. */
  readonly name: string
  /** Requests of others meanwhile, each of which must be answered with 200. */
  readonly questions: ReadonlyArray<Question>
  /** Takes as much as a stranger can get, and resolves once that is held. */
  readonly hold: (world: World) => Promise<Held>
}

export interface Held {
  /** Releases it. */
  readonly release: () => Promise<void>
}

/**
 * Milliseconds until a stranger reopens a connection that the server has closed. The stranger holds memory and leaves
 * the processor idle: Node needs a microsecond for each one-byte chunk, before the server sees the first. So many
 * connections wait for memory that released memory is taken at once.
 */
const AGAIN = 5_000

/**
 * Connections that each send something without an end. If the server closes a connection, it is opened again.
 *
 * @param written the bytes to send on a connection, by its index
 */
export const connections = async (
  { port }: World,
  count: number,
  written: (index: number) => string | Uint8Array
): Promise<Held> => {
  const open = new Set<Socket>()
  let isHeld = true
  const hold = (index: number): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(written(index), () => resolve()))
      open.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => {
        open.delete(socket)
        resolve()
        void realTime(AGAIN, "the stranger has lost its connection").then(() => (isHeld ? hold(index) : undefined))
      })
      socket.resume()
    })
  await Promise.all(Array.from({ length: count }, (_, index) => hold(index)))
  return {
    release: async () => {
      isHeld = false
      for (const socket of open) socket.destroy()
    }
  }
}

/** Endless requests, with `parallel` in flight at a time. */
export const requests = async (parallel: number, ask: () => Promise<unknown>): Promise<Held> => {
  const released = new AbortController()
  const begun = Promise.withResolvers<void>()
  const all = Array.from({ length: parallel }, async () => {
    while (!released.signal.aborted) {
      await ask()
      begun.resolve()
      await realTime(1, "the server is what is to be busy")
    }
  })
  await begun.promise
  return {
    release: async () => {
      released.abort()
      await Promise.all(all)
    }
  }
}

/** Milliseconds in which the server takes the bytes sent. */
const TAKEN = 1_500

/** One after the other: the smaller ones fill the space that the larger ones have left. */
export const inTurn = async (...all: ReadonlyArray<() => Promise<Held>>): Promise<Held> => {
  const held: Array<Held> = []
  for (const hold of all) {
    held.push(await hold())
    await realTime(TAKEN, "the server takes what was written")
  }
  return { release: async () => void (await Promise.all(held.map(({ release }) => release()))) }
}

/** The head of a request with a chunked body. */
export const head = (path: string, headers: Readonly<Record<string, string>>): string =>
  [
    `POST /v1${path} HTTP/1.1`,
    "host: 127.0.0.1",
    "transfer-encoding: chunked",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "\r\n"
  ].join("\r\n")

/** A chunk of this many spaces. */
export const chunk = (bytes: number): string => `${bytes.toString(16)}\r\n${" ".repeat(bytes)}\r\n`

/** Chunks that halve over twenty bodies: the smallest fill the space that the others leave. */
export const halved = (most: number, index: number): string => chunk(Math.max(1, most >> (index % 20)))
