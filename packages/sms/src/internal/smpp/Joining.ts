/**
 * Joins the parts of subscribers' texts, and decides when each part is answered.
 *
 * An answer is a promise that the carrier need not send the part again, and the parts of an unfinished text are only in
 * memory here. So their answers are held until the whole text is handled, though not for long: a carrier with a small
 * window sends the next part only after the answer to this one, and receipts wait behind it. After a few seconds the
 * text is handed on without its missing parts, and the others are answered then. A link on which holding led to silence
 * holds for a moment only, until the parts of a text come together again.
 *
 * Octets are joined before they are decoded: a part may end between the two octets of a character, or between an escape
 * and its letter.
 *
 * Source: 3GPP TS 23.040 §9.2.3.24.1; SMPP 3.4 §4.6.2 and §5.1.3 (ESME_RX_T_APPN asks for another delivery).
 */
import * as CommandStatus from "./CommandStatus.ts"
import type { Place } from "./Concatenation.ts"
import type { Coded } from "./DataCoding.ts"

export type Answer = (status: number) => void

/** How long a link holds answers, by its experience with the carrier's window. */
export class Pace {
  /** Deliveries of the link so far. */
  arrivals = 0
  /** Milliseconds for which the answer to a part is held. */
  patience = PATIENCE
}

/** A few seconds: a carrier waits ten and more for an answer, and a phone sends the next part within two. */
const PATIENCE = 3_000
/** Long enough for parts that were written together. */
const MOMENT = 50
/** How long a text waits for its next part, in milliseconds. */
const KEPT = 60_000

const MOST_TEXTS = 2_000
const MOST_OCTETS = 8 * 1024 * 1024
/** Octets of a text that are more than any phone writes. */
const LONGEST = 64 * 1024

export interface Part {
  /** The addresses, and the carrier. */
  readonly of: string
  readonly place: Place
  readonly coded: Coded
  readonly pace: Pace
  readonly answer: Answer
  /** Called if the parts that are there were held long enough, with these. */
  readonly early: (text: Joined) => void
  /** Called if its text is given up. */
  readonly unfinished: () => void
}

/** A text whose last part has come, or the parts of an unfinished one. */
export interface Joined {
  /** In order; neighbours under one data_coding are one run. */
  readonly runs: ReadonlyArray<Run>
  /** Answers its parts that are not answered yet. After false a repeat of any part hands the text on again. */
  readonly settle: (isHandled: boolean) => void
}

export interface Run extends Coded {
  /** Whether parts are missing before it. */
  readonly isBehindGap: boolean
}

interface Held {
  readonly text: Text
  readonly answer: Answer
  readonly pace: Pace
  readonly arrivals: number
  readonly until: number
  isAnswered: boolean
}

interface Text {
  readonly total: number
  readonly early: Part["early"]
  readonly unfinished: () => void
  readonly parts: Map<number, Coded>
  held: Array<Held>
  octets: number
  until: number
  /** `offered` from its last part until its outcome is known; `handled` texts are kept to know repeats by. */
  state: "collecting" | "offered" | "handled"
}

export class Joining {
  readonly #texts = new Map<string, Text>()
  readonly #held = new Set<Held>()
  #octets = 0

  /** Takes a part. @returns the text that it completes, or null */
  take(part: Part, now: number): Joined | null {
    const { answer, coded, early, of, pace, place, unfinished } = part
    const { number, reference, total } = place
    const key = `${of} ${reference} ${total}`
    const known = this.#texts.get(key)
    const isRepeat = known !== undefined && isSame(known.parts.get(number), coded)
    if (isRepeat && known.state === "handled") {
      answer(CommandStatus.OK)
      return null
    }
    // Some phones number all their texts alike.
    const isNext = known !== undefined && known.state !== "collecting" && !isRepeat
    if (isNext) this.#forget(key, known)
    const text: Text =
      known === undefined || isNext
        ? { total, early, unfinished, parts: new Map(), held: [], octets: 0, until: 0, state: "collecting" }
        : known
    const held = { text, answer, pace, arrivals: pace.arrivals, until: now + pace.patience, isAnswered: false }
    text.held = [...text.held.filter(({ isAnswered }) => !isAnswered), held]
    if (text.state === "offered") return null
    this.#held.add(held)
    this.#keep(key, text, number, coded, now)
    if (text.octets > LONGEST) {
      this.#giveUp(key, text, CommandStatus.OK)
      return null
    }
    if (text.parts.size < total) {
      this.#makeRoom()
      return null
    }
    return this.#whole(text)
  }

