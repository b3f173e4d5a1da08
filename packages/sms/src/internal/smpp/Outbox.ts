/**
 * Sends messages over the links of a gateway: chooses a link for each part, retries, and enforces deadlines.
 *
 * Accounts are served in turn, a part of each, so that the long texts of one do not make the others' overdue.
 *
 * A part that was not written may leave over any link until its deadline. A part that was written is never written
 * again unless the carrier answered that it did not take it.
 */
import type { DeliveryFailure } from "@watchword/schemas/Errors"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import { type Outcome, rejected } from "@watchword/send/Outcome"
import type { Message } from "../../SmsGateway.ts"
import * as CommandStatus from "./CommandStatus.ts"
import type { SubmitResult } from "./Connection.ts"
import { connectionLost, disconnected, expired, noAnswer, tooManyParts, unwritable } from "./Failures.ts"
import { FairQueue } from "./FairQueue.ts"
import type { Link } from "./Link.ts"
import { type FinalOutcome, MessageState } from "./MessageState.ts"
import { statusName } from "./Pdu.ts"
import { problem, submitSm } from "./SubmitSm.ts"
import { lifetime } from "../Lifetime.ts"
import { validityPeriod } from "./Validity.ts"

/** Times are milliseconds of a clock that never goes back. */
export interface Timer {
  readonly now: () => number
  /** Has `sweep` called at a time, or earlier. */
  readonly wake: (at: number) => void
}

export interface Events {
  /** The outcome of a message that was answered `Unknown`. */
  readonly late: (delivery: DeliveryId, outcome: FinalOutcome) => void
  /** A link slows down because its carrier is throttling. */
  readonly throttled: (link: Link) => void
  /** A carrier answered with a status that is neither of the standard nor of the option `errors`. */
  readonly unknown: (link: Link, status: number) => void
  /** A carrier refused a message for a reason that is about the link, with what its operator looks at. */
  readonly refused: (link: Link, status: number, advice: string) => void
}

/** How many parts may wait to be written. An account may fill half of the room that the others leave. */
const CAPACITY = 100_000
/** How long a part rests after ESME_RMSGQFUL. */
const QUEUE_FULL_REST = 500
/** How long a part rests for which no link that is ready has the characters. */
const UNFIT_REST = 500

/** One part of a message. */
interface Part {
  readonly state: MessageState
  readonly index: number
  /** All parts of the message. */
  readonly siblings: ReadonlyArray<Part>
  readonly queuedAt: number
  /** Until when it may be written. */
  deadline: number
  /** Where it was written; null before, and after an answer that it was not taken. */
  link: Link | null
  /** The link whose carrier refused a parameter of it, perhaps user_message_reference. */
  parameterRefusedBy: Link | null
  /** The link whose carrier did not know its bind any more when it came. */
  unboundBy: Link | null
  /** Why the carrier did not take it the last time. */
  failure: DeliveryFailure | null
  /** Until when it is not to be written again. */
  restsUntil: number
  /** Whether it was given up as unknown: an answer now is a late one. */
  isUnknown: boolean
}

export class Outbox {
  readonly #links: ReadonlyArray<Link>
  readonly #timer: Timer
  readonly #patience: number
  readonly #events: Events
  readonly #capacity: number
  /** Parts that are queued, resting, or written and unanswered. */
  readonly #pending = new Set<Part>()
  /** Parts to be written, and withdrawn ones, which are not pending any more. */
  readonly #queue = new FairQueue<AccountId, Part>((part) => this.#pending.has(part))
  readonly #resting = new Set<Part>()
  #isClosed = false

  /**
   * @param links in order of preference
   * @param patience how long a message may wait to be written
   * @param capacity how many parts may wait to be written
   */
  constructor(links: ReadonlyArray<Link>, timer: Timer, patience: number, events: Events, capacity: number = CAPACITY) {
    this.#links = links.filter(({ options }) => options.bind !== "receiver")
    this.#timer = timer
    this.#patience = patience
    this.#events = events
    this.#capacity = capacity
  }

