/**
 * What peers say and a gateway does not recognize: states, statuses and receipts of a dialect that no table has.
 *
 * Each new kind is logged once, and every occurrence is counted, so that an operator sees a carrier's dialect on the
 * first day. A peer that makes up words brings neither the log nor the metrics to grow: after {@link MOST} words a
 * gateway's further ones are `other`.
 *
 * @example
 * ```ts
 * import { Unrecognized } from "@watchword/send/gateway"
 * import * as Effect from "effect/Effect"
 *
 * const unrecognized = new Unrecognized()
 * const note = unrecognized.note("sms:smsc.example:2775", "receipt_state", {
 *   word: "DND",
 *   message: "a receipt has a state that is not in SMPP 3.4; states= says what it means"
 * })
 * await Effect.runPromise(note)
 * const [latest] = unrecognized.seen("sms:smsc.example:2775")
 * // { kind: "receipt_state", word: "DND", count: 1, at: … }
 * ```
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

/** One thing that a peer has said. */
export interface Said {
  /**
   * Distinguishes one thing from another: a word of a state, a status code. Never an id, a number, a code or a text, of
   * which each message has its own.
   */
  readonly word: string
  /** Whether the word is of a table of the peer's, such as an error code, so that its digits are kept. */
  readonly isCode?: boolean
  /** The line of the log, with the setting to try. */
  readonly message: string
  /** Annotations of that line. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** A kind of thing that a gateway has not recognized, as operators see it. */
export interface Seen {
  readonly kind: string
  readonly word: string
  readonly count: number
  /** Unix time in milliseconds of the last occurrence. */
  readonly at: number
}

/** Words of one gateway that are kept apart. */
const MOST = 100

const OTHER = "other"

const occurrences = Metric.counter("watchword_unrecognized_total", {
  description: "Things that peers said and a gateway did not recognize, by gateway, kind and word.",
  incremental: true
})

export class Unrecognized {
  readonly #byGateway = new Map<string, Map<string, Seen>>()

  /** Counts an unrecognized word of a peer, and logs a warning the first time. */
  note(gateway: string, kind: string, { details, isCode = false, message, word }: Said): Effect.Effect<void> {
    return Effect.flatMap(Clock.currentTimeMillis, (at) => {
      const { isNew, seen } = this.#count(gateway, kind, foreign(word, 64, isCode ? [word] : []), at)
      const counted = Metric.update(Metric.withAttributes(occurrences, { gateway, kind, word: seen.word }), 1)
      const line = { gateway, kind, ...(seen.word === "" ? {} : { word: seen.word }), ...details }
      return isNew ? Effect.andThen(counted, Effect.logWarning(message, line)) : counted
    })
  }

  /** The words that a gateway has not recognized so far, the most recent first. */
  seen(gateway: string): ReadonlyArray<Seen> {
    return newestFirst(this.#byGateway.get(gateway)?.values() ?? [])
  }

  /** The same as a part of the gateway's health; nothing if all was recognized. */
  of(gateway: string): { readonly unrecognized?: ReadonlyArray<Seen> } {
    const unrecognized = this.seen(gateway)
    return unrecognized.length === 0 ? {} : { unrecognized }
  }

  #count(gateway: string, kind: string, said: string, at: number): { readonly seen: Seen; readonly isNew: boolean } {
    const words = this.#byGateway.get(gateway) ?? new Map<string, Seen>()
    this.#byGateway.set(gateway, words)
    const word = words.has(keyOf(kind, said)) || words.size < MOST ? said : OTHER
    const before = words.get(keyOf(kind, word))
    const seen = { kind, word, count: (before?.count ?? 0) + 1, at }
    words.set(keyOf(kind, word), seen)
    return { seen, isNew: before === undefined }
  }
}

/** What several gateways, connections or processes have not recognized, the most recent first. */
export const joined = (several: ReadonlyArray<ReadonlyArray<Seen>>): ReadonlyArray<Seen> => {
  const words = new Map<string, Seen>()
  for (const seen of several.flat()) {
    const key = keyOf(seen.kind, seen.word)
    const before = words.get(key)
    const { at = 0, count = 0 } = before ?? {}
    words.set(key, { ...seen, count: count + seen.count, at: Math.max(at, seen.at) })
  }
  return newestFirst(words.values())
}

const newestFirst = (seen: Iterable<Seen>): ReadonlyArray<Seen> => [...seen].sort((one, other) => other.at - one.at)

const keyOf = (kind: string, word: string): string => `${kind} ${word}`

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu
const LONG_NUMBER = /\p{Nd}(?:[ ().-]*\p{Nd}){3,}/gu

/**
 * A text of a peer as logs and answers to operators may have it: printable, cut off, and with `…` instead of numbers of
 * four digits or more, which may be a code or a phone number.
 *
 * @param most characters that are kept
 * @param keep numbers that are not hidden, such as the code of the error that the text explains
 */
export const foreign = (text: string, most = 64, keep: ReadonlyArray<string> = []): string => {
  const printable = text
    .replace(UNPRINTABLE, " ")
    .replace(LONG_NUMBER, (number) => (keep.includes(number) ? number : "…"))
  const characters = Array.from(printable.trim())
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : characters.join("")
}
