/**
 * A message centre: SMPP 3.4 over TCP or TLS, as well or badly behaved as its script says.
 *
 * Source: SMPP 3.4 §4.1, §4.2, §4.4, §4.6 and §4.11.
 */
import { once } from "node:events"
import * as net from "node:net"
import * as tls from "node:tls"
import * as wire from "../../smsc/wire.ts"
import type { Pdu } from "./Pdu.ts"
import { type Written, written } from "./Phone.ts"
import * as Receipts from "./Receipts.ts"
import type { Answer, Script, SmscOptions, Submit, Text } from "./Script.ts"
import { Session } from "./Session.ts"
import { type Fate, contentOf } from "./Submit.ts"
import { Texts } from "./Texts.ts"

const HOST = "127.0.0.1"

/** Milliseconds after which a receipt that a client did not take is sent again. */
const RETRY = 100

const wellBehaved: Script = {
  bind: () => 0,
  submit: () => ({}),
  take: null,
  receipt: null,
  acknowledged: () => {},
  enquireLink: "answer",
  unbind: "answer"
}

/** A receipt on its way to a client. */
interface Pending {
  readonly submit: Submit | null
  readonly fields: wire.DeliverFields
}

export class Smsc {
  readonly server: net.Server
  /** Its behaviour; each property can be replaced while it runs. */
  readonly script: Script
  /** Connections that are open, oldest first. */
  readonly sessions = new Set<Session>()
  /** The submit_sm that came, in order. */
  readonly submits: Array<Submit> = []
  readonly binds: Array<Pdu> = []
  /** The statuses that deliveries were answered with, in order. */
  readonly acknowledgements: Array<number> = []
  connections = 0
  nextId = 1
  private readonly options: SmscOptions
  private readonly keep: number
  private readonly texts = new Texts<Submit>()
  private readonly undelivered: Array<Pending> = []
  private readonly watchers = new Set<() => void>()
  private isStopped = false

  constructor(options: SmscOptions) {
    this.options = options
    this.keep = options.keep ?? Infinity
    this.script = { ...wellBehaved, ...options.script }
    const accept = (socket: net.Socket) => this.accept(socket)
    this.server = options.tls === undefined ? net.createServer(accept) : tls.createServer(options.tls, accept)
  }

  async listen(): Promise<void> {
    this.server.listen(this.options.port ?? 0, this.options.host ?? HOST)
    await once(this.server, "listening")
  }

  get port(): number {
    const address = this.server.address()
    return typeof address === "object" && address !== null ? address.port : 0
  }

