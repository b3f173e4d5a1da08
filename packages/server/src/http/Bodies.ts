/**
 * Request bodies, read when they are needed, in bounded memory. No party can take the others' part of this memory.
 *
 * The buffer of a body is counted twice: for its party, which has an eighth of the memory, and for all parties. If too
 * little is left, the body that has been read for longest without an end is given up. A body that arrives all at once
 * is never given up, however many others hold as much as they can.
 */
import * as Effect from "effect/Effect"
import type { Clients } from "./Clients.ts"
import {
  type BodySink,
  type HostBody,
  type HostRequest,
  type ReadBody,
  bytes,
  late,
  overloaded,
  tooLarge,
  unreadable
} from "../Host.ts"
import { headerOf } from "./ApiRequest.ts"

export interface Options {
  /** A larger body is `TooLarge`. */
  readonly maxBytes: number
  /**
   * Bytes that the bodies of one party may take at a time: 1 MiB by default. There is always room for two of the
   * largest.
   */
  readonly share?: number
  /** How many bodies of one party may be in reading at a time. Without a limit by default. */
  readonly inReading?: number
}

/**
 * Reads the body of a request and uses it. Its memory is taken until it has been used.
 *
 * @param party who sends it: the id of an account, or the network of a stranger
 */
export type WithBody = <A, E>(
  request: HostRequest,
  party: string,
  use: (body: HostBody) => Effect.Effect<A, E>
) => Effect.Effect<A, E>

/** How many parties can have their whole share at a time. */
const SHARES = 8

const SHARE = 1_048_576

/**
 * Bodies in reading at a time from one network of strangers, which may be a gateway, or a proxy that is not trusted.
 */
const STRANGERS_IN_READING = 128

/** The same for strangers, whose bodies authenticate them. */
export type WithStrangersBody = <A, E>(
  request: HostRequest,
  use: (body: HostBody) => Effect.Effect<A, E>
) => Effect.Effect<A, E>

/** Memory for the bodies that strangers send to one endpoint. Each of their networks is a party. */
export const ofStrangers = (maxBytes: number, clients: Clients): WithStrangersBody => {
  const withBody = make({ maxBytes, inReading: STRANGERS_IN_READING })
  return (request, use) => withBody(request, clients.networkOf(request), use)
}

/** Memory for the bodies of one kind. */
export const make = ({ inReading = Infinity, maxBytes, share = SHARE }: Options): WithBody => {
  const memory = new Memory(Math.max(share, 2 * maxBytes))

  return (request, party, use) => {
    const { body } = request
    if (typeof body !== "function") return use(bounded(request, body, maxBytes))
    if (announced(request) > maxBytes) return use(tooLarge)
    return Effect.suspend(() => {
      const reading = memory.begin(party, maxBytes, inReading)
      return Effect.ensuring(
        Effect.flatMap(
          Effect.callback<HostBody>((resume) => reading.start(body, (read) => resume(Effect.succeed(read)))),
          use
        ),
        Effect.sync(() => reading.release())
      )
    })
  }
}

/** The length that a request announces; 0 if it announces no length. */
const announced = (request: HostRequest): number => Number(headerOf(request, "content-length") ?? 0)

/** A body that a framework has read, with a limit of its own. */
const bounded = (request: HostRequest, body: HostBody, maxBytes: number): HostBody => {
  if (body._tag === "Overloaded" || body._tag === "Late") return body
  const size = body._tag === "Bytes" ? body.bytes.length : announced(request)
  return size > maxBytes ? tooLarge : body
}

/** How long a body may take, and how often that is checked, in milliseconds. */
const PATIENCE = 5_000
const EVERY = 1_000

/** The bytes that may take `PATIENCE`, and the minimum rate of all further bytes, in bytes per millisecond. */
const SMALL = 65_536
const LEAST_RATE = 128

/**
 * How many pieces a body may come in, and how large further pieces must be on average: a piece of one byte costs as
 * much as a piece of many.
 */
const FREE_PIECES = 1_024
const LEAST_PIECE = 64

const isLate = ({ size, startedAt }: Reading, now: number): boolean =>
  now - startedAt > PATIENCE + Math.max(0, size - SMALL) / LEAST_RATE

/** The memory that is left. */
interface Share {
  left: number
}

/** The same for one party, and how many of its bodies are being read. */
interface Party extends Share {
  inReading: number
}

class Memory {
  readonly all: Share
  /** The bodies in reading, in the order in which they began. */
  readonly reading = new Set<Reading>()
  private readonly size: number
  private readonly parties = new Map<string, Party>()
  private watchedUntil = 0

  constructor(size: number) {
    this.size = size
    this.all = { left: SHARES * size }
  }

  begin(party: string, maxBytes: number, inReading: number): Reading {
    const own = this.parties.get(party) ?? this.enter(party)
    if (own.inReading >= inReading) this.longestOf(own)?.stop(overloaded)
    const now = performance.now()
    if (now >= this.watchedUntil) this.watch(now)
    return new Reading(this, own, maxBytes, now)
  }

