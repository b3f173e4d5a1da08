/**
 * A carrier's message centre for tests: SMPP 3.4 over real TCP or TLS, and as well or badly behaved as a test
 * wants it. What it is to do can be changed while it runs.
 */
import { once } from "node:events"
import * as net from "node:net"
import * as tls from "node:tls"
import { PDU } from "smpp"
import * as wire from "./wire.ts"

/** A message part as the carrier got it. */
export interface Submit {
  readonly session: Session
  readonly sequence: number
  readonly to: string
  readonly from: string
  readonly fromTon: number
  readonly fromNpi: number
  /** As the codec of another project reads it. */
  readonly text: string
  /** The element of the user data header that numbers the parts: reference, total, number. */
  readonly part: readonly [number, number, number] | null
  readonly reference: number | null
  readonly pdu: PDU
  readonly frame: Buffer
  /** The id it was given; empty while it has none. */
  id: string
  /** Answers it, once more or after all. */
  readonly answer: (answer: Exclude<Answer, "silence">) => void
}

/** What becomes of a message: an answer, now or after some milliseconds, or none. */
export type Answer = { readonly status?: number; readonly id?: string; readonly after?: number } | "silence"

export interface Behaviour {
  /** The status that a bind is answered with. */
  bind: (bind: PDU, session: Session) => number | "silence"
  submit: (submit: Submit) => Answer
  /** The receipt that follows an accepted message, or none. */
  receipt: ((submit: Submit) => Receipt | null) | null
  /** Hears how a receipt was answered; null when the connection closed before. */
  acknowledged: (submit: Submit | null, status: number | null) => void
  /** A number is the status of the answer. */
  enquireLink: "answer" | "silence" | number
  unbind: "answer" | "silence"
}

export interface Receipt {
  readonly after: number
  readonly fields: wire.DeliverFields
}

/** The receipt that most carriers send. */
export const receipt = (submit: Submit, stat = "DELIVRD", after = 0): Receipt => ({
  after,
  fields: {
    source: submit.to,
    text: `id:${submit.id} sub:001 dlvrd:001 submit date:2611211200 done date:2611211201 stat:${stat} err:000 text:`,
    parameters: submit.reference === null ? [] : [wire.tlv(wire.USER_MESSAGE_REFERENCE, uint16(submit.reference))]
  }
})

const uint16 = (value: number): Buffer => wire.octets(value >> 8, value & 0xff)

const wellBehaved = (): Behaviour => ({
  bind: () => 0,
  submit: () => ({}),
  receipt: null,
  acknowledged: () => {},
  enquireLink: "answer",
  unbind: "answer"
})

/** A receipt on its way to the client. */
interface Pending {
  readonly submit: Submit | null
  readonly fields: wire.DeliverFields
}

/** When a receipt that the client could not take is sent again. */
const RETRY = 100

export class TestCarrier {
  readonly server: net.Server
  readonly behaviour: Behaviour
  /** Connections that are open, oldest first. */
  readonly sessions = new Set<Session>()
  /** Everything that was submitted, in order. */
  readonly submits: Array<Submit> = []
  readonly binds: Array<PDU> = []
  /** The statuses that deliveries were answered with, in order. */
  readonly acknowledgements: Array<number> = []
  connections = 0
  nextId = 1
  private readonly isTls: boolean
  private readonly undelivered: Array<Pending> = []
  private readonly watchers = new Set<() => void>()
  private isStopped = false

  private constructor(behaviour: Partial<Behaviour>, options: tls.TlsOptions | null) {
    this.behaviour = { ...wellBehaved(), ...behaviour }
    this.isTls = options !== null
    const accept = (socket: net.Socket) => {
      this.connections++
      const session = new Session(this, socket)
      this.sessions.add(session)
      socket.once("close", () => {
        this.sessions.delete(session)
        this.changed()
      })
      this.changed()
    }
    this.server = options === null ? net.createServer(accept) : tls.createServer(options, accept)
  }

