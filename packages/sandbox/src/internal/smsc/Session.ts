/**
 * One connection of a client at a message centre.
 */
import type { Socket } from "node:net"
import * as wire from "../../smsc/wire.ts"
import * as Pdu from "./Pdu.ts"

/** A session's callbacks to its centre. */
export interface Centre {
  /** Answers a request. */
  readonly handle: (pdu: Pdu.Pdu, session: Session) => void
  /** Hears that a delivery was answered. */
  readonly answered: (status: number) => void
  readonly changed: () => void
  /** How many PDUs a session keeps. */
  readonly keep: number
}

/** Octets of the longest PDU: a message_payload of 65,535, and room for the other fields. */
const LONGEST = 70_000

export class Session {
  readonly socket: Socket
  /** The command it was bound with. */
  bound: string | null = null
  /** The command that it asked to be bound with, whether that was answered or not. */
  command: string | null = null
  systemId = ""
  /** The PDUs that came in, in order. */
  readonly received: Array<Pdu.Pdu> = []
  private rest = Buffer.alloc(0)
  private sequence = 0
  private readonly centre: Centre
  private readonly requests = new Map<number, (answer: Pdu.Pdu | null) => void>()

  constructor(centre: Centre, socket: Socket) {
    this.centre = centre
    this.socket = socket
    socket.setNoDelay(true)
    socket.on("error", () => {})
    socket.on("data", (chunk: Buffer) => this.read(chunk))
    socket.once("close", () => {
      for (const answered of this.requests.values()) answered(null)
    })
  }

  /** Writes bytes, right or wrong. */
  raw(bytes: Buffer | string): void {
    if (!this.socket.destroyed) this.socket.write(bytes)
  }

  /** Answers a request. */
  answer(request: Pdu.Pdu, status: number, body?: Buffer): void {
    this.raw(wire.pdu(wire.resp(request.command_id), status, request.sequence_number, body))
  }

  /** Sends a request, and answers with its response, or null if the connection closed before. */
  request(id: number, body?: Buffer): Promise<Pdu.Pdu | null> {
    const sequence = ++this.sequence
    return new Promise((resolve) => {
      if (this.socket.destroyed) return resolve(null)
      this.requests.set(sequence, resolve)
      this.raw(wire.pdu(id, 0, sequence, body))
    })
  }

  /** Delivers a receipt, and answers with the status of its acknowledgement, or null if none came. */
  async deliver(fields: wire.DeliverFields): Promise<number | null> {
    const answer = await this.request(wire.command.deliver_sm, wire.deliverSm(fields))
    if (answer !== null) this.centre.answered(answer.command_status)
    this.centre.changed()
    return answer === null ? null : answer.command_status
  }

  /** Stops reading, as a host that has gone away without a word. */
  freeze(): void {
    this.socket.pause()
    this.socket.removeAllListeners("data")
  }

  private read(chunk: Buffer): void {
    this.rest = Buffer.concat([this.rest, chunk])
    while (this.rest.length >= 4) {
      const length = this.rest.readUInt32BE(0)
      if (length < 16 || length > LONGEST) return void this.socket.destroy()
      if (this.rest.length < length) break
      const pdu = Pdu.read(Buffer.from(this.rest.subarray(0, length)))
      this.rest = this.rest.subarray(length)
      this.received.push(pdu)
      if (this.received.length > this.centre.keep) this.received.shift()
      this.take(pdu)
    }
    this.centre.changed()
  }

  private take(pdu: Pdu.Pdu): void {
    if (pdu.command_id < wire.RESPONSE) return this.centre.handle(pdu, this)
    this.requests.get(pdu.sequence_number)?.(pdu)
    this.requests.delete(pdu.sequence_number)
  }
}