  /**
   * Whether a body has room to grow. If necessary, the bodies that have been read for longest are given up to make
   * room, possibly including this body.
   */
  hasRoom(bytes: number, by: Reading): boolean {
    for (const share of [by.own, this.all]) {
      if (share.left >= bytes) continue
      for (const longest of this.reading) {
        const isOfShare = share === this.all || longest.own === share
        // Stopping a body that holds nothing makes no room.
        if (isOfShare && (longest.taken > 0 || longest === by)) longest.stop(overloaded)
        if (share.left >= bytes || !by.isOpen) break
      }
      if (share.left < bytes || !by.isOpen) return false
    }
    return true
  }

  private enter(name: string): Party {
    const party = { left: this.size, inReading: 0 }
    this.parties.set(name, party)
    return party
  }

  private longestOf(own: Party): Reading | undefined {
    for (const longest of this.reading) if (longest.own === own) return longest
    return undefined
  }

  /**
   * Gives up late bodies, with one timer for all: most bodies end before it fires, and then it is not set again. In a
   * Worker, a timer ends with the request that set it, and a later body sets another.
   */
  private watch(now: number): void {
    this.watchedUntil = now + EVERY
    const timer: unknown = setTimeout(() => {
      const now = performance.now()
      for (const reading of this.reading) if (isLate(reading, now)) reading.stop(late)
      for (const [name, { inReading, left }] of this.parties) {
        if (inReading === 0 && left === this.size) this.parties.delete(name)
      }
      if (this.parties.size > 0) this.watch(now)
    }, EVERY)
    if (timer instanceof Object && "unref" in timer && typeof timer.unref === "function") timer.unref()
  }
}

/** A body that is joined as it comes. */
class Reading implements BodySink {
  readonly own: Party
  readonly startedAt: number
  size = 0
  taken = 0
  private pieces = 0
  isOpen = true
  private readonly memory: Memory
  private readonly maxBytes: number
  private buffer: Uint8Array = nothing
  private settle: (body: HostBody) => void = ignore
  private stopHost: () => void = ignore
  private isStopped = false

  constructor(memory: Memory, own: Party, maxBytes: number, now: number) {
    this.memory = memory
    this.own = own
    this.maxBytes = maxBytes
    this.startedAt = now
    own.inReading++
    memory.reading.add(this)
  }

  start(read: ReadBody, settle: (body: HostBody) => void): void {
    this.settle = settle
    this.stopHost = read(this)
    if (this.isStopped) this.stopHost()
  }

  readonly write = (piece: Uint8Array): void => {
    const size = this.size + piece.length
    if (!this.isOpen || piece.length === 0) return
    if (size > this.maxBytes) return this.stop(tooLarge)
    if (++this.pieces > FREE_PIECES + size / LEAST_PIECE) return this.stop(late)
    if (size > this.buffer.length) {
      // Most bodies are one piece, which is not copied.
      const capacity = this.size === 0 ? size : Math.min(this.maxBytes, Math.max(size, 2 * this.buffer.length))
      if (!this.take(capacity - this.buffer.length)) return this.stop(overloaded)
      this.buffer = this.size === 0 ? piece : grown(this.buffer, capacity)
    }
    if (this.size > 0) this.buffer.set(piece, this.size)
    this.size = size
  }

  readonly end = (): void => {
    const { buffer, size } = this
    if (this.isOpen) this.close(bytes(buffer.length === size ? buffer : buffer.subarray(0, size)))
  }

  readonly fail = (): void => {
    if (this.isOpen) this.close(unreadable)
  }

  /** Ends the reading before the body's end. */
  stop(body: HostBody): void {
    if (!this.isOpen) return
    const { stopHost } = this
    this.isStopped = true
    this.giveBack()
    this.close(body)
    stopHost()
  }

  /** Ends the use of the body, and its reading if that has not ended. */
  release(): void {
    this.stop(unreadable)
    this.giveBack()
    this.stopHost = ignore
  }

  private take(bytes: number): boolean {
    const { all } = this.memory
    if ((this.own.left < bytes || all.left < bytes) && !this.memory.hasRoom(bytes, this)) return false
    this.own.left -= bytes
    all.left -= bytes
    this.taken += bytes
    return true
  }

  private giveBack(): void {
    this.own.left += this.taken
    this.memory.all.left += this.taken
    this.taken = 0
    this.buffer = nothing
  }

  private close(body: HostBody): void {
    const { settle } = this
    this.isOpen = false
    this.own.inReading--
    this.memory.reading.delete(this)
    // A set keeps a deleted entry until a full garbage collection, and `settle` would keep everything that waits for
    // the body's end with it.
    this.settle = ignore
    settle(body)
  }
}

const nothing = new Uint8Array()

const ignore = (): void => {}

const grown = (buffer: Uint8Array, capacity: number): Uint8Array => {
  const wider = new Uint8Array(capacity)
  wider.set(buffer)
  return wider
}