  static async start(behaviour: Partial<Behaviour> = {}, options: StartOptions = {}): Promise<TestCarrier> {
    const carrier = new TestCarrier(behaviour, options.tls ?? null)
    carrier.server.listen(options.port ?? 0, "127.0.0.1")
    await once(carrier.server, "listening")
    return carrier
  }

  get port(): number {
    const address = this.server.address()
    return typeof address === "object" && address !== null ? address.port : 0
  }

  /** The URL of a client's setting. */
  url(query = "", systemId = "client"): string {
    return `${this.isTls ? "ssmpp" : "smpp"}://${systemId}:secret@127.0.0.1:${this.port}${query === "" ? "" : `?${query}`}`
  }

  /** The sessions that are bound, oldest first. */
  get bound(): ReadonlyArray<Session> {
    return [...this.sessions].filter(({ bound }) => bound !== null)
  }

  /** Waits until something is so; asked again whenever anything happened here. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        const watcher = () => {
          this.watchers.delete(watcher)
          resolve()
        }
        this.watchers.add(watcher)
      })
    }
  }

  /** Sends a receipt as soon as a client can take it, again and again until it is acknowledged. */
  deliver(fields: wire.DeliverFields, submit: Submit | null = null): void {
    if (this.isStopped) return
    const able = this.bound.filter(({ bound, socket }) => bound !== "bind_transmitter" && !socket.destroyed)
    const session = able.find((session) => session === submit?.session) ?? able[0]
    if (session === undefined) {
      this.undelivered.push({ submit, fields })
      return
    }
    void this.deliverBy(session, fields, submit)
  }

  private async deliverBy(session: Session, fields: wire.DeliverFields, submit: Submit | null): Promise<void> {
    const status = await session.deliver(fields)
    this.behaviour.acknowledged(submit, status)
    if (status === null) this.deliver(fields, submit)
    else if (status !== 0) setTimeout(() => this.deliver(fields, submit), RETRY).unref()
  }

  /** Sends what waited for a client. */
  flush(): void {
    for (const { fields, submit } of this.undelivered.splice(0)) this.deliver(fields, submit)
  }

  changed(): void {
    for (const watcher of this.watchers) watcher()
  }

  /** Closes the door and every connection. */
  async stop(): Promise<void> {
    this.isStopped = true
    for (const session of this.sessions) session.socket.destroy()
    if (!this.server.listening) return
    this.server.close()
    await once(this.server, "close")
  }
}

export interface StartOptions {
  readonly port?: number
  /** Key and certificate, for TLS. */
  readonly tls?: tls.TlsOptions
}

/** One connection of a client. */
export class Session {
  readonly carrier: TestCarrier
  readonly socket: net.Socket
  /** The command it was bound with. */
  bound: string | null = null
  /** Everything that came in, in order. */
  readonly received: Array<PDU> = []
  private rest = Buffer.alloc(0)
  private sequence = 0
  private readonly requests = new Map<number, (answer: PDU | null) => void>()

  constructor(carrier: TestCarrier, socket: net.Socket) {
    this.carrier = carrier
    this.socket = socket
    socket.on("error", () => {})
    socket.on("data", (chunk: Buffer) => this.read(chunk))
    socket.once("close", () => {
      for (const answered of this.requests.values()) answered(null)
    })
  }

  /** Writes bytes, right or wrong. */
  raw(bytes: Buffer | string): void {
    this.socket.write(bytes)
  }

  /** Sends a request, and answers with its response, or null when the connection closed before. */
  request(id: number, body?: Buffer): Promise<PDU | null> {
    const sequence = ++this.sequence
    return new Promise((resolve) => {
      if (this.socket.destroyed) return resolve(null)
      this.requests.set(sequence, resolve)
      this.raw(wire.pdu(id, 0, sequence, body))
    })
  }

  /** Delivers a receipt, and answers with the status of its acknowledgement, or null when none came. */
  async deliver(fields: wire.DeliverFields): Promise<number | null> {
    const answer = await this.request(wire.command.deliver_sm, wire.deliverSm(fields))
    if (answer !== null) this.carrier.acknowledgements.push(answer.command_status)
    this.carrier.changed()
    return answer === null ? null : answer.command_status
  }

