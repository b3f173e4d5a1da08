/**
 * Hands a message to one carrier after the other, until one may have taken it.
 *
 * The next carrier is asked only where the one before certainly did not take the message. An answer that is not known
 * ends the round: a message whose bytes were written never leaves over two carriers. Nothing is written down between
 * two carriers: the record was opened with the names of all candidates, and a crash leaves it with them and with its
 * hold.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Outcome, rejected } from "../Outcome.ts"
import { NoRoom, mayHandOver } from "./Refusals.ts"
import { noRoute } from "./Routing.ts"

export interface Round<out E> {
  /** The carriers to ask, in this order. */
  readonly carriers: ReadonlyArray<string>
  /** Milliseconds that the message may wait, in all. */
  readonly deadline: number
  /** Asks a carrier, which refuses with {@link NoRoom} if it has no room after that many milliseconds. */
  readonly ask: (carrier: string, patience: number) => Effect.Effect<Outcome, E>
}

export interface Handed {
  readonly outcome: Outcome
  /** The carrier that gave the outcome; null if none was asked. */
  readonly carrier: string | null
  /** The carriers that refused the message before, each once. */
  readonly refused: ReadonlyArray<string>
}

export const handOver = Effect.fnUntraced(function* <E>({
  ask,
  carriers,
  deadline
}: Round<E>): Effect.fn.Return<Handed, E> {
  const [only] = carriers
  if (carriers.length === 1 && only !== undefined) {
    return { outcome: yield* ask(only, deadline), carrier: only, refused: [] }
  }
  const clock = yield* Clock.Clock
  const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  const until = now() + deadline
  const refused: Array<string> = []
  let full: string | null = null
  let last: Handed | null = null
  for (const carrier of carriers) {
    const outcome = yield* ask(carrier, 0)
    last = { outcome, carrier, refused }
    if (!mayHandOver(outcome)) return last
    if (outcome.failure instanceof NoRoom) full ??= carrier
    else refused.push(carrier)
    if (now() >= until) return last
  }
  if (full === null) return last ?? { outcome: rejected(noRoute()), carrier: null, refused }
  return { outcome: yield* ask(full, until - now()), carrier: full, refused }
})
