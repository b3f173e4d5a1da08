/**
 * One TCP connection to a carrier, from its first byte to its last: PDUs in and out, the window of
 * messages that wait for an answer, and what has to be answered on the way. It is used once; after it
 * closed a Link makes another.
 *
 * Everything runs in the socket's own callbacks: a message costs no fiber here.
 *
 * Source: SMPP 3.4 §2.2 (sessions), §2.7 (time-outs), §4.
 */
import type { Socket } from "node:net"
import * as CommandStatus from "./CommandStatus.ts"
import * as DeliverSm from "./DeliverSm.ts"
import { Frames } from "./Frames.ts"
import * as Pdu from "./Pdu.ts"

/** One message part, from the moment it is written until its answer or the connection's end. */
export interface Submission {
  /** The carrier answered; also after `silent`. */
  readonly answered: (status: number, messageId: string) => void
  /** The carrier did not answer in time. */
  readonly silent: () => void
  /** The connection closed before an answer came. */
  readonly lost: () => void
}

/** Whom a connection tells what happens on it. */
export interface Listener {
  /** A message was delivered to us. It is acknowledged when `answer` is called with a command status. */
  readonly delivered: (message: DeliverSm.DeliverSm, answer: (status: number) => void) => void
  /** Answers have made room in the window. */
  readonly ready: () => void
  /** The carrier has left several messages in a row unanswered. */
  readonly doubtful: () => void
  /** The carrier unbound; it is for it to close the connection. */
  readonly dismissed: () => void
  /** Something that an operator should know. */
  readonly noticed: (notice: string) => void
  /** Nothing more will come. Said once. */
  readonly closed: (reason: string) => void
}

interface Waiting {
  readonly submission: Submission
  readonly until: number
}

const LAST_SEQUENCE = 0x7fff_ffff
/** How many unanswered messages in a row make a connection doubtful. */
const DOUBTFUL = 3
/** How long an answer may come late and still count. */
const LATE = 10 * 60 * 1000

export class Connection {
  private readonly socket: Socket
  private readonly listener: Listener
  private readonly frames = new Frames()
  private readonly requests = new Map<number, (status: number | null) => void>()
  private readonly window = new Map<number, Waiting>()
  private readonly late = new Map<number, Waiting>()
  private sequence = 0
  private silence = 0
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

  /** How many messages wait for an answer. */
  get outstanding(): number {
    return this.window.size
  }

  /** Whether the connection is for messages still. */
  get isOpen(): boolean {
    return !this.isClosed && !this.isLeaving && this.socket.writable
  }

  /** Whether messages can be written now: the carrier reads what it was sent. */
  get isWritable(): boolean {
    return this.isOpen && !this.socket.writableNeedDrain
  }

  /** When the first of the outstanding messages will have waited too long. */
  get nextTimeout(): number {
    for (const { until } of this.window.values()) return until
    return Number.POSITIVE_INFINITY
  }

  /** Writes a message; `submission` hears what becomes of it. */
  submit(frame: (sequence: number) => Buffer, submission: Submission, until: number): void {
    const sequence = this.nextSequence()
    this.write(frame(sequence))
    this.window.set(sequence, { submission, until })
  }

  /**
   * Writes any other request.
   *
   * @param answered is called once, with the answer's command status or with null when the connection closed
   */
  request(frame: (sequence: number) => Buffer, answered: (status: number | null) => void): void {
    if (this.isClosed) return answered(null)
    const sequence = this.nextSequence()
    this.requests.set(sequence, answered)
    this.write(frame(sequence))
  }

  /** Gives up what has waited too long. Its place in the window is free; a late answer still reaches it. */
  expire(now: number): void {
    for (const [sequence, { submission, until }] of this.window) {
      if (until > now) break
      this.window.delete(sequence)
      this.late.set(sequence, { submission, until: now + LATE })
      this.silence++
      if (this.silence % DOUBTFUL === 0) this.listener.doubtful()
      this.safely(() => submission.silent())
    }
    for (const [sequence, { until }] of this.late) {
      if (until > now) break
      this.late.delete(sequence)
    }
  }

