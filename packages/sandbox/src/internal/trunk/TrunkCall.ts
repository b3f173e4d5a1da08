/**
 * One INVITE at a trunk, and the call that it becomes.
 *
 * Source: RFC 3261 §12, §13.3.1 and §15; RFC 3264 §6.
 */
import { randomBytes } from "node:crypto"
import * as wire from "../../trunk/wire.ts"
import * as Sdp from "./Sdp.ts"
import type { Peer } from "./Peer.ts"

/** A message is sent again until its answer comes, after T1 and then at growing intervals, for this many T1. */
const LONGEST = 64
/** The longest pause between two of them, in T1. */
const PAUSE = 8

export class TrunkCall {
  readonly invite: wire.Wire
  readonly peer: Peer
  /** The ACKs, repeats included. */
  readonly acks: Array<wire.Wire> = []
  finalStatus = 0
  /** Our tag. */
  readonly tag = randomBytes(6).toString("hex")
  /** Whether the call has been hung up by either side. */
  isOver = false
  private last = ""
  private readonly t1: number
  private readonly repeating = new Set<NodeJS.Timeout>()
  private readonly acknowledgedTags = new Set<string>()
  private readonly branch = `z9hG4bK${randomBytes(8).toString("hex")}`
  private isByeAnswered = false

  constructor(invite: wire.Wire, peer: Peer, t1: number) {
    this.invite = invite
    this.peer = peer
    this.t1 = t1
  }

  /** The user of the request's URI, as written there. */
  get callee(): string {
    return /^sips?:([^@;]+)/.exec(this.invite.uri)?.[1] ?? ""
  }

  /** The number that is called, in E.164 where it is one. */
  get to(): string {
    return wire.numberOf(`<${this.invite.uri}>`)
  }

  /** The caller's number, in E.164 where it is one. */
  get from(): string {
    return wire.numberOf(wire.header(this.invite, "from"))
  }

  /** Sends a response; a final one over and over until its ACK comes. */
  respond(status: number, options: wire.ResponseOptions = {}): void {
    const tag = options.tag ?? this.tag
    const text = wire.response(this.invite, status, { source: this.peer, ...options, tag })
    this.last = text
    this.peer.send(text)
    if (status < 200) return
    this.finalStatus = status
    this.repeat(
      () => this.peer.send(text),
      () => this.acknowledgedTags.has(tag)
    )
  }

  /** A phone that rings, with a way to reach it. */
  ring(): void {
    this.respond(180, { headers: [this.contact] })
  }

  /** A phone that is answered. There is no media: its half of the session is inactive. */
  accept(tag = this.tag, headers: ReadonlyArray<string> = [this.contact]): void {
    const body = Sdp.answer(this.invite.body, this.peer.local.address)
    this.respond(200, { tag, headers: [...headers, "Content-Type: application/sdp"], body })
  }

  /** Hangs an answered call up. Does nothing to a call that is over. */
  hangUp(): void {
    if (this.isOver || this.finalStatus < 200 || this.finalStatus >= 300) return
    this.isOver = true
    const bye = this.bye()
    this.peer.send(bye)
    this.repeat(
      () => this.peer.send(bye),
      () => this.isByeAnswered
    )
  }

  cancelled(): void {
    if (this.finalStatus === 0) this.respond(487)
  }

  /** Sends the last response once more, as to an INVITE whose answer was lost. */
  sendAgain(): void {
    if (this.last !== "") this.peer.send(this.last)
  }

  acknowledged(ack: wire.Wire): void {
    this.acks.push(ack)
    this.acknowledgedTags.add(wire.tag(wire.header(ack, "to")))
  }

  /** Hears a response, which may be that to its BYE. */
  answered(response: wire.Wire): void {
    if (response.status >= 200 && wire.branch(response) === this.branch) this.isByeAnswered = true
  }

  stop(): void {
    for (const timer of this.repeating) clearTimeout(timer)
    this.repeating.clear()
  }

  private repeat(send: () => void, isAnswered: () => boolean, after = 1, since = 0): void {
    const timer = setTimeout(() => {
      this.repeating.delete(timer)
      if (isAnswered() || since + after >= LONGEST) return
      send()
      this.repeat(send, isAnswered, Math.min(after * 2, PAUSE), since + after)
    }, after * this.t1)
    this.repeating.add(timer.unref())
  }

  private bye(): string {
    const { local } = this.peer
    const [, target = ""] = /<([^>]*)>/.exec(wire.header(this.invite, "contact")) ?? []
    const from = wire.header(this.invite, "from")
    const [, caller = from] = /<([^>]*)>/.exec(from) ?? []
    return [
      `BYE ${target || wire.header(this.invite, "contact").replace(/;.*$/, "") || caller} SIP/2.0`,
      `Via: SIP/2.0/${local.transport} ${local.address}:${local.port};branch=${this.branch};rport`,
      "Max-Forwards: 70",
      ...(this.invite.headers.get("record-route") ?? []).map((route) => `Route: ${route}`),
      `From: ${wire.header(this.invite, "to")};tag=${this.tag}`,
      `To: ${from}`,
      `Call-ID: ${wire.header(this.invite, "call-id")}`,
      "CSeq: 1 BYE",
      "Content-Length: 0",
      "",
      ""
    ].join("\r\n")
  }

  private get contact(): string {
    const { address, port, transport } = this.peer.local
    const over = transport === "UDP" ? "" : `;transport=${transport.toLowerCase()}`
    return `Contact: <sip:callee@${address}:${port}${over}>`
  }
}
