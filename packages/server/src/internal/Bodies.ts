/**
 * Bodies of requests, read when they are needed, in bounded memory.
 */
import * as Effect from "effect/Effect"
import { type HostBody, type HostRequest, overloaded, tooLarge } from "../Host.ts"
import { headerOf } from "./ApiRequest.ts"

/** Reads the body of a request and uses it. Its memory is taken until it has been used. */
export type WithBody = <A, E>(
  request: HostRequest,
  maxBytes: number,
  use: (body: HostBody) => Effect.Effect<A, E>
) => Effect.Effect<A, E>

/** The memory of a piece of a body beside its bytes, so that many small pieces are not free. */
const PIECE = 128

/** @param memory for all bodies that are held at the same time, in bytes */
export const make = (memory: number): WithBody => {
  let left = memory

  return (request, maxBytes, use) => {
    const { body } = request
    if (typeof body !== "function") return use(bounded(request, body, maxBytes))
    let taken = 0
    let isDone = false
    const take = (bytes: number): boolean => {
      const size = bytes + PIECE
      if (isDone || size > left) return false
      left -= size
      taken += size
      return true
    }
    const giveBack = Effect.sync(() => {
      isDone = true
      left += taken
    })
    return Effect.ensuring(
      Effect.flatMap(
        Effect.promise(() => body({ maxBytes, take })),
        use
      ),
      giveBack
    )
  }
}

/** A body that a framework has read, by a limit of its own. */
const bounded = (request: HostRequest, body: HostBody, maxBytes: number): HostBody => {
  if (body === overloaded) return body
  const size = body._tag === "Bytes" ? body.bytes.length : Number(headerOf(request, "content-length") ?? 0)
  return size > maxBytes ? tooLarge : body
}