  /** Writes no more messages. Answers still come in. */
  leave(): void {
    this.isLeaving = true
  }

  /** Closes at once. What is outstanding is lost. */
  destroy(reason: string): void {
    this.reason ||= reason
    this.socket.destroy()
  }

  private nextSequence(): number {
    this.sequence = this.sequence === LAST_SEQUENCE ? 1 : this.sequence + 1
    return this.sequence
  }

  // What is written in one turn of the event loop leaves in one piece.
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
      // A fault of ours in the middle of the stream: what is left of it cannot be trusted.
      problem = fault(error)
    }
    if (problem !== undefined) this.destroy(problem)
  }

  private dispatch(frame: Buffer): void {
    const command = Pdu.commandOf(frame)
    const sequence = Pdu.sequenceOf(frame)
    if (Pdu.isResponse(command)) return this.answered(command, sequence, frame)
    switch (command) {
      case Pdu.DELIVER_SM:
        return this.delivered(frame, "deliver_sm_resp", sequence)
      case Pdu.DATA_SM:
        return this.delivered(frame, "data_sm_resp", sequence)
      case Pdu.ENQUIRE_LINK:
        return this.respond("enquire_link_resp", sequence, CommandStatus.OK)
      case Pdu.UNBIND:
        return this.unbound(sequence)
      case Pdu.ALERT_NOTIFICATION:
      case Pdu.OUTBIND:
        return // These have no answer.
      default:
        return this.respond("generic_nack", sequence, CommandStatus.INVALID_COMMAND)
    }
  }

  private answered(command: number, sequence: number, frame: Buffer): void {
    const status = Pdu.statusOf(frame)
    const request = this.requests.get(sequence)
    if (request !== undefined) {
      this.requests.delete(sequence)
      return request(status)
    }
    const waiting = this.window.get(sequence) ?? this.late.get(sequence)
    if (waiting === undefined || (command !== Pdu.SUBMIT_SM_RESP && command !== Pdu.GENERIC_NACK)) return
    this.window.delete(sequence)
    this.late.delete(sequence)
    this.silence = 0
    const { submission } = waiting
    try {
      // A negative acknowledgement is never a success, whatever its status says.
      if (command === Pdu.GENERIC_NACK) submission.answered(status || CommandStatus.INVALID_COMMAND, "")
      else submission.answered(status, status === CommandStatus.OK ? Pdu.messageIdOf(frame) : "")
    } catch (error) {
      this.safely(() => submission.lost())
      throw error
    }
  }

  private delivered(frame: Buffer, response: "deliver_sm_resp" | "data_sm_resp", sequence: number): void {
    const message = DeliverSm.read(frame)
    if (message === undefined) {
      // Refused, it would come again and again.
      this.listener.noticed("a delivery that cannot be read was acknowledged and dropped")
      return this.respond(response, sequence, CommandStatus.OK)
    }
    this.listener.delivered(message, (status) => this.respond(response, sequence, status))
  }

  private unbound(sequence: number): void {
    this.reason ||= "the carrier unbound"
    this.leave()
    this.respond("unbind_resp", sequence, CommandStatus.OK)
    this.listener.dismissed()
  }

  private respond(response: Pdu.Response, sequence: number, status: number): void {
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
    for (const { submission } of outstanding) this.safely(() => submission.lost())
    this.listener.closed(this.reason || "the connection was lost")
  }

  // A fault in what one message leads to must not keep the others from being heard of.
  private safely(action: () => void): void {
    try {
      action()
    } catch (error) {
      this.listener.noticed(fault(error))
    }
  }
}

const fault = (error: unknown): string =>
  `a fault in this service: ${error instanceof Error ? error.message : "unknown"}`
