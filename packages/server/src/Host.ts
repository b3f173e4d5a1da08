/**
 * Requests and responses of a host (node:http, Express, Fastify, a Worker) as plain values: no Request, no Response, no
 * framework.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Endpoints } from "./internal/Endpoints.ts"

export { type Endpoints, make as endpointsOf } from "./internal/Endpoints.ts"

/** One request, as the host received it. */
export interface HostRequest {
  /** Upper case. */
  readonly method: string
  /** Path and query as received, relative to the handler's mount, beginning with `/`. */
  readonly path: string
  /** Names in lower case. A repeated header is an array, or joined by commas. */
  readonly headers: HostHeaders
  /** The body, or how to read it: a body that the host has not read stays unread until its request is authorized. */
  readonly body: HostBody | ReadBody
  /** The address of the socket's other end; null if the host does not know it. */
  readonly remoteAddress: string | null
  /**
   * The client's address, from a host with its own setting for trusted proxies. X-Forwarded-For and the service's own
   * `trustedProxies` are then ignored.
   */
  readonly clientAddress?: string | null
  /**
   * Calls back when the client has gone; it may call back after the answer too. A host that cannot know this omits it.
   */
  readonly whenGone?: (gone: () => void) => void
}

export type HostHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/**
 * - `Absent`: the request has no body, or the host did not read it.
 * - `Bytes`: as received.
 * - `Parsed`: the host has decoded the JSON already.
 * - `TooLarge`: the host stopped reading.
 * - `Overloaded`: the service gave it up, because there was no memory left.
 * - `Late`: the service gave it up, because it came too slowly, or in too many small pieces.
 * - `Unreadable`: the host could not decode it, or its client has gone.
 */
export type HostBody =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Bytes"; readonly bytes: Uint8Array }
  | { readonly _tag: "Parsed"; readonly value: unknown }
  | { readonly _tag: "TooLarge" }
  | { readonly _tag: "Overloaded" }
  | { readonly _tag: "Late" }
  | { readonly _tag: "Unreadable" }

/**
 * Begins to read a body, and returns a function that stops: the rest is then dropped, and the connection closed after
 * the answer. Each of the two is called at most once.
 */
export type ReadBody = (sink: BodySink) => () => void

/** The destination of a body that a host reads. After the body's end, or a stop, it accepts nothing more. */
export interface BodySink {
  /** Takes a piece, which must not be changed afterwards. */
  readonly write: (piece: Uint8Array) => void
  readonly end: () => void
  /** Says that the body cannot be read to its end: it is `Unreadable`. */
  readonly fail: () => void
}

/** The largest body that a service reads by default, in bytes. */
export const MAX_BODY_BYTES = 65_536

export const absent: HostBody = { _tag: "Absent" }
export const tooLarge: HostBody = { _tag: "TooLarge" }
export const overloaded: HostBody = { _tag: "Overloaded" }
export const late: HostBody = { _tag: "Late" }
export const unreadable: HostBody = { _tag: "Unreadable" }
export const bytes = (bytes: Uint8Array): HostBody => ({ _tag: "Bytes", bytes })
export const parsed = (value: unknown): HostBody => ({ _tag: "Parsed", value })

/** One answer, for the host to write. */
export interface HostResponse {
  /** 100 to 999: some of the interface's statuses are beyond 599. */
  readonly status: number
  /** Names in lower case, without `content-length`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | HostStream | null
}

/**
 * A body that comes piece by piece. A host writes each piece as it comes, and calls the iterator's `return` when the
 * client has gone; nothing runs before the first `next`. A service that stops ends its streams.
 */
export type HostStream = AsyncIterable<Uint8Array>

/** Whether a body comes piece by piece. */
export const isStream = (body: HostResponse["body"]): body is HostStream =>
  typeof body === "object" && body !== null && Symbol.asyncIterator in body

/** If a host cannot send an answer's status, the status is in this header. */
export const STATUS_HEADER = "x-status"

/**
 * An answer for a host that sends no status beyond 599, such as HTTP/2 on Node and everything based on `Response`:
 * 603 becomes 486 with the header `x-status: 603`, and the body stays.
 */
export const within599 = (answer: HostResponse): HostResponse =>
  answer.status > 599
    ? { ...answer, status: 486, headers: { ...answer.headers, [STATUS_HEADER]: String(answer.status) } }
    : answer

/** Answers every request: it has no errors, and a defect is answered 500. */
export type Handle = (request: HostRequest) => Effect.Effect<HostResponse>

/** The handler of the whole interface, made by `Server`. */
export class Handler extends Context.Service<Handler, Handle>()("@watchword/server/Handler") {}

/** The same for hosts that do not speak Effect. */
export type HandlePromise = (request: HostRequest) => Promise<HostResponse>

/**
 * What adapters mount: a service, or a part of one, such as `{ handle: service.operations }`. Without `endpoints` every
 * request is answered, at the root too.
 */
export interface Mounted {
  readonly handle: HandlePromise
  readonly endpoints?: Endpoints
}

/** Throws a `TypeError` if a program without types gives an adapter a wrong value. @param what names a right value */
export const checkMounted = (given: unknown, what: string): void => {
  if (typeof given !== "object" || given === null) throw new TypeError(`watchword needs ${what}`)
  if ("then" in given) throw new TypeError("watchword was given a promise: await createWatchword(…) first")
}

/**
 * A handler as a plain function.
 *
 * A request that has begun is carried through, because a message may already be on its way. Only a request that changes
 * nothing, such as a list, ends when its client has gone.
 *
 * @param context services for the handler's effects, such as loggers and tracers
 */
export const toPromise = (handle: Handle, context: Context.Context<never> = Context.empty()): HandlePromise => {
  const run = Effect.runForkWith(context)
  // One promise per request; `runPromiseWith` makes two.
  return (request) =>
    new Promise((resolve, reject) => {
      const fiber = run(handle(request))
      fiber.addObserver((exit) => {
        if (exit._tag === "Success") resolve(exit.value)
        else reject(Cause.squash(exit.cause))
      })
      if (fiber.pollUnsafe() === undefined) request.whenGone?.(() => fiber.interruptUnsafe())
    })
}
