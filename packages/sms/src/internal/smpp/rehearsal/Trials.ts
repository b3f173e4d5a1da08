/**
 * Rehearsals over the links of a gateway: each text is written by a link that live messages leave over, under its
 * window, its rate and its message ids, and never twice unless the carrier answered that it did not take it. It passes
 * by the outbox, whose queue belongs to customers.
 *
 * While a rehearsal runs, receipts are compared with its ids. Its own are shown, acknowledged and given to no handler
 * of events; a receipt that may be a customer's takes its usual way. Without a rehearsal all of this is one comparison.
 */
import type { Carrier, Heard, Rehearsal, Trial } from "@watchword/send/rehearsal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as CommandStatus from "../CommandStatus.ts"
import type { SubmitResult } from "../Connection.ts"
import type { DeliverSm } from "../DeliverSm.ts"
import { classify } from "../Incoming.ts"
import type { Link } from "../Link.ts"
import { statusName } from "../Pdu.ts"
import * as Receipt from "../Receipt.ts"
import { decoded } from "../ReceiptText.ts"
import { problem, submitSm } from "../SubmitSm.ts"
import { validityPeriod } from "../Validity.ts"
import { readAs, sentenceOf } from "./Answers.ts"
import { type Found, MATCHING, type Sought, type Taken, find, numberIn } from "./Matching.ts"
import * as Raw from "./Raw.ts"
import { type Sample, samples } from "./Samples.ts"

export interface Owner {
  readonly links: ReadonlyArray<Link>
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  /** Has unanswered submit_sm timed out at a time. */
  readonly wake: (at: number) => void
}

/** How long a part may wait for a link, and how long between two looks, in milliseconds. */
const PATIENCE = 15_000
const LOOK = 20
/** How often a part is written that the carrier has answered it did not take. */
const ATTEMPTS = 6
const QUEUE_FULL_REST = 500
/** Milliseconds of quiet after which no further receipt is waited for, once each text has a final receipt. */
const QUIET = 5_000
/** Seconds that the texts are of use. */
const TTL = 600
/** Milliseconds within which a receipt that comes late is still known as a rehearsal's. */
const LATE = 3_600_000

const nameOf = ({ options: { carrier, host } }: Link): string => carrier || host

export class Trials implements Rehearsal {
  readonly #owner: Owner
  readonly #running = new Set<Running>()
  /** Ended rehearsals whose receipts may still come, with the deadline for them. */
  readonly #ended = new Map<Running, number>()

  constructor(owner: Owner) {
    this.#owner = owner
  }

  get carriers(): Effect.Effect<ReadonlyArray<Carrier>> {
    const names = this.#owner.links.filter(({ options }) => options.bind !== "receiver").map(nameOf)
    return Effect.succeed([...new Set(names)].map((name) => ({ name, by: "smpp" })))
  }

