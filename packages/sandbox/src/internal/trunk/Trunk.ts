/**
 * A trunk with phones: SIP over UDP, TCP or TLS, as well or badly behaved as its script says.
 *
 * Source: RFC 3261 §8.2, §9.2, §11.2, §15.1.2, §17.2 and §18.2.
 */
import * as dgram from "node:dgram"
import { once } from "node:events"
import * as net from "node:net"
import * as tls from "node:tls"
import * as wire from "../../trunk/wire.ts"
import type { Peer } from "./Peer.ts"
import { type CallOptions, PhoneCall } from "./PhoneCall.ts"
import type { Reply, Script, TrunkOptions } from "./Script.ts"
import { TrunkCall } from "./TrunkCall.ts"

const HOST = "127.0.0.1"
const T1 = 100
/** Octets of the longest message over a connection. */
const LONGEST = 65_535
const METHODS = "INVITE, ACK, CANCEL, BYE, OPTIONS"

const wellBehaved: Script = {
  invite: (call) => {
    call.respond(100)
    call.ring()
  },
  canceled: () => {},
  cancel: "answer",
  bye: null,
  options: () => [200, `Allow: ${METHODS}`],
  sees: null,
  loses: () => false
}

export class Trunk {
  /** Its behaviour; each property can be replaced while it runs. */
  readonly script: Script
  readonly protocol: "udp" | "tcp" | "tls"
  /** The messages that came in order, without the lost ones. */
  readonly received: Array<wire.Wire> = []
  /** The INVITEs, one for each branch. */
  readonly calls: Array<TrunkCall> = []
  /** The calls that phones have placed. */
  readonly placed: Array<PhoneCall> = []
  /** Connections to it over TCP or TLS, counted from the start. */
  connections = 0
  readonly sockets = new Set<net.Socket>()
  readonly peers: Array<Peer> = []
  private readonly options: TrunkOptions
  private readonly keep: number
  private udp: dgram.Socket | null = null
  private server: net.Server | null = null
  private readonly watchers = new Set<() => void>()

  constructor(options: TrunkOptions) {
    this.options = options
    this.keep = options.keep ?? Infinity
    this.protocol = options.protocol ?? "udp"
    this.script = { ...wellBehaved, ...options.script }
  }

  listen(): Promise<void> {
    return this.protocol === "udp" ? this.bind() : this.serve()
  }

  get port(): number {
    const address = this.udp?.address() ?? this.server?.address()
    return typeof address === "object" && address !== null ? address.port : 0
  }

  /** The address for a client, with its parameters: `sip:client:secret@127.0.0.1:5060;keepalive=0`. */
  url(parameters = "keepalive=0", user = "client:secret@"): string {
    const transport = this.protocol === "udp" ? "" : `;transport=${this.protocol}`
    return `sip:${user}${HOST}:${this.port}${transport}${parameters === "" ? "" : `;${parameters}`}`
  }

  /** The requests of a method, repeats included. */
  requests(method: string): ReadonlyArray<wire.Wire> {
    return this.received.filter((message) => message.method === method)
  }