  /** Hands on texts whose parts were held long enough, and gives up old ones. @returns when to be called next */
  expire(now: number): number {
    let next = Number.POSITIVE_INFINITY
    const due = new Set<Text>()
    for (const held of this.#held) {
      if (held.until > now) {
        next = Math.min(next, held.until)
        continue
      }
      if (held.pace.arrivals === held.arrivals) held.pace.patience = MOMENT
      due.add(held.text)
    }
    for (const text of due) text.early(this.#early(text))
    for (const [key, text] of this.#texts) {
      if (text.until > now) return Math.min(next, text.until)
      this.#giveUp(key, text, CommandStatus.OK)
    }
    return next
  }

  /** The parts so far. Each part that is held is answered with them. */
  #early(text: Text): Joined {
    const held = text.held
    text.held = []
    for (const each of held) this.#held.delete(each)
    return { runs: runsOf(text.parts), settle: (isHandled) => this.#answer(held, isHandled) }
  }

  #keep(key: string, text: Text, number: number, { dataCoding, octets }: Coded, now: number): void {
    const before = text.parts.get(number)?.octets.length ?? 0
    // A copy: the octets are a view of everything that arrived together.
    text.parts.set(number, { dataCoding, octets: Buffer.from(octets) })
    text.octets += octets.length - before
    this.#octets += octets.length - before
    text.until = now + KEPT
    this.#texts.delete(key)
    this.#texts.set(key, text)
  }

  #whole(text: Text): Joined {
    text.state = "offered"
    const isTogether = text.held.filter(({ isAnswered }) => !isAnswered).length >= text.total
    if (isTogether) for (const { pace } of text.held) pace.patience = PATIENCE
    // From now on an answer waits for the outcome, however long that takes.
    for (const held of text.held) this.#held.delete(held)
    return {
      runs: runsOf(text.parts),
      settle: (isHandled) => {
        text.state = isHandled ? "handled" : "collecting"
        this.#answer(text.held, isHandled)
        text.held = []
      }
    }
  }

  #answer(all: ReadonlyArray<Held>, isHandled: boolean): void {
    for (const held of all) this.#reply(held, isHandled ? CommandStatus.OK : CommandStatus.TRY_AGAIN)
  }

  /** The oldest texts go first. The carrier sends their parts again, unless it has an answer already. */
  #makeRoom(): void {
    for (const [key, text] of this.#texts) {
      if (this.#texts.size <= MOST_TEXTS && this.#octets <= MOST_OCTETS) return
      this.#giveUp(key, text, CommandStatus.TRY_AGAIN)
    }
  }

  #giveUp(key: string, text: Text, status: number): void {
    this.#forget(key, text)
    if (text.state !== "collecting") return
    for (const held of text.held) this.#reply(held, status)
    text.unfinished()
  }

  #forget(key: string, text: Text): void {
    this.#texts.delete(key)
    this.#octets -= text.octets
  }

  #reply(held: Held, status: number): void {
    if (held.isAnswered) return
    held.isAnswered = true
    this.#held.delete(held)
    held.answer(status)
  }
}

const isSame = (one: Coded | undefined, other: Coded): boolean =>
  one !== undefined && one.dataCoding === other.dataCoding && one.octets.equals(other.octets)

const runsOf = (parts: ReadonlyMap<number, Coded>): ReadonlyArray<Run> => {
  const runs: Array<Omit<Run, "octets"> & { readonly octets: Array<Buffer> }> = []
  let before = 0
  for (const [number, { dataCoding, octets }] of [...parts].sort(([one], [other]) => one - other)) {
    const last = runs.at(-1)
    const isBehindGap = number !== before + 1
    if (last?.dataCoding === dataCoding && !isBehindGap) last.octets.push(octets)
    else runs.push({ dataCoding, isBehindGap, octets: [octets] })
    before = number
  }
  return runs.map(({ octets, ...run }) => ({ ...run, octets: Buffer.concat(octets) }))
}