  readonly run = (trial: Trial, hear: (heard: Heard) => void): Effect.Effect<void> =>
    Effect.acquireUseRelease(
      Effect.map(Clock.Clock, (clock) => {
        const running = new Running(trial, this.#owner, () => clock.currentTimeMillisUnsafe(), hear)
        this.#running.add(running)
        return running
      }),
      (running) => running.all,
      (running) =>
        Effect.sync(() => {
          this.#running.delete(running)
          this.#ended.set(running, this.#owner.now() + LATE)
          running.close()
        })
    )

  /**
   * Whether a receipt is a rehearsal's, which is then acknowledged here, or held until its part has been answered.
   *
   * @param answer acknowledges it
   * @param again has it looked at once more
   */
  take(link: Link, message: DeliverSm, answer: (status: number) => void, again: () => void): boolean {
    if (this.#running.size + this.#ended.size === 0) return false
    for (const [ended, until] of this.#ended) if (until < this.#owner.now()) this.#ended.delete(ended)
    for (const running of [...this.#running, ...this.#ended.keys()]) {
      const verdict = running.take(link, message, again)
      if (verdict === "own") answer(CommandStatus.OK)
      if (verdict !== "other") return true
    }
    return false
  }
}

class Running {
  readonly #trial: Trial
  readonly #owner: Owner
  readonly #links: ReadonlyArray<Link>
  readonly #wallClock: () => number
  readonly #hear: (heard: Heard) => void
  /** The user_message_reference of the first text; the next ones have the next. */
  readonly #reference = Math.floor(Math.random() * 0xff00)
  readonly #taken: Array<Taken> = []
  /** How many submit_sm have no answer yet, and the receipts that wait for one. */
  #unanswered = 0
  readonly #sought: Sought
  #isOver = false
  #held: Array<() => void> = []
  #lastAt = 0
  /** When submit_sm were written within the last second. */
  #written: ReadonlyArray<number> = []

  constructor(trial: Trial, owner: Owner, wallClock: () => number, hear: (heard: Heard) => void) {
    this.#trial = trial
    this.#owner = owner
    this.#links = owner.links.filter((link) => link.options.bind !== "receiver" && nameOf(link) === trial.carrier)
    this.#wallClock = wallClock
    this.#hear = hear
    this.#sought = { to: trial.to, referenceOf: (number) => this.#referenceOf(number), taken: this.#taken }
  }

  /** Sends the texts one after the other, and waits for their receipts. */
  get all(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      for (const sample of samples) yield* this.#send(sample)
      yield* this.#receipts
    })
  }

  /** Releases requests that wait for an answer. */
  close(): void {
    this.#isOver = true
    for (const again of this.#held.splice(0)) again()
  }

  take(link: Link, message: DeliverSm, again: () => void): "own" | "held" | "other" {
    if (nameOf(link) !== this.#trial.carrier) return "other"
    const isToPhone = numberIn(message, this.#trial.to) !== undefined
    const receipt = Receipt.read(message, link.options.states)
    if (receipt === undefined) {
      if (isToPhone) this.#stray(message, "a text, and not a readable receipt")
      return "other"
    }
    const found = find(link, message, receipt, this.#sought)
    if (found === null) {
      // An answer may come after the receipt.
      if (isToPhone && this.#unanswered > 0 && !this.#isOver) {
        this.#held.push(again)
        return "held"
      }
      if (isToPhone) this.#stray(message, "a receipt that names no message of this rehearsal")
      return "other"
    }
    this.#received(link, message, receipt, found)
    return "own"
  }

  #received(link: Link, message: DeliverSm, receipt: Receipt.Receipt, { by, sample, taken }: Found): void {
    const read = classify(link, message)
    const isMatched = taken !== null && MATCHING.has(by)
    const isFinal = receipt.status !== null && receipt.status !== "sent"
    if (taken !== null && isFinal) taken.hasEnded = true
    const of = `text ${sample.number}${taken === null || sample.encoded.parts.length === 1 ? "" : `, part ${taken.part + 1}`}`
    const word = receipt.carrierStatus ?? "no state"
    const how = isMatched
      ? by === "literal"
        ? "by its id"
        : `by its id, ${by.replace("-", " ")}`
      : `only by ${by === "in part" ? "a part of its id" : `its ${by}`}: its id is not the id of an answer`
    const doubt =
      read._tag === "Receipt" ? "" : "; it is not marked as a receipt, so that live messages do not learn of it"
    const meaning = receipt.status ?? "no state that is known, and counts as sent"
    this.#say("receipt", Raw.deliverSm(message), `${word} is ${meaning}, of ${of}, ${how}${doubt}`, {
      text: sample.number,
      part: taken === null ? null : taken.part + 1,
      id: receipt.id,
      answered: taken?.id ?? null,
      by,
      marked: receipt.marked,
      believed: read._tag === "Receipt",
      state: receipt.carrierStatus,
      known: receipt.status !== null,
      status: receipt.status,
      error: receipt.carrierError,
      reference: receipt.reference !== null,
      coding: message.dataCoding,
      number: Raw.formOf(numberIn(message, this.#trial.to) ?? message.source, this.#trial.to),
      swapped: numberIn(message, this.#trial.to) !== message.destination,
      ...Raw.datesOf(decoded(message.octets, message.dataCoding))
    })
  }

  #stray(message: DeliverSm, read: string): void {
    this.#say("stray", Raw.deliverSm(message), read, {
      coding: message.dataCoding,
      ...Raw.wordsOf(decoded(message.octets, message.dataCoding))
    })
  }

  #referenceOf(number: number): number {
    return this.#reference + number
  }

  #send(sample: Sample): Effect.Effect<void> {
    const { from, to } = this.#trial
    const content = { to, from, text: sample.encoded, reference: this.#referenceOf(sample.number), tlvs: [] }
    const wrong = problem(content)
    if (wrong !== undefined) return Effect.sync(() => this.#say("note", "", sentenceOf(wrong), { text: sample.number }))
    const parts = sample.encoded.parts.map((_, part) => this.#submit(sample, content, part))
    return Effect.asVoid(Effect.all(parts, { concurrency: "unbounded" }))
  }

  /** Writes one part until the carrier takes it, refuses it or has not answered. */
  #submit(sample: Sample, content: Content, part: number): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const { now } = this.#owner
      const queuedAt = now()
      let withReference = true
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const link = yield* this.#ready
        if (link === null) {
          return this.#say("note", "", "no connection to the carrier could take it in time: it was not sent", {
            text: sample.number,
            part: part + 1
          })
        }
        withReference = withReference && link.takesReference
        const { tag, verdict } = yield* this.#write(link, sample, content, {
          part,
          withReference,
          waited: now() - queuedAt
        })
        if (tag !== "again") return
        if (verdict === "QueueFull") yield* Effect.sleep(QUEUE_FULL_REST)
        if (verdict === "ParameterRefused") withReference = false
      }
      this.#say("note", "", `the carrier did not take it in ${ATTEMPTS} attempts`, {
        text: sample.number,
        part: part + 1
      })
    })
  }

  /** A link that can write now; null if none can in time. */
  get #ready(): Effect.Effect<Link | null> {
    return Effect.gen({ self: this }, function* () {
      const { now } = this.#owner
      const until = now() + PATIENCE
      for (;;) {
        const link = this.#links.find((each) => each.isReady(now()))
        if (link !== undefined) return link
        if (now() >= until) return null
        yield* Effect.sleep(LOOK)
      }
    })
  }

  #write(link: Link, sample: Sample, content: Content, sending: Sending): Effect.Effect<Written> {
    const { now, wake } = this.#owner
    const { part, waited, withReference } = sending
    return Effect.callback<Written>((resume) => {
      const at = now()
      const validity = validityPeriod({ ttl: TTL, hasCode: false }, link.options, waited)
      const pdu = submitSm(content, part, link.options, { withReference, validityPeriod: validity })
      const frame = (sequence: number): Buffer => {
        const written = pdu(sequence)
        this.#say("sent", Raw.submitSm(written), `text ${sample.number}, ${sample.encoded.encoding}`, {
          text: sample.number,
          part: part + 1,
          encoding: sample.encoded.encoding
        })
        return written
      }
      this.#written = [...this.#written.filter((each) => at - each < 1000), at]
      this.#unanswered++
      let isOpen = true
      link.submit(frame, at, (result) => {
        if (isOpen) this.#unanswered--
        isOpen = false
        resume(Effect.succeed(this.#answered(link, sample, sending, result, now() - at)))
        for (const again of this.#held.splice(0)) again()
      })
      wake(at + link.timeout)
    })
  }

  #answered(link: Link, sample: Sample, { part, withReference }: Sending, result: SubmitResult, took: number): Written {
    const facts = { text: sample.number, part: part + 1, took: Math.round(took) }
    if (result._tag !== "Answered") {
      const why = result._tag === "Lost" ? "the connection was lost" : "no answer came in time"
      this.#say("note", "", `${why}: whether it was sent is not known, and it is not sent again`, facts)
      return { tag: "ended", verdict: null }
    }
    const { messageId, status } = result
    const verdict = CommandStatus.verdict(status, link.options.errors)
    const raw = `submit_sm_resp ${statusName(status)}${status === 0 ? ` message_id=${JSON.stringify(messageId)}` : ""}`
    const isAgain =
      verdict._tag === "Throttled" ||
      verdict._tag === "QueueFull" ||
      verdict._tag === "Unbound" ||
      (verdict._tag === "ParameterRefused" && withReference)
    if (verdict._tag === "Throttled") link.throttled(this.#owner.now())
    if (verdict._tag === "Unbound") link.forgotten(status)
    if (verdict._tag === "Accepted") {
      if (messageId !== "") link.ids.register(messageId, this.#trial.to)
      this.#taken.push({ sample, part, id: messageId, link, hasEnded: false })
    }
    const read = readAs(verdict, messageId, withReference)
    this.#say("answer", raw, read, {
      ...facts,
      id: messageId,
      status: statusName(status),
      verdict: verdict._tag,
      rate: this.#written.length
    })
    return { tag: isAgain ? "again" : "ended", verdict: verdict._tag }
  }

  /** Waits until each text has a final receipt and nothing more comes, or for as long as the trial says. */
  get #receipts(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const { now } = this.#owner
      const { wait } = this.#trial
      const since = now()
      this.#lastAt = since
      const quiet = Math.min(QUIET, wait / 4)
      const ofTexts = new Set(this.#taken.map(({ sample }) => sample))
      const isWhole = () => this.#taken.every(({ hasEnded }) => hasEnded)
      const isEnough = () =>
        [...ofTexts].every((sample) => this.#taken.some((taken) => taken.sample === sample && taken.hasEnded))
      while (now() - since < wait && ofTexts.size > 0) {
        // A receipt too many is part of the dialect as well.
        const rest = isWhole() ? quiet / 4 : quiet
        if (isEnough() && now() - this.#lastAt >= rest) return
        yield* Effect.sleep(LOOK)
      }
    })
  }

  #say(kind: Heard["kind"], raw: string, read: string, facts: Heard["facts"]): void {
    if (this.#isOver) return
    this.#lastAt = this.#owner.now()
    this.#hear({ at: this.#wallClock(), kind, raw, read, facts })
  }
}

type Content = Parameters<typeof submitSm>[0]

interface Sending {
  readonly part: number
  readonly withReference: boolean
  /** Milliseconds. */
  readonly waited: number
}

interface Written {
  readonly tag: "ended" | "again"
  readonly verdict: CommandStatus.Verdict["_tag"] | null
}
