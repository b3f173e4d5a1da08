/**
 * Draining: a service stops after the requests in flight, and after the streams of answers that are being written.
 */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { type Handle, type HostStream, isStream } from "../Host.ts"

/**
 * A handler that the closing of its scope waits for: requests in flight are finished, also those whose
 * client has gone; later ones are refused.
 */
export const make = (handle: Handle, refuse: Handle): Effect.Effect<Handle, never, Scope> =>
  Effect.gen(function* () {
    let inFlight = 0
    let closing = false
    let whenIdle = () => {}

    yield* Effect.addFinalizer(() =>
      Effect.callback<void>((resume) => {
        closing = true
        whenIdle = () => resume(Effect.void)
        if (inFlight === 0) whenIdle()
      })
    )

    const finish = () => {
      inFlight--
      if (closing && inFlight === 0) whenIdle()
    }
    /** The same stream, in flight from its first piece to its end. */
    const counted = (stream: HostStream): HostStream => ({
      [Symbol.asyncIterator]: () => {
        const pieces = stream[Symbol.asyncIterator]()
        let state: "new" | "begun" | "over" = "new"
        const end = () => {
          if (state === "begun") finish()
          state = "over"
          return { done: true, value: undefined } as const
        }
        // A generator would let its `return` wait for the next piece.
        return {
          next: async () => {
            if (state === "over") return end()
            if (state === "new") inFlight++
            state = "begun"
            try {
              const piece = await pieces.next()
              return piece.done === true ? end() : piece
            } catch (error) {
              end()
              throw error
            }
          },
          return: async () => {
            await pieces.return?.()
            return end()
          }
        }
      }
    })

    return (request) =>
      Effect.uninterruptible(
        Effect.suspend(() => {
          if (closing) return refuse(request)
          inFlight++
          return Effect.matchCauseEffect(handle(request), {
            onFailure: (cause) => {
              finish()
              return Effect.failCause(cause)
            },
            onSuccess: (answer) => {
              finish()
              return Effect.succeed(isStream(answer.body) ? { ...answer, body: counted(answer.body) } : answer)
            }
          })
        })
      )
  })