  /** The address for a client, with its query: `smpp://client:secret@127.0.0.1:2775`. */
  url(query = "", systemId = "client"): string {
    const scheme = this.options.tls === undefined ? "smpp" : "ssmpp"
    return `${scheme}://${systemId}:secret@${HOST}:${this.port}${query === "" ? "" : `?${query}`}`
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

  /** Sends the receipts of the text with the id that `take` returned, for each part whose client asked for one. */
  report(id: string, fate: Fate): void {
    for (const part of this.texts.owed(id, fate)) this.deliver(Receipts.ofPart(part, fate), part)
  }

  /** Sends a receipt as soon as a client can take it, again and again until it is acknowledged. */
  deliver(fields: wire.DeliverFields, submit: Submit | null = null): void {
    if (this.isStopped) return
    const able = this.bound.filter(
      ({ bound, socket, systemId }) =>
        bound !== "bind_transmitter" && !socket.destroyed && (submit === null || systemId === submit.systemId)
    )
    const session = able.find((session) => session === submit?.session) ?? able[0]
    if (session !== undefined) return void this.deliverBy(session, fields, submit)
    this.undelivered.push({ submit, fields })
    if (this.undelivered.length > this.keep) this.undelivered.shift()
  }

  private async deliverBy(session: Session, fields: wire.DeliverFields, submit: Submit | null): Promise<void> {
    const status = await session.deliver(fields)
    this.script.acknowledged(submit, status)
    if (status === null) return this.deliver(fields, submit)
    if (status !== 0) setTimeout(() => this.deliver(fields, submit), this.options.retry ?? RETRY).unref()
  }

  /**
   * Has a phone write a text: delivers its parts to a client, each again and again until it is acknowledged.
   *
   * @param inTurn whether each part waits for the answer to the one before, as with a window of one
   */
  async write(text: Written, inTurn = false): Promise<void> {
    const parts = written(text)
    if (inTurn) for (const part of parts) await this.delivered(part)
    else await Promise.all(parts.map((part) => this.delivered(part)))
  }

  private async delivered(fields: wire.DeliverFields): Promise<void> {
    const able = () => this.bound.find(({ bound, socket }) => bound !== "bind_transmitter" && !socket.destroyed)
    while (!this.isStopped) {
      await this.until(() => able() !== undefined || this.isStopped)
      if ((await able()?.deliver(fields)) === 0) return
      await new Promise((resolve) => setTimeout(resolve, this.options.retry ?? RETRY).unref())
    }
  }

  /** Sends what waited for a client. */
  flush(): void {
    for (const { fields, submit } of this.undelivered.splice(0)) this.deliver(fields, submit)
  }

  /** Closes the door and every connection. */
  async stop(): Promise<void> {
    this.isStopped = true
    this.changed()
    for (const session of this.sessions) session.socket.destroy()
    if (!this.server.listening) return
    this.server.close()
    await once(this.server, "close")
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  private accept(socket: net.Socket): void {
    this.connections++
    const session = new Session(
      {
        handle: (pdu, session) => this.handle(pdu, session),
        answered: (status) => this.remember(this.acknowledgements, status),
        changed: () => this.changed(),
        keep: this.keep
      },
      socket
    )
    this.sessions.add(session)
    socket.once("close", () => {
      this.sessions.delete(session)
      this.changed()
    })
    this.changed()
  }

  private remember<A>(list: Array<A>, item: A): void {
    list.push(item)
    if (list.length > this.keep) list.shift()
  }

  private changed(): void {
    for (const watcher of this.watchers) watcher()
  }

  private handle(pdu: Pdu, session: Session): void {
    switch (pdu.command) {
      case "bind_transceiver":
      case "bind_transmitter":
      case "bind_receiver":
        return this.bind(pdu, session)
      case "submit_sm":
        return this.submitted(pdu, session)
      case "enquire_link": {
        const { enquireLink } = this.script
        if (enquireLink !== "silence") session.answer(pdu, enquireLink === "answer" ? 0 : enquireLink)
        return
      }
      case "unbind":
        if (this.script.unbind === "answer") session.answer(pdu, 0)
        return
      default:
        return session.raw(wire.pdu(wire.command.generic_nack, wire.STATUS.RINVCMDID, pdu.sequence_number))
    }
  }

  private bind(pdu: Pdu, session: Session): void {
    this.remember(this.binds, pdu)
    session.command = pdu.command
    const status = session.bound === null ? this.script.bind(pdu, session) : wire.STATUS.RALYBND
    if (status === "silence") return
    session.answer(pdu, status, status === 0 ? wire.cString("smsc") : undefined)
    if (status !== 0) return
    session.bound = pdu.command
    session.systemId = String(pdu.fields["system_id"] ?? "")
    this.flush()
  }

  private submitted(pdu: Pdu, session: Session): void {
    if (session.command === null || session.command === "bind_receiver") {
      return session.answer(pdu, wire.STATUS.RINVBNDSTS)
    }
    if (pdu.isCutOff) return session.answer(pdu, wire.STATUS.RINVCMDLEN)
    const submit: Submit = {
      ...contentOf(pdu),
      session,
      systemId: session.systemId,
      id: "",
      answer: (answer) => this.answer(submit, answer)
    }
    this.remember(this.submits, submit)
    const { take } = this.script
    const answered = take === null ? this.script.submit(submit) : this.taken(submit, take)
    if (!(answered instanceof Promise)) return this.answerOf(submit, answered)
    answered.then(
      (answer) => this.answerOf(submit, answer),
      () => this.answer(submit, { status: wire.STATUS.RSYSERR })
    )
  }

  /** Asks for the answer to a whole text; the parts before its last one are taken as they come. */
  private taken(submit: Submit, take: NonNullable<Script["take"]>): Answer | Promise<Answer> {
    submit.id = (this.nextId++).toString(16).toUpperCase().padStart(8, "0")
    const { id } = submit
    const parts = this.texts.wholeWith(submit)
    if (parts === null) return { id }
    const { from, systemId, to } = submit
    const text: Text = {
      systemId,
      from,
      to: /^\d+$/.test(to) ? `+${to}` : to,
      text: parts.map((part) => part.text).join("")
    }
    return take(text).then((answer) => {
      if (answer === "silence" || (answer.status ?? 0) !== 0) return answer
      // The receipts name the ids that the client has.
      this.texts.remember(answer.id ?? id, parts)
      return { ...answer, id }
    })
  }

  private answerOf(submit: Submit, answer: Answer): void {
    if (answer !== "silence") this.answer(submit, answer)
  }

  private answer(submit: Submit, answer: Exclude<Answer, "silence">): void {
    const { after = 0, id = String(this.nextId++), status = 0 } = answer
    soon(after, () => {
      submit.session.answer(submit.pdu, status, status === 0 ? wire.cString(id) : undefined)
      if (status !== 0) return
      submit.id = id
      const receipt = this.script.receipt?.(submit) ?? null
      if (receipt !== null) soon(receipt.after, () => this.deliver(receipt.fields, submit))
    })
  }
}

const soon = (milliseconds: number, action: () => void): void => {
  if (milliseconds === 0) action()
  else setTimeout(action, milliseconds).unref()
}
