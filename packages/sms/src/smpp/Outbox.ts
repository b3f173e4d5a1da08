/**
 * Messages on their way out: which link each part leaves by, what is tried again and until when.
 *
 * A part that was not written may leave by any link until its deadline. A part that was written is never
 * written again unless the carrier said that it did not take it.
 */
import { type DeliveryFailure, ServiceUnavailable, TemporaryUnavailable } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { type Outcome, rejected } from "@watchword/send/Outcome"
import * as MutableList from "effect/MutableList"
import type { Message } from "../SmsGateway.ts"
import * as CommandStatus from "./CommandStatus.ts"
import type { Submission } from "./Connection.ts"
import type { Link } from "./Link.ts"
import { type Final, Sending } from "./Sending.ts"
import { problem, submitSm } from "./SubmitSm.ts"

/** Times in milliseconds, from a clock that never goes back. */
export interface Timer {
  readonly now: () => number
  /** Has `sweep` called at that time or soon after; an earlier call may be asked for already. */
  readonly wake: (at: number) => void
}

export interface Events {
  /** The outcome of a message whose `send` answered `Unknown`. */
  readonly late: (delivery: DeliveryId, outcome: Final) => void
  /** A link slows down because its carrier asked for it. */
  readonly throttled: (link: Link) => void
}

/** How long a message rests whose carrier had no room in its queue. */
const QUEUE_FULL_REST = 500

export class Outbox {
  private readonly links: ReadonlyArray<Link>
  private readonly timer: Timer
  private readonly patience: number
  private readonly events: Events
  /** Parts whose fate is open, queued, resting or written; what else is in the queue counts no more. */
  private readonly unsettled = new Set<Part>()
  private readonly queue = MutableList.make<Part>()
  private readonly resting = new Set<Part>()
  /** Taken from the queue, and no link could take it. */
  private first: Part | undefined
  private isClosed = false

  /**
   * @param links in order of preference
   * @param patience how long a message may wait to be written
   */
  constructor(links: ReadonlyArray<Link>, timer: Timer, patience: number, events: Events) {
    this.links = links.filter(({ options }) => options.bind !== "receiver")
    this.timer = timer
    this.patience = patience
    this.events = events
  }

  /** Sends a message; `answer` is called once, now or later. */
  send(message: Message, answer: (outcome: Outcome) => void): void {
    const fault = this.isClosed ? disconnected() : problem(message)
    if (fault !== undefined) return answer(rejected(fault))
    const sending = new Sending(message, answer, this.events.late)
    const now = this.timer.now()
    const parts = message.text.parts.map((_, index) => new Part(this, sending, index, now + this.patience))
    for (const part of parts) {
      part.siblings = parts
      this.unsettled.add(part)
      MutableList.append(this.queue, part)
    }
    this.pump(now)
  }

  /** Writes as much as the links take. To be called whenever a link may take more than before. */
  pump(now: number = this.timer.now()): void {
    for (let part = this.peek(); part !== undefined; part = this.peek()) {
      const isOverdue = part.deadline <= now
      const link = isOverdue ? undefined : this.readyLink(now)
      const isHopeless = link === undefined && this.links.every((link) => link.isHopeless(now, this.patience))
      if (link === undefined && !isOverdue && !isHopeless) return this.wait(part, now)
      // Taken away before anything else, because whoever hears of a refusal may send again at once.
      this.first = undefined
      if (link !== undefined) this.write(part, link, now)
      else this.refuse(part, isOverdue ? this.overdue(part) : disconnected(), null)
    }
  }

  /** Looks after everything that has a time limit. */
  sweep(): void {
    const now = this.timer.now()
    for (const link of this.links) link.connection?.expire(now)
    for (const part of this.resting) {
      if (part.restsUntil > now) break
      this.resting.delete(part)
      this.putFirst(part)
    }
    this.pump(now)
    for (const link of this.links) this.timer.wake(link.connection?.nextTimeout ?? Number.POSITIVE_INFINITY)
    for (const part of this.resting) {
      this.timer.wake(part.restsUntil)
      break
    }
  }

  /** How many parts have a fate that is open. */
  get size(): number {
    return this.unsettled.size
  }

  /** Takes no more messages. */
  close(): void {
    this.isClosed = true
  }

  /** Ends what is still under way: what was not written is refused, what was written is unknown. */
  abandon(): void {
    for (const part of [...this.unsettled]) {
      if (part.link === undefined) this.refuse(part, disconnected(), null)
      else this.doubt(part, connectionLost())
    }
  }

  private readyLink(now: number): Link | undefined {
    for (const link of this.links) if (link.isReady(now)) return link
    return undefined
  }

