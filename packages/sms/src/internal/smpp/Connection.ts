/**
 * An SMPP session over one TCP connection, from OPEN to CLOSED.
 *
 * It numbers requests, keeps the window of submit_sm that wait for their responses, matches responses to requests
 * and answers the carrier's own requests. Binding is up to `Bind`, which makes a new connection for the next session.
 *
 * Everything runs in the socket's callbacks: a message costs no fiber here.
 *
 * Source: SMPP 3.4 §2.2 (sessions), §2.7 (time-outs), §4.
 */
import type { Socket } from "node:net"
import * as CommandStatus from "./CommandStatus.ts"
import * as DeliverSm from "./DeliverSm.ts"
import { Frames } from "./Frames.ts"
import * as Pdu from "./Pdu.ts"

/** What became of a submit_sm. `Answered` may follow `TimedOut`: a late response. */
export type SubmitResult =
  | { readonly _tag: "Answered"; readonly status: number; readonly messageId: string }
  /** No response came in time. */
  | { readonly _tag: "TimedOut" }
  /** The connection closed before a response came. */
  | { readonly _tag: "Lost" }

const timedOut: SubmitResult = { _tag: "TimedOut" }
const lost: SubmitResult = { _tag: "Lost" }

type OnResult = (result: SubmitResult) => void

/** Receives the events of a connection. */
export interface Listener {
  /** A deliver_sm or data_sm came. It is acknowledged when `answer` is called with a command status. */
  readonly delivered: (message: DeliverSm.DeliverSm, answer: (status: number) => void) => void
  /** Responses have made room in the window. */
  readonly ready: () => void
  /** The carrier has left several submit_sm in a row unanswered. */
  readonly doubtful: () => void
  /** The carrier has sent unbind, and closes the connection next. */
  readonly unbound: () => void
  /**
   * The carrier does not know the bind any more. No message is written from now on; the answers to others may still
   * come.
   */
  readonly forgotten: (reason: string) => void
  /** A negative acknowledgement came that is about no request. */
  readonly nacked: (status: number) => void
  /** An unusual event to be logged. */
  readonly noticed: (notice: string) => void
  /** The connection is closed. Called once, last of all. */
  readonly closed: (reason: string) => void
}

/** A submit_sm without a response. */
interface Submitted {
  /** Replaced once it was called with an answer: maps keep their deleted entries until a full collection. */
  onResult: OnResult
  readonly until: number
}

const LAST_SEQUENCE = 0x7fff_ffff
/** How many unanswered submit_sm in a row make a connection doubtful. */
const DOUBTFUL = 3
/** How long after its time limit a response is still matched to its request, in milliseconds. */
const LATE = 10 * 60 * 1000
/** How many late responses are waited for at most. */
const MOST_LATE = 10_000

export class Connection {
  private readonly socket: Socket
  private readonly listener: Listener
  private readonly frames = new Frames()
  private readonly requests = new Map<number, (status: number | null) => void>()
  private readonly window = new Map<number, Submitted>()
  private readonly late = new Map<number, Submitted>()
  private sequence = 0
  private unanswered = 0
  private isProven = false
  private reason = ""
  private isClosed = false
  private isLeaving = false
  private isCorked = false

  /** Takes over a connected socket. */
  constructor(socket: Socket, listener: Listener) {
    this.socket = socket
    this.listener = listener
    socket.setNoDelay(true)
    socket.on("error", (error) => this.destroy(error.message))
    socket.on("data", (chunk: Buffer) => this.read(chunk))
    socket.on("end", () => {
      this.reason ||= this.frames.partial ? "the carrier hung up in the middle of a PDU" : "the carrier hung up"
    })
    socket.on("drain", () => listener.ready())
    socket.once("close", () => this.close())
  }

  /** How many submit_sm of the window have no response yet. */
  get outstanding(): number {
    return this.window.size
  }

  /** Whether messages may still be sent. */
  get isOpen(): boolean {
    return !this.isClosed && !this.isLeaving && this.socket.writable
  }

  /** Whether the carrier has taken a message. */
  get hasTaken(): boolean {
    return this.isProven
  }

  /** Whether messages can be written now: the socket's buffer has room. */
  get isWritable(): boolean {
    return this.isOpen && !this.socket.writableNeedDrain
  }

  /** When the oldest submit_sm of the window times out. */
  get nextTimeout(): number {
    for (const { until } of this.window.values()) return until
    return Number.POSITIVE_INFINITY
  }

  /** Writes a submit_sm that times out at a given time. */
  submit(frame: (sequence: number) => Buffer, until: number, onResult: OnResult): void {
    const sequence = this.nextSequence()
    this.write(frame(sequence))
    this.window.set(sequence, { onResult, until })
  }

  /**
   * Writes any other request.
   *
   * @param answered is called once, with the response's command status or with null when the connection closed
   */
  request(frame: (sequence: number) => Buffer, answered: (status: number | null) => void): void {
    if (this.isClosed) return answered(null)
    const sequence = this.nextSequence()
    this.requests.set(sequence, answered)
    this.write(frame(sequence))
  }

  /** Times out submit_sm. Each leaves the window; a late response is still matched to it. */
  expire(now: number): void {
    for (const [sequence, { onResult, until }] of this.window) {
      if (until > now) break
      this.window.delete(sequence)
      this.late.set(sequence, { onResult, until: now + LATE })
      this.unanswered++
      if (this.unanswered % DOUBTFUL === 0) this.listener.doubtful()
      this.safely(() => onResult(timedOut))
    }
    for (const [sequence, { until }] of this.late) {
      if (until > now && this.late.size <= MOST_LATE) break
      this.late.delete(sequence)
    }
  }

