/**
 * A shared resource, of which one party takes all that it can while others ask for theirs.
 */
import { type Socket, connect } from "node:net"
import { realTime } from "../until.ts"
import type { Question, World } from "./World.ts"

export interface Case {
  /** The resource. */
  readonly name: string
  /** What others ask meanwhile, each of which must be answered 200. */
  readonly questions: ReadonlyArray<Question>
  /** Begins to hold what a stranger can get, and resolves when it is held. */
  readonly hold: (world: World) => Promise<Held>
}

export interface Held {
  /** Lets go of it. */
  readonly release: () => Promise<void>
}

/**
 * In milliseconds: how long a stranger waits before it opens a connection again that the server has closed. Memory is
 * held, and the processor left alone: Node takes a microsecond for each chunk of a byte, before the server sees the
 * first. So many connections wait for memory that what is let go of is taken at once.
 */
const AGAIN = 5_000

/**
 * Connections on each of which something is written that does not end. One that the server closes is opened again.
 *
 * @param written what is written on a connection, by its number
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

/** Requests without end, so many at a time. */
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

/** In milliseconds. */
const TAKEN = 1_500

/** One after the other: what is smaller fills what the larger ones have left. */
export const inTurn = async (...all: ReadonlyArray<() => Promise<Held>>): Promise<Held> => {
  const held: Array<Held> = []
  for (const hold of all) {
    held.push(await hold())
    await realTime(TAKEN, "the server takes what was written")
  }
  return { release: async () => void (await Promise.all(held.map(({ release }) => release()))) }
}

/** The head of a request whose body comes in chunks. */
export const head = (path: string, headers: Readonly<Record<string, string>>): string =>
  [
    `POST /v1${path} HTTP/1.1`,
    "host: 127.0.0.1",
    "transfer-encoding: chunked",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "\r\n"
  ].join("\r\n")

/** A chunk of so many spaces. */
export const chunk = (bytes: number): string => `${bytes.toString(16)}\r\n${" ".repeat(bytes)}\r\n`

/** A chunk half as large for each next of twenty bodies: the smallest fill what the others leave. */
export const halved = (most: number, index: number): string => chunk(Math.max(1, most >> (index % 20)))