  private write(part: Part, link: Link, now: number): void {
    const { takesReference } = link
    part.link = link
    part.withReference = takesReference
    link.submit(submitSm(part.sending.message, part.index, link.options, takesReference), part, now)
    this.timer.wake(now + link.timeout)
  }

  private wait(part: Part, now: number): void {
    this.timer.wake(part.deadline)
    for (const link of this.links) this.timer.wake(link.readyAt(now))
  }

  // It has waited longer than all the others.
  private putFirst(part: Part): void {
    if (this.first !== undefined) MutableList.prepend(this.queue, this.first)
    this.first = part
  }

  private peek(): Part | undefined {
    while (this.first === undefined || !this.unsettled.has(this.first)) {
      const next = MutableList.take(this.queue)
      this.first = next === MutableList.Empty ? undefined : next
      if (this.first === undefined) return undefined
    }
    return this.first
  }

  /** The carrier's answer to a part, in time or late. */
  answered(part: Part, link: Link, status: number, messageId: string): void {
    const verdict = CommandStatus.verdict(status)
    switch (verdict._tag) {
      case "Accepted":
        this.unsettled.delete(part)
        return part.sending.settle(part.index, {
          _tag: "Accepted",
          ref: messageId === "" ? "" : link.ids.register(messageId, part.sending.message.to)
        })
      case "Throttled":
        if (link.throttled(this.timer.now())) this.events.throttled(link)
        return this.again(part, 0, CommandStatus.tooBusy(), status)
      case "QueueFull":
        return this.again(part, QUEUE_FULL_REST, CommandStatus.tooBusy(), status)
      case "ParameterRefused":
        if (!part.withReference) return this.refuse(part, verdict.failure, status)
        link.takesReference = false
        return this.again(part, 0, verdict.failure, status)
      case "Refused":
        return this.refuse(part, verdict.failure, status)
    }
  }

  /** The carrier did not take a part and may take it later. */
  private again(part: Part, rest: number, failure: DeliveryFailure, status: number): void {
    const restsUntil = this.timer.now() + rest
    if (part.isDoubtful || restsUntil >= part.deadline) return this.refuse(part, failure, status)
    part.link = undefined
    part.failure = failure
    if (rest === 0) return this.putFirst(part)
    part.restsUntil = restsUntil
    this.resting.add(part)
    this.timer.wake(restsUntil)
  }

  /** A part that will not be sent; its siblings need not be sent either. */
  private refuse(part: Part, failure: DeliveryFailure, status: number | null): void {
    const commandStatus = status === null ? null : CommandStatus.name(status)
    for (const each of part.siblings) {
      if (each !== part && (each.link !== undefined || !this.unsettled.has(each))) continue
      this.unsettled.delete(each)
      this.resting.delete(each)
      part.sending.settle(each.index, { _tag: "Refused", failure, commandStatus })
    }
  }

  /** A part that was written and of which nothing more may ever be heard. */
  doubt(part: Part, failure: DeliveryFailure): void {
    part.isDoubtful = true
    this.unsettled.delete(part)
    part.sending.settle(part.index, { _tag: "Unknown", failure })
  }

  private overdue(part: Part): DeliveryFailure {
    if (part.failure !== undefined) return part.failure
    return this.links.some(({ isUp }) => isUp) ? CommandStatus.tooBusy() : disconnected()
  }
}

/** One part of a message. */
export class Part implements Submission {
  readonly sending: Sending
  readonly index: number
  readonly deadline: number
  private readonly outbox: Outbox
  /** All parts of the message. */
  siblings: ReadonlyArray<Part> = alone
  /** Where it was written; none while it was not, or was and is known not to have been taken. */
  link: Link | undefined
  withReference = false
  /** Why it was not taken before. */
  failure: DeliveryFailure | undefined
  restsUntil = 0
  /** It was given up; an answer now is a late one. */
  isDoubtful = false

  constructor(outbox: Outbox, sending: Sending, index: number, deadline: number) {
    this.outbox = outbox
    this.sending = sending
    this.index = index
    this.deadline = deadline
  }

  answered(status: number, messageId: string): void {
    if (this.link !== undefined) this.outbox.answered(this, this.link, status, messageId)
  }

  silent(): void {
    this.outbox.doubt(this, noAnswer())
  }

  lost(): void {
    this.outbox.doubt(this, connectionLost())
  }
}

const alone: ReadonlyArray<Part> = []

const disconnected = () => new ServiceUnavailable({ message: "No carrier is connected. The message was not sent." })

const connectionLost = () =>
  new ServiceUnavailable({ message: "The carrier's connection was lost; whether the message was sent is not known." })

const noAnswer = () =>
  new TemporaryUnavailable({ message: "The carrier did not answer; whether the message was sent is not known." })
