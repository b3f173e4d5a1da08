/**
 * INVITEs that were rejected, for as long as a rejection over UDP may be said again (Timer D): each must be
 * acknowledged again then.
 *
 * Every call that is hung up on comes here, and hardly one is ever asked for. So nothing is kept of an INVITE but a
 * print, a number: the words that its ACK needs are in the rejection, which repeats them.
 *
 * Source: RFC 3261 §8.2.6.2 (what a response repeats), §17.1.1.2, §17.1.1.3.
 */
import { hashOf } from "@watchword/store/TextMap"
import * as HeaderValue from "./HeaderValue.ts"
import { type Invite, ackText } from "./Invite.ts"
import { Lingering } from "./Lingering.ts"
import type { Response } from "./Message.ts"
import { Prints } from "./Prints.ts"
import type { Timers } from "../Timers.ts"
import type { Transport } from "./Transport.ts"
import type { Way } from "./Way.ts"

/** The INVITEs that went one way. */
interface Sent {
  readonly transport: Transport
  readonly way: Way
  readonly prints: Prints
}

export class Rejections {
  private readonly lingering: Lingering<Map<string, Sent>>

  /** @param time how long a rejection may be said again, in milliseconds */
  constructor(timers: Timers, time: number) {
    this.lingering = new Lingering(timers, time, () => new Map<string, Sent>())
  }

  /** An INVITE's rejection has been acknowledged. */
  keep(transport: Transport, { branch, callId, way }: Invite): void {
    const { latest } = this.lingering
    let sent = latest.get(way.stored)
    if (sent === undefined) {
      sent = { transport, way, prints: new Prints() }
      latest.set(way.stored, sent)
    }
    sent.prints.add(printOf(branch, callId))
  }

  /** Acknowledges a rejection that is said again. What is none, or one of nothing that was kept, is dropped. */
  receive(response: Response): void {
    const { branch, callId, status } = response
    if (status < 300) return
    const print = printOf(branch, callId)
    for (const generation of this.lingering.generations) {
      for (const { prints, transport, way } of generation.values()) {
        if (prints.has(print)) return acknowledge(transport, way, response)
      }
    }
  }
}

/** The same words as the first time. The ACK's To is that of the response. */
const acknowledge = (transport: Transport, way: Way, { branch, callId, cseq, headers }: Response): void => {
  const from = headers.first("from") ?? ""
  const to = headers.first("to") ?? ""
  const uri = HeaderValue.uriOf(to)
  // What is no single word cannot be ours, whatever its print.
  if (![branch, callId, uri].every(isWord)) return
  transport.send(ackText({ way, uri, from, to, branch, callId, cseq: cseq.number }, to), way.target, null)
}

const isWord = (text: string): boolean => /^[!-~]+$/.test(text)

/** 32 bits of the branch and 21 of the Call-ID. Two that are alike by chance would cost an ACK that nobody waits for. */
const printOf = (branch: string, callId: string): number =>
  (hashOf(branch, SEED) >>> 0) * 2 ** 21 + (hashOf(callId, SEED) >>> 11) || 1

const SEED = Math.floor(Math.random() * 2 ** 32)