  /** Stops reading, as a host that has gone away without a word. */
  freeze(): void {
    this.socket.pause()
    this.socket.removeAllListeners("data")
  }

  private read(chunk: Buffer): void {
    this.rest = Buffer.concat([this.rest, chunk])
    while (this.rest.length >= 4 && this.rest.length >= this.rest.readUInt32BE(0)) {
      const frame = this.rest.subarray(0, this.rest.readUInt32BE(0))
      this.rest = this.rest.subarray(frame.length)
      const pdu = new PDU(Buffer.from(frame))
      this.received.push(pdu)
      this.handle(pdu, frame)
    }
    this.carrier.changed()
  }

  private handle(pdu: PDU, frame: Buffer): void {
    const { behaviour } = this.carrier
    const { command, command_id: id, sequence_number: sequence } = pdu
    if (id >= 0x8000_0000) {
      this.requests.get(sequence)?.(pdu)
      this.requests.delete(sequence)
      return
    }
    const answer = (status: number, body?: Buffer) => this.raw(wire.pdu(wire.resp(id), status, sequence, body))
    switch (command) {
      case "bind_transceiver":
      case "bind_transmitter":
      case "bind_receiver": {
        const status = behaviour.bind(pdu, this)
        this.carrier.binds.push(pdu)
        if (status === "silence") return
        answer(status, status === 0 ? wire.cString("carrier") : undefined)
        if (status === 0) {
          this.bound = command
          this.carrier.flush()
        }
        return
      }
      case "submit_sm":
        return this.submitted(pdu, frame)
      case "enquire_link":
        if (behaviour.enquireLink !== "silence") answer(behaviour.enquireLink === "answer" ? 0 : behaviour.enquireLink)
        return
      case "unbind":
        if (behaviour.unbind === "answer") answer(0)
        return
      default:
        return this.raw(wire.pdu(wire.command.generic_nack, 0x03, sequence))
    }
  }

  private submitted(pdu: PDU, frame: Buffer): void {
    const submit: Submit = { ...readSubmit(pdu), frame, session: this, answer: (answer) => this.answer(submit, answer) }
    this.carrier.submits.push(submit)
    const answer = this.carrier.behaviour.submit(submit)
    if (answer !== "silence") this.answer(submit, answer)
  }

  private answer(submit: Submit, answer: Exclude<Answer, "silence">): void {
    const { status = 0, id = String(this.carrier.nextId++), after = 0 } = answer
    soon(after, () => {
      this.raw(
        wire.pdu(
          wire.resp(wire.command.submit_sm),
          status,
          submit.sequence,
          status === 0 ? wire.cString(id) : undefined
        )
      )
      if (status !== 0) return
      submit.id = id
      const receipt = this.carrier.behaviour.receipt?.(submit) ?? null
      if (receipt !== null) soon(receipt.after, () => this.carrier.deliver(receipt.fields, submit))
    })
  }
}

const soon = (millis: number, action: () => void): void => {
  if (millis === 0) action()
  else setTimeout(action, millis).unref()
}

const readSubmit = (pdu: PDU): Omit<Submit, "session" | "answer" | "frame"> => {
  const message = pdu["short_message"]
  const { text, udh } = isMessage(message) ? { text: message.message, udh: message.udh } : { text: "", udh: undefined }
  const [, , reference, total, number] = udh?.[0] ?? []
  const userReference = pdu["user_message_reference"]
  return {
    sequence: pdu.sequence_number,
    to: String(pdu["destination_addr"]),
    from: String(pdu["source_addr"]),
    fromTon: Number(pdu["source_addr_ton"]),
    fromNpi: Number(pdu["source_addr_npi"]),
    text,
    part: reference === undefined || total === undefined || number === undefined ? null : [reference, total, number],
    reference: typeof userReference === "number" ? userReference : null,
    pdu,
    id: ""
  }
}

const isMessage = (value: unknown): value is { readonly message: string; readonly udh?: ReadonlyArray<Buffer> } =>
  typeof value === "object" && value !== null && "message" in value