  /** Sends a message; `answer` is called once, now or later. */
  send(message: Message, answer: (outcome: Outcome) => void): void {
    const failure = this.#isClosed
      ? disconnected()
      : (problem(message) ?? this.#tooLong(message) ?? this.#unwritable(message))
    if (failure !== undefined) return answer(rejected(failure))
    const { account } = message
    if (this.#queue.sizeOf(account) >= this.#capacity - this.#queue.size) {
      return answer(rejected(CommandStatus.tooBusy()))
    }
    const state = new MessageState(message, answer, this.#events.late)
    const now = this.#timer.now()
    const deadline = now + Math.min(this.#patienceFor(message), 1000 * lifetime(message))
    const siblings: Array<Part> = []
    for (const index of message.text.parts.keys()) {
      siblings.push({
        state,
        index,
        siblings,
        queuedAt: now,
        deadline,
        link: null,
        parameterRefusedBy: null,
        unboundBy: null,
        failure: null,
        restsUntil: 0,
        isUnknown: false
      })
    }
    for (const part of siblings) {
      this.#pending.add(part)
      this.#queue.append(account, part)
    }
    this.#timer.wake(deadline)
    this.pump(now)
    const [first] = siblings
    if (message.patience === 0 && first !== undefined && siblings.every((part) => this.#isUnwritten(part))) {
      this.#reject(first, this.#noLink(), null)
    }
  }

  /** Writes as much as the links take. To be called whenever a link may take more than before. */
  pump(now: number = this.#timer.now()): void {
    for (let part = this.#queue.peek(); part !== undefined; part = this.#queue.peek()) {
      const isOverdue = part.deadline <= now
      const { text } = part.state.message
      const ready = isOverdue ? undefined : this.#links.find((link) => link.isReady(now))
      const link =
        ready === undefined || ready.carries(text)
          ? ready
          : this.#links.find((link) => link.isReady(now) && link.carries(text))
      if (ready !== undefined && link === undefined) {
        // It waits for a link of another alphabet, and others need not wait with it.
        this.#queue.take()
        this.#rest(part, Math.min(now + UNFIT_REST, part.deadline))
        continue
      }
      const isHopeless = link === undefined && this.#links.every((link) => link.isHopeless(now, this.#patience))
      if (link === undefined && !isOverdue && !isHopeless) return this.#wait(now)
      // Removed first, because the answer to a rejection may send again at once.
      this.#queue.take()
      if (link !== undefined) this.#write(part, link, now)
      else this.#reject(part, isOverdue ? this.#overdue(part) : disconnected(), null)
    }
  }

  /** Enforces all time limits: unanswered parts, parts that have rested, parts that wait for a link. */
  sweep(): void {
    const now = this.#timer.now()
    for (const link of this.#links) link.connection?.expire(now)
    for (const part of this.#resting) {
      if (part.restsUntil > now) break
      this.#resting.delete(part)
      this.#putFirst(part)
    }
    this.#rejectOverdue(now)
    this.pump(now)
    for (const { deadline } of this.#queue.heads()) this.#timer.wake(deadline)
    for (const link of this.#links) this.#timer.wake(link.connection?.nextTimeout ?? Number.POSITIVE_INFINITY)
    for (const part of this.#resting) {
      this.#timer.wake(part.restsUntil)
      break
    }
  }

  /** How many parts are pending. */
  get size(): number {
    return this.#pending.size
  }

  /** Rejects messages from now on. */
  close(): void {
    this.#isClosed = true
  }

  /** Settles everything that is pending: unwritten parts are rejected, written ones are unknown. */
  abandon(): void {
    for (const part of this.#pending) {
      if (part.link === null) this.#reject(part, disconnected(), null)
      else this.#giveUp(part, connectionLost())
    }
  }

  /** A text is refused before its first part if no link could write all of its parts in time. */
  #tooLong({ text: { parts } }: Message): DeliveryFailure | undefined {
    const most = Math.max(1, ...this.#links.map(({ options: { rate } }) => this.#mostParts(rate)))
    return parts.length <= most ? undefined : tooManyParts(parts.length, most)
  }

  #unwritable({ text }: Message): DeliveryFailure | undefined {
    return this.#links.length === 0 || this.#links.some((link) => link.carries(text)) ? undefined : unwritable()
  }

  #mostParts(rate: number | null): number {
    return rate === null ? Number.POSITIVE_INFINITY : Math.floor((rate * this.#patience) / 1000)
  }

  #write(part: Part, link: Link, now: number): void {
    const withReference = link.takesReference && part.parameterRefusedBy !== link
    part.link = link
    const { message } = part.state
    if (part.siblings.length > 1) this.#begin(part, now)
    const pdu = submitSm(message, part.index, link.options, {
      withReference,
      validityPeriod: validityPeriod(message, link.options, now - part.queuedAt)
    })
    link.submit(pdu, now, (result) => this.#submitted(part, link, withReference, result))
    this.#timer.wake(now + link.timeout)
  }

  /** Once a part of a text was written, the rest gets the whole time again: an incomplete text is worth nothing. */
  #begin({ queuedAt, siblings, state }: Part, now: number): void {
    if (state.isBegun) return
    state.isBegun = true
    const deadline = Math.min(now + this.#patience, queuedAt + 1000 * lifetime(state.message))
    for (const each of siblings) each.deadline = Math.max(each.deadline, deadline)
  }

  #submitted(part: Part, link: Link, withReference: boolean, result: SubmitResult): void {
    switch (result._tag) {
      case "Answered":
        return this.#answered(part, link, withReference, result)
      case "TimedOut":
        return this.#giveUp(part, noAnswer())
      case "Lost":
        return this.#giveUp(part, connectionLost())
    }
  }

  /** A message that is to leave at once has the gateway's own limit, in case that a part of it was written. */
  #patienceFor({ patience = 0 }: Message): number {
    return patience > 0 ? Math.min(patience, this.#patience) : this.#patience
  }

  #isUnwritten(part: Part): boolean {
    return part.link === null && this.#pending.has(part)
  }

  /** Applies the carrier's answer, in time or late. */
  #answered(
    part: Part,
    link: Link,
    withReference: boolean,
    { messageId, status }: Extract<SubmitResult, { readonly _tag: "Answered" }>
  ): void {
    const verdict = CommandStatus.verdict(status, link.options.errors)
    const now = this.#timer.now()
    if (verdict._tag !== "Throttled" && verdict._tag !== "QueueFull") link.answered(now)
    switch (verdict._tag) {
      case "Accepted": {
        this.#pending.delete(part)
        if (part.parameterRefusedBy === link) link.takesReference = false
        const ref = messageId === "" ? "" : link.ids.register(messageId, part.state.message.to)
        return part.state.settle(part.index, { _tag: "Accepted", ref })
      }
      case "Throttled":
        if (link.throttled(now)) this.#events.throttled(link)
        return this.#refusedFor(part, 0, status)
      case "QueueFull":
        if (link.queueFull(part.state.message.to, now)) this.#events.throttled(link)
        return this.#refusedFor(part, QUEUE_FULL_REST, status)
      case "Unbound":
        if (part.unboundBy === link) return this.#unboundAgain(part, link, status)
        part.unboundBy = link
        link.forgotten(status)
        return this.#refusedFor(part, 0, status, disconnected())
      case "ParameterRefused":
        if (withReference) {
          part.parameterRefusedBy = link
          return this.#again(part, 0, verdict.failure(), status)
        }
        if (part.state.message.tlvs.length > 0) return this.#reject(part, CommandStatus.wrongParameters(), status)
        return this.#refused(part, link, verdict, status)
      case "Refused":
        if (!CommandStatus.isKnown(status, link.options.errors)) this.#events.unknown(link, status)
        return this.#refused(part, link, verdict, status)
    }
  }

  /** A text that is answered so in a second session of a link is refused: the carrier may mean something else by it. */
  #unboundAgain(part: Part, link: Link, status: number): void {
    this.#events.refused(link, status, "if it says something else here, give it a meaning by errors= on the URL")
    if (!link.hasTaken) link.forgotten(status)
    this.#reject(part, CommandStatus.ourFault(), status)
  }

  #refused(part: Part, link: Link, { advice, failure }: CommandStatus.Refusal<string>, status: number): void {
    if (advice !== null) this.#events.refused(link, status, advice)
    this.#reject(part, failure(), status)
  }

  /** Has a part wait that the carrier has no room for, unless another carrier can take the message. */
  #refusedFor(part: Part, rest: number, status: number, failure = CommandStatus.tooBusy()): void {
    if (!part.isUnknown) part.link = null
    if (this.#isForAnother(part)) this.#reject(part, failure, status)
    else this.#again(part, rest, failure, status)
  }

  /** Queues a part that the carrier certainly did not take, after a rest. */
  #again(part: Part, rest: number, failure: DeliveryFailure, status: number): void {
    const restsUntil = this.#timer.now() + rest
    if (part.isUnknown || restsUntil >= part.deadline) return this.#reject(part, failure, status)
    part.link = null
    part.failure = failure
    if (rest === 0) return this.#putFirst(part)
    this.#rest(part, restsUntil)
  }

  #rest(part: Part, until: number): void {
    part.restsUntil = until
    this.#resting.add(part)
    this.#timer.wake(until)
  }

