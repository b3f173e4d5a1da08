/**
 * Simulated phones behind a SIP address: takes calls of any SIP client over UDP, rings, and ends them as it is asked to. There is
 * no media: a call that is answered is ended at once.
 *
 * It is for development and tests; the client's side is `SipGateway`.
 *
 * Source: RFC 3261 §8.2, §9.2, §13.3, §17.2 (UAS core and server transactions over an unreliable transport).
 */
import { randomBytes } from "node:crypto"
import { type RemoteInfo, type Socket, createSocket } from "node:dgram"
import { METHODS, type Request, parse, serialise } from "./Message.ts"

/** A call that rings. */
export interface Incoming {
  /** The user part of From, as digits with a plus sign where it is a number. */
  readonly caller: string
  /** The user part of the request's URI. */
  readonly callee: string
}

/** How a phone ends a call: by a final status such as 486, or 200 for one that is answered. */
export type End = (status: number) => void

export interface Options {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  /** Rings: answers what is done when the caller gives up. A promise of a status refuses the call before it rings. */
  readonly ring: (call: Incoming, end: End) => Promise<{ readonly canceled: () => void } | { readonly status: number }>
}

export interface SipPhone {
  readonly port: number
  readonly close: () => Promise<void>
}

/** A response is repeated for this long where its ACK does not come, in milliseconds (64 × T1). */
const LINGER = 32_000
const T1 = 500
const T2 = 4_000

export const listen = async ({ host, port, ring }: Options): Promise<SipPhone> => {
  const socket = createSocket({ type: host.includes(":") ? "udp6" : "udp4", recvBufferSize: 1 << 20 })
  const calls = new Map<string, Call>()

  socket.on("message", (bytes, from) => {
    const message = parse(bytes)
    if (message?._tag !== "Request") return
    const known = calls.get(keyOf(message))
    switch (message.method) {
      case "INVITE": {
        if (known !== undefined) return known.repeated()
        const call = new Call(socket, message, from, () => calls.delete(keyOf(message)))
        calls.set(keyOf(message), call)
        return void call.begin(ring)
      }
      case "ACK":
        return known?.acknowledged()
      case "CANCEL":
        reply(socket, message, from, known === undefined ? 481 : 200)
        return known?.canceled()
      case "OPTIONS":
        return reply(socket, message, from, 200)
      case "BYE":
        return reply(socket, message, from, known === undefined ? 481 : 200)
      default:
        return reply(socket, message, from, 405)
    }
  })
  socket.on("error", () => {})
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject)
    socket.bind(port, host, () => {
      socket.off("error", reject)
      resolve()
    })
  })

  return {
    port: socket.address().port,
    close: async () => {
      for (const call of calls.values()) call.forget()
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    }
  }
}

/** A call by its Call-ID and the number of its INVITE, which its CANCEL and ACK have too. */
const keyOf = ({ callId, cseq }: Request): string => `${callId} ${cseq.number}`

class Call {
  private readonly tag = randomBytes(6).toString("hex")
  private readonly socket: Socket
  private readonly invite: Request
  private readonly from: RemoteInfo
  private readonly gone: () => void
  private last = 100
  private timer: NodeJS.Timeout | undefined
  private onCancel: (() => void) | null = null

  constructor(socket: Socket, invite: Request, from: RemoteInfo, gone: () => void) {
    this.socket = socket
    this.invite = invite
    this.from = from
    this.gone = gone
  }

  async begin(ring: Options["ring"]): Promise<void> {
    this.respond(100)
    const caller = numberOf(this.invite.headers.first("from") ?? "")
    const callee = numberOf(this.invite.uri)
    try {
      const taken = await ring({ caller, callee }, (status) => this.end(status))
      if ("status" in taken) return this.end(taken.status)
      if (this.last >= 200) return taken.canceled()
      this.onCancel = taken.canceled
      this.respond(180)
    } catch {
      this.end(500)
    }
  }

  /** The same INVITE again, whose answer was lost. */
  repeated(): void {
    this.respond(this.last)
  }

  canceled(): void {
    if (this.last >= 200) return
    this.onCancel?.()
    this.end(487)
  }

  acknowledged(): void {
    // The ACK of a 200 confirms the call, which is then over: there is nothing to say on it.
    this.forget()
  }

  forget(): void {
    clearTimeout(this.timer)
    this.gone()
  }

  private end(status: number): void {
    if (this.last >= 200) return
    this.respond(status)
    this.repeat(status, T1, Date.now() + LINGER)
  }

  /** A final response is repeated until its ACK comes. */
  private repeat(status: number, after: number, until: number): void {
    this.timer = setTimeout(() => {
      if (Date.now() >= until) return this.forget()
      this.respond(status)
      this.repeat(status, Math.min(after * 2, T2), until)
    }, after)
    this.timer.unref()
  }

  private respond(status: number): void {
    this.last = status
    reply(this.socket, this.invite, this.from, status, this.tag)
  }
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [100, "Trying"],
  [180, "Ringing"],
  [200, "OK"],
  [404, "Not Found"],
  [405, "Method Not Allowed"],
  [480, "Temporarily Unavailable"],
  [481, "Call/Transaction Does Not Exist"],
  [486, "Busy Here"],
  [487, "Request Terminated"],
  [500, "Server Internal Error"],
  [503, "Service Unavailable"],
  [603, "Decline"]
])

const reply = (socket: Socket, { headers }: Request, from: RemoteInfo, status: number, tag = ""): void => {
  const to = headers.first("to") ?? ""
  const tagged = tag === "" || status === 100 || /;\s*tag=/i.test(to) ? to : `${to};tag=${tag}`
  const vias = headers.all("via").map((via) => `Via: ${via}\r\n`)
  const text = serialise(
    `SIP/2.0 ${status} ${REASONS.get(status) ?? "Unknown"}`,
    `${vias.join("")}From: ${headers.first("from") ?? ""}\r\nTo: ${tagged}\r\n` +
      `Call-ID: ${headers.first("call-id") ?? ""}\r\nCSeq: ${headers.first("cseq") ?? ""}\r\n` +
      `${status === 405 || status === 200 ? `Allow: ${METHODS}\r\n` : ""}` +
      `${status >= 180 && status < 300 ? `Contact: <sip:phone@${socket.address().address}:${socket.address().port}>\r\n` : ""}`
  )
  socket.send(Buffer.from(text, "latin1"), from.port, from.address, () => {})
}

/** The user part of an address: a number gets its plus sign. */
const numberOf = (address: string): string => {
  const [, user = ""] = /sips?:([^@;>]+)@/i.exec(address) ?? []
  return /^\d{6,15}$/.test(user) ? `+${user}` : user
}