  /** The methods of the requests and the statuses of the responses that came, in order. */
  get methods(): ReadonlyArray<string | number> {
    return this.received.map(({ method, status }) => (status === 0 ? method : status))
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

  /**
   * Has a phone call a number of the other side's, as in `trunk.call({ from, to, at })`. It resolves once the INVITE is
   * sent; `status` of the call then has the answer.
   */
  async call(options: CallOptions): Promise<PhoneCall> {
    const peer = options.at === undefined ? this.peers.at(-1) : await this.peerAt(options.at)
    if (peer === undefined) throw new Error("No peer is known yet: the call needs `at`.")
    const call = new PhoneCall(options, peer, this.options.t1 ?? T1)
    this.remember(this.placed, call)
    void call.place()
    return call
  }

  /** Sends any text, valid or not, to the latest peer. */
  raw(text: string | Buffer): void {
    this.peers.at(-1)?.send(text)
  }

  async stop(): Promise<void> {
    for (const call of [...this.calls, ...this.placed]) call.stop()
    for (const socket of this.sockets) socket.destroy()
    const { server, udp } = this
    this.udp = null
    this.server = null
    if (udp !== null) {
      udp.close()
      await once(udp, "close")
    }
    if (server !== null && server.listening) {
      server.close()
      await once(server, "close")
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  private async bind(): Promise<void> {
    const { host = HOST, port = 0 } = this.options
    const type = host.includes(":") ? "udp6" : "udp4"
    const socket = dgram.createSocket({ type, recvBufferSize: 4 * 1024 * 1024 })
    this.udp = socket
    socket.on("message", (bytes, { address, port }) => {
      const text = bytes.toString("latin1")
      if (!this.script.loses(wire.read(text))) this.take(text, this.peerBy(socket, { address, port }))
    })
    socket.bind(port, host)
    await once(socket, "listening")
    socket.on("error", () => {})
  }

  private peerBy(socket: dgram.Socket, { address, port }: Pick<Peer, "address" | "port">): Peer {
    const send = (text: string | Buffer): void => {
      if (typeof text === "string" && this.script.loses(wire.read(text))) return
      const octets = typeof text === "string" ? Buffer.from(text, "latin1") : text
      if (this.udp === socket) socket.send(octets, port, address, () => {})
    }
    return { address, port, local: { ...socket.address(), transport: "UDP" }, send }
  }

  /** The other side at an address: by a connection of its own, except over UDP. */
  private async peerAt({ host, port }: NonNullable<CallOptions["at"]>): Promise<Peer> {
    if (this.udp !== null) return this.peerBy(this.udp, { address: host, port })
    const to = { host, port, localAddress: this.options.host ?? HOST }
    const { ca } = this.options.tls ?? {}
    const socket = this.protocol === "tls" ? tls.connect(ca === undefined ? to : { ...to, ca }) : net.connect(to)
    await once(socket, this.protocol === "tls" ? "secureConnect" : "connect")
    return this.accept(socket)
  }

  private async serve(): Promise<void> {
    const { host = HOST, port = 0 } = this.options
    const accept = (socket: net.Socket): void => {
      this.connections++
      this.accept(socket)
    }
    this.server = this.protocol === "tls" ? tls.createServer(this.options.tls ?? {}, accept) : net.createServer(accept)
    this.server.listen(port, host)
    await once(this.server, "listening")
  }

  private accept(socket: net.Socket): Peer {
    this.sockets.add(socket)
    socket.on("error", () => {})
    socket.once("close", () => this.sockets.delete(socket))
    const { localAddress: address = HOST, localPort: port = 0 } = socket
    const peer: Peer = {
      address: socket.remoteAddress ?? "",
      port: socket.remotePort ?? 0,
      local: { address, port, transport: this.protocol.toUpperCase() },
      send: (text) => void (socket.destroyed || socket.write(text, "latin1"))
    }
    let rest = ""
    socket.on("data", (chunk: Buffer) => {
      rest += chunk.toString("latin1")
      for (let end = rest.indexOf("\r\n\r\n"); end >= 0; end = rest.indexOf("\r\n\r\n")) {
        const [, octets = 0] = /^(?:content-length|l)\s*:\s*(\d+)/im.exec(rest.slice(0, end)) ?? []
        const length = end + 4 + Number(octets)
        if (rest.length < length) break
        const text = rest.slice(0, length)
        rest = rest.slice(length)
        this.take(text, peer)
      }
      if (rest.length > LONGEST) socket.destroy()
    })
    return peer
  }

  private take(text: string, peer: Peer): void {
    const message = wire.read(text)
    this.remember(this.received, message)
    this.remember(this.peers, peer)
    if (message.status !== 0) for (const call of [...this.calls, ...this.placed]) call.answered(message)
    else if (isRequest(message)) this.handle(message, peer)
    for (const watcher of this.watchers) watcher()
  }

  private remember<A>(list: Array<A>, item: A): void {
    list.push(item)
    if (list.length > this.keep) list.shift()
  }

  private handle(message: wire.Wire, peer: Peer): void {
    const known = this.calls.find((call) => wire.branch(call.invite) === wire.branch(message))
    switch (message.method) {
      case "INVITE": {
        if (known !== undefined) return known.sendAgain()
        const call = new TrunkCall(message, peer, this.options.t1 ?? T1)
        this.remember(this.calls, call)
        return this.script.invite(call)
      }
      case "ACK":
        for (const call of this.callsOf(message)) call.acknowledged(message)
        return
      case "CANCEL":
        return this.cancel(message, peer, known)
      case "BYE":
        return this.answer(message, peer, this.bye(message, peer))
      case "OPTIONS":
        return this.answer(message, peer, this.script.options(message))
      default:
        return this.answer(message, peer, [405, `Allow: ${METHODS}`])
    }
  }

  private cancel(message: wire.Wire, peer: Peer, known: TrunkCall | undefined): void {
    const { cancel } = this.script
    if (cancel === "silence") return
    const status = known === undefined ? 481 : cancel === "answer" ? 200 : cancel
    peer.send(wire.response(message, status, { source: peer, ...(known === undefined ? {} : { tag: known.tag }) }))
    if (status !== 200 || known === undefined) return
    if (known.finalStatus === 0) this.script.canceled(known)
    known.cancelled()
  }

  private bye(message: wire.Wire, peer: Peer): Reply {
    if (this.script.bye !== null) return this.script.bye(message, peer)
    const calls = this.callsOf(message).filter(({ finalStatus }) => finalStatus >= 200 && finalStatus < 300)
    for (const call of calls) call.isOver = true
    return calls.length === 0 ? 481 : 200
  }

  private callsOf(message: wire.Wire): ReadonlyArray<TrunkCall> {
    const id = wire.header(message, "call-id")
    return this.calls.filter(({ invite }) => wire.header(invite, "call-id") === id)
  }

  private answer(message: wire.Wire, peer: Peer, answer: Reply): void {
    if (answer === "silence") return
    const [status, ...headers] = typeof answer === "number" ? [answer] : answer
    const source = this.script.sees ?? peer
    peer.send(wire.response(message, Number(status), { source, headers: headers.map(String) }))
  }
}

/** Whether a message has the headers that an answer needs. */
const isRequest = (message: wire.Wire): boolean =>
  message.method !== "" && ["via", "from", "to", "call-id", "cseq"].every((name) => wire.header(message, name) !== "")