  /** Stops sending messages. Responses still come in. */
  leave(): void {
    this.isLeaving = true
  }

  /** Ends the session, which the carrier does not know any more. */
  forgotten(how: string): void {
    if (this.isLeaving) return
    this.leave()
    this.listener.forgotten(`the carrier has lost the bind: ${how}`)
  }

  /** Closes at once. Unanswered submit_sm are lost. */
  destroy(reason: string): void {
    this.reason ||= reason
    this.socket.destroy()
  }

  private nextSequence(): number {
    this.sequence = this.sequence === LAST_SEQUENCE ? 1 : this.sequence + 1
    return this.sequence
  }

  // All PDUs of one turn of the event loop leave in one write: twice the submit_sm a second at a window of 100.
  private write(frame: Buffer): void {
    if (!this.isCorked) {
      this.isCorked = true
      this.socket.cork()
      setImmediate(() => {
        this.isCorked = false
        this.socket.uncork()
      })
    }
    this.socket.write(frame)
  }

  private read(chunk: Buffer): void {
    let problem: string | undefined
    try {
      problem = this.frames.push(chunk, (frame) => this.dispatch(frame))
      this.listener.ready()
    } catch (error) {
      // A fault of ours in the middle of the stream: the rest of it cannot be trusted.
      problem = fault(error)
    }
    if (problem !== undefined) this.destroy(problem)
  }

  private dispatch(frame: Buffer): void {
    const sequence = Pdu.sequenceOf(frame)
    if (Pdu.isResponse(frame)) return this.answered(sequence, frame)
    switch (Pdu.commandOf(frame)) {
      case "deliver_sm":
        return this.delivered(frame, "deliver_sm_resp", sequence)
      case "data_sm":
        return this.delivered(frame, "data_sm_resp", sequence)
      case "enquire_link":
        return this.respond("enquire_link_resp", sequence, CommandStatus.OK)
      case "unbind":
        return this.unbound(sequence)
      case "alert_notification":
      case "outbind":
        return // These have no answer.
      default:
        return this.respond("generic_nack", sequence, CommandStatus.INVALID_COMMAND)
    }
  }

  private answered(sequence: number, frame: Buffer): void {
    const command = Pdu.commandOf(frame)
    const isNack = command === "generic_nack"
    // A negative acknowledgement is never a success, not even with a status of zero.
    const status = isNack ? Pdu.statusOf(frame) || CommandStatus.INVALID_COMMAND : Pdu.statusOf(frame)
    const request = this.requests.get(sequence)
    if (request !== undefined) {
      this.requests.delete(sequence)
      return request(status)
    }
    const submitted = this.window.get(sequence) ?? this.late.get(sequence)
    if (submitted === undefined) return isNack ? this.nacked(status) : undefined
    if (command !== "submit_sm_resp" && !isNack) return
    this.window.delete(sequence)
    this.late.delete(sequence)
    this.unanswered = 0
    const { onResult } = submitted
    submitted.onResult = ignore
    try {
      const isTaken = status === CommandStatus.OK
      if (isTaken) this.isProven = true
      onResult({ _tag: "Answered", status, messageId: isTaken ? messageIdOf(frame) : "" })
    } catch (error) {
      this.safely(() => onResult(lost))
      throw error
    }
  }

  /**
   * A negative acknowledgement that names no request of ours, as one of a header that the carrier could not read (SMPP
   * 3.4 §4.3.1). It answers the only request that there is, and otherwise none.
   */
  private nacked(status: number): void {
    const [only] = this.requests
    if (only !== undefined && this.requests.size === 1 && this.window.size === 0) {
      const [sequence, answered] = only
      this.requests.delete(sequence)
      return answered(status)
    }
    if (CommandStatus.isUnbound(status)) return this.forgotten(`it sent a generic_nack with ${Pdu.statusName(status)}`)
    this.listener.nacked(status)
  }

  private delivered(frame: Buffer, response: "deliver_sm_resp" | "data_sm_resp", sequence: number): void {
    const message = DeliverSm.read(frame)
    if (message === undefined) {
      // An error status would make the carrier send it again and again.
      this.listener.noticed("a delivery that cannot be read was acknowledged and dropped")
      return this.respond(response, sequence, CommandStatus.OK)
    }
    this.listener.delivered(message, (status) => this.respond(response, sequence, status))
  }

  private unbound(sequence: number): void {
    this.reason ||= "the carrier unbound"
    this.leave()
    this.respond("unbind_resp", sequence, CommandStatus.OK)
    this.listener.unbound()
  }

  private respond(response: Pdu.Command, sequence: number, status: number): void {
    if (!this.isClosed && this.socket.writable) this.write(Pdu.respond(response, sequence, status))
  }

  private close(): void {
    this.isClosed = true
    const answers = [...this.requests.values()]
    const outstanding = [...this.window.values()]
    this.requests.clear()
    this.window.clear()
    this.late.clear()
    for (const answered of answers) this.safely(() => answered(null))
    for (const { onResult } of outstanding) this.safely(() => onResult(lost))
    this.listener.closed(this.reason || "the connection was lost")
  }

  // A fault in the callback of one message must not keep the others from their results.
  private safely(action: () => void): void {
    try {
      action()
    } catch (error) {
      this.listener.noticed(fault(error))
    }
  }
}

/** The message id in a submit_sm_resp; empty if the carrier gave no id. */
const messageIdOf = (frame: Buffer): string => String(Pdu.decode(frame).fields["message_id"] ?? "")

const ignore: OnResult = () => {}

const fault = (error: unknown): string =>
  `a fault in this service: ${error instanceof Error ? error.message : "unknown"}`
