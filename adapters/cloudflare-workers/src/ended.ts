import type * as Fiber from "effect/Fiber"

/** In milliseconds. Cloudflare gives a request 30 seconds after its answer, and complains when that is not enough. */
const PATIENCE = 25_000

/** Resolves when a fiber has ended, or has taken too long. */
export const ended = (fiber: Fiber.Fiber<unknown, unknown>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE)
    fiber.addObserver(() => {
      clearTimeout(timer)
      resolve()
    })
  })