  /**
   * Whether a message that is to leave at once has no part left that the carrier may take: another carrier has its
   * turn.
   */
  #isForAnother({ siblings, state }: Part): boolean {
    return (
      state.message.patience === 0 &&
      !state.mayBeTaken &&
      siblings.every((each) => each.link === null || !this.#pending.has(each))
    )
  }

  /** Settles a part that will not be sent, together with its unwritten siblings. */
  #reject(part: Part, failure: DeliveryFailure, status: number | null): void {
    const commandStatus = status === null ? null : statusName(status)
    for (const each of part.siblings) {
      if (each !== part && (each.link !== null || !this.#pending.has(each))) continue
      this.#pending.delete(each)
      this.#resting.delete(each)
      part.state.settle(each.index, { _tag: "Rejected", failure, commandStatus })
    }
  }

  /** Settles a part that was written and may never be answered. */
  #giveUp(part: Part, failure: DeliveryFailure): void {
    part.isUnknown = true
    this.#pending.delete(part)
    part.state.settle(part.index, { _tag: "Unknown", failure })
  }

  /** The first part of each account is its oldest. One behind it, with less time, is rejected when it comes first. */
  #rejectOverdue(now: number): void {
    for (;;) {
      const overdue = [...this.#queue.heads()].filter(({ deadline }) => deadline <= now)
      if (overdue.length === 0) return
      for (const part of overdue) this.#reject(part, this.#overdue(part), null)
    }
  }

  #wait(now: number): void {
    for (const link of this.#links) this.#timer.wake(link.readyAt(now))
  }

  #putFirst(part: Part): void {
    this.#queue.prepend(part.state.message.account, part)
    this.#timer.wake(part.deadline)
  }

  #overdue(part: Part): DeliveryFailure {
    if (part.deadline < part.queuedAt + this.#patienceFor(part.state.message)) return expired()
    return part.failure ?? this.#noLink()
  }

  #noLink(): DeliveryFailure {
    return this.#links.some(({ isUp }) => isUp) ? CommandStatus.tooBusy() : disconnected()
  }
}
