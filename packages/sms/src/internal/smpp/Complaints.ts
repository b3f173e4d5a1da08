/**
 * Warnings about refusals that are not the fault of a message: one a minute for each status of a link.
 */
import * as Effect from "effect/Effect"
import type { Link } from "./Link.ts"
import { statusName } from "./Pdu.ts"

/** Milliseconds between two warnings of the same status. */
const INTERVAL = 60_000
/** Statuses of a link that are kept. A carrier has a dozen of its own. */
const MOST = 100

export class Complaints {
  readonly #warnedAt = new WeakMap<Link, Map<number, number>>()

  /** Logs a refusal as a warning, with the operator's remedy. */
  warn(link: Link, status: number, advice: string, now: number): Effect.Effect<void> {
    const warnedAt = this.#warnedAt.get(link) ?? new Map<number, number>()
    this.#warnedAt.set(link, warnedAt)
    const last = warnedAt.get(status)
    if (last === undefined ? warnedAt.size >= MOST : now - last < INTERVAL) return Effect.void
    warnedAt.set(status, now)
    return Effect.logWarning("a carrier refuses messages for a reason that is about the link", {
      link: link.name,
      status: statusName(status),
      advice
    })
  }
}
