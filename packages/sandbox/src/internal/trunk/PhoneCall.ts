/**
 * A call that a phone behind a trunk places: one INVITE, sent again until it is answered, and acknowledged.
 *
 * Source: RFC 3261 §8.1.1, §9.1, §17.1.1; RFC 3325 §9.1.
 */
import { randomBytes } from "node:crypto"
import { setTimeout as delay } from "node:timers/promises"
import * as wire from "../../trunk/wire.ts"
import type { Peer } from "./Peer.ts"

export interface CallOptions {
  /** The caller: a number, or an address as From has it; anonymous without one. */
  readonly from?: string
  /** The number that is called. */
  readonly to: string
  /** Where the other side listens; the latest peer unless given. */
  readonly at?: { readonly host: string; readonly port: number }
  /** The request's URI; one of the number unless given. */
  readonly uri?: string
  /** Further header lines. */
  readonly headers?: ReadonlyArray<string>
  /** The session description. */
  readonly body?: string
}

/** An INVITE is sent for this many T1. */
const LONGEST = 64

export class PhoneCall {
  /** The responses to the INVITE, repeats included. */
  readonly responses: Array<wire.Wire> = []
  /** The responses to the CANCEL. */
  readonly cancelled: Array<wire.Wire> = []
  /** Whether final responses are acknowledged. */
  acknowledges = true
  /** The INVITE as it is sent. */
  readonly text: string
  readonly branch = `z9hG4bK${randomBytes(8).toString("hex")}`
  private readonly peer: Peer
  private readonly options: CallOptions
  private readonly t1: number
  private readonly id = randomBytes(8).toString("hex")
  private isOver = false

  constructor(options: CallOptions, peer: Peer, t1: number) {
    this.options = options
    this.peer = peer
    this.t1 = t1
    this.text = this.request("INVITE", options.headers ?? [], options.body)
  }

  /** The final status; 0 before it has come. */
  get status(): number {
    return this.responses.find(({ status }) => status >= 200)?.status ?? 0
  }

  /** Sends the INVITE once more. */
  repeat(): void {
    this.peer.send(this.text)
  }

  /** Sends the INVITE, over UDP until there is a response. */
  async place(): Promise<void> {
    let after = 1
    this.repeat()
    if (this.peer.local.transport !== "UDP") return
    for (let since = 0; since < LONGEST; since += after / 2) {
      await delay(after * this.t1, null, { ref: false })
      if (this.isOver || this.responses.length > 0) return
      this.repeat()
      after *= 2
    }
  }

  /** Hangs up. */
  cancel(): void {
    this.peer.send(this.request("CANCEL"))
  }

  /** Hears a response that may be its own. */
  answered(response: wire.Wire): void {
    if (wire.branch(response) !== this.branch) return
    if (wire.header(response, "cseq").endsWith("CANCEL")) return void this.cancelled.push(response)
    this.responses.push(response)
    if (response.status >= 200 && this.acknowledges) this.acknowledge()
  }

  /** Acknowledges the latest response. */
  acknowledge(): void {
    const to = wire.header(this.responses.at(-1) ?? wire.read(""), "to")
    this.peer.send(this.request("ACK", [], "", to))
  }

  stop(): void {
    this.isOver = true
  }

  private request(method: string, headers: ReadonlyArray<string> = [], body = "", answered?: string): string {
    const { from, to, uri } = this.options
    const { address, port, transport } = this.peer.local
    const place = `${address}:${port}`
    const of = `sip:${to}@${this.peer.address}:${this.peer.port}`
    return [
      `${method} ${uri ?? of} SIP/2.0`,
      `Via: SIP/2.0/${transport} ${place};branch=${this.branch};rport`,
      "Max-Forwards: 70",
      `From: ${addressOf(from, place)};tag=${this.id}`,
      `To: ${answered ?? `<${of}>`}`,
      `Call-ID: ${this.id}`,
      `CSeq: 1 ${method}`,
      ...(method === "INVITE" ? [`Contact: <sip:phone@${place};transport=${transport.toLowerCase()}>`] : []),
      ...headers,
      `Content-Length: ${Buffer.byteLength(body, "latin1")}`,
      "",
      body
    ].join("\r\n")
  }
}

const addressOf = (from: string | undefined, place: string): string => {
  if (from === undefined) return '"Anonymous" <sip:anonymous@anonymous.invalid>'
  return from.includes(":") ? from : `<sip:${from}@${place}>`
}
