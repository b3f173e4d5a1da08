/**
 * A trunk for tests: SIP over real UDP, TCP or TLS, and as well or badly behaved as a test wants it. What it is to
 * do can be changed while it runs.
 */
import * as dgram from "node:dgram"
import { once } from "node:events"
import * as net from "node:net"
import * as tls from "node:tls"
import * as wire from "./wire.ts"

/** Where a message came from, and what it was sent through. */
export interface Peer {
  readonly address: string
  readonly port: number
  readonly send: (text: string | Buffer) => void
}

export interface Behaviour {
  /** What becomes of a new INVITE. */
  invite: (call: TestCall) => void
  cancel: "answer" | "silence" | number
  bye: (bye: wire.Wire, peer: Peer) => number | "silence" | ReadonlyArray<string | number>
  options: (options: wire.Wire) => number | "silence" | ReadonlyArray<string | number>
  /** The address that requests seem to come from; null for the true one. */
  sees: { readonly address: string; readonly port: number } | null
  /** Whether a message gets lost, either way. Only for UDP. */
  loses: (message: wire.Wire) => boolean
}

export interface StartOptions {
  readonly protocol?: "udp" | "tcp" | "tls"
  readonly port?: number
  /** 127.0.0.1 unless given. */
  readonly address?: string
  /** Key and certificate, for TLS. */
  readonly tls?: tls.TlsOptions
}

const wellBehaved = (): Behaviour => ({
  invite: (call) => {
    call.respond(100)
    call.respond(180)
  },
  cancel: "answer",
  bye: () => 200,
  options: () => 200,
  sees: null,
  loses: () => false
})

/** How often a final response is sent until its ACK comes, and how many times. */
const REPEAT = 100
const MOST_REPEATS = 40

export class TestTrunk {
  readonly behaviour: Behaviour
  readonly protocol: "udp" | "tcp" | "tls"
  /** All received messages in order, without the lost ones. */
  readonly received: Array<wire.Wire> = []
  /** The INVITEs, one for each branch. */
  readonly calls: Array<TestCall> = []
  /** Connections over TCP or TLS, counted from the start. */
  connections = 0
  readonly sockets = new Set<net.Socket>()
  readonly peers: Array<Peer> = []
  private udp: dgram.Socket | null = null
  private server: net.Server | null = null
  private readonly watchers = new Set<() => void>()

  private constructor(behaviour: Partial<Behaviour>, protocol: "udp" | "tcp" | "tls") {
    this.behaviour = { ...wellBehaved(), ...behaviour }
    this.protocol = protocol
  }

  static async start(behaviour: Partial<Behaviour> = {}, options: StartOptions = {}): Promise<TestTrunk> {
    const trunk = new TestTrunk(behaviour, options.protocol ?? "udp")
    if (trunk.protocol === "udp") await trunk.bind(options)
    else await trunk.listen(options)
    return trunk
  }

  get port(): number {
    const address = this.udp?.address() ?? this.server?.address()
    return typeof address === "object" && address !== null ? address.port : 0
  }

  /** The URL of a client's setting. */
  url(parameters = "keepalive=0", user = "client:secret@"): string {
    const transport = this.protocol === "udp" ? "" : `;transport=${this.protocol}`
    return `sip:${user}127.0.0.1:${this.port}${transport}${parameters === "" ? "" : `;${parameters}`}`
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

  /** Sends any text, valid or not, to the latest peer. */
  raw(text: string | Buffer): void {
    this.peers.at(-1)?.send(text)
  }

  async stop(): Promise<void> {
    for (const call of this.calls) call.stop()
    for (const socket of this.sockets) socket.destroy()
    if (this.udp !== null) {
      this.udp.close()
      await once(this.udp, "close")
    }
    if (this.server !== null && this.server.listening) {
      this.server.close()
      await once(this.server, "close")
    }
    this.udp = null
    this.server = null
  }

  private async bind({ address = "127.0.0.1", port = 0 }: StartOptions): Promise<void> {
    const socket = dgram.createSocket({ type: "udp4", recvBufferSize: 4 * 1024 * 1024 })
    this.udp = socket
    socket.on("message", (bytes, { address, port }) => {
      const text = bytes.toString("latin1")
      if (this.behaviour.loses(wire.read(text))) return
      const send = (text: string | Buffer): void => {
        if (typeof text === "string" && this.behaviour.loses(wire.read(text))) return
        if (this.udp === socket)
          socket.send(typeof text === "string" ? Buffer.from(text, "latin1") : text, port, address)
      }
      this.take(text, { address, port, send })
    })
    socket.bind(port, address)
    await once(socket, "listening")
  }

  private async listen(options: StartOptions): Promise<void> {
    const accept = (socket: net.Socket): void => {
      this.connections++
      this.sockets.add(socket)
      socket.on("error", () => {})
      socket.once("close", () => this.sockets.delete(socket))
      const peer = {
        address: socket.remoteAddress ?? "",
        port: socket.remotePort ?? 0,
        send: (text: string | Buffer): void => void socket.write(text, "latin1")
      }
      let rest = ""
      socket.on("data", (chunk: Buffer) => {
        rest += chunk.toString("latin1")
        for (let end = rest.indexOf("\r\n\r\n"); end >= 0; end = rest.indexOf("\r\n\r\n")) {
          const length = end + 4 + Number(/content-length: (\d+)/i.exec(rest.slice(0, end))?.[1] ?? 0)
          if (rest.length < length) return
          const text = rest.slice(0, length)
          rest = rest.slice(length)
          this.take(text, peer)
        }
      })
    }
    this.server = this.protocol === "tls" ? tls.createServer(options.tls ?? {}, accept) : net.createServer(accept)
    this.server.listen(options.port ?? 0, options.address ?? "127.0.0.1")
    await once(this.server, "listening")
  }

  private take(text: string, peer: Peer): void {
    const message = wire.read(text)
    this.received.push(message)
    this.peers.push(peer)
    this.handle(message, peer)
    for (const watcher of this.watchers) watcher()
  }

  private handle(message: wire.Wire, peer: Peer): void {
    const known = this.calls.find((call) => wire.branch(call.invite) === wire.branch(message))
    const { behaviour } = this
    switch (message.method) {
      case "INVITE": {
        if (known !== undefined) return known.repeat()
        const call = new TestCall(message, peer)
        this.calls.push(call)
        return behaviour.invite(call)
      }
      case "ACK":
        for (const call of this.calls) {
          if (wire.header(call.invite, "call-id") === wire.header(message, "call-id")) call.acknowledged(message)
        }
        return
      case "CANCEL": {
        if (behaviour.cancel === "silence") return
        const status = known === undefined ? 481 : behaviour.cancel === "answer" ? 200 : behaviour.cancel
        peer.send(wire.response(message, status, { source: peer }))
        if (status === 200) known?.cancelled()
        return
      }
      case "BYE":
        return this.answer(message, peer, behaviour.bye(message, peer))
      case "OPTIONS":
        return this.answer(message, peer, behaviour.options(message))
      default:
    }
  }

  private answer(message: wire.Wire, peer: Peer, answer: number | "silence" | ReadonlyArray<string | number>): void {
    if (answer === "silence") return
    const [status, ...headers] = typeof answer === "number" ? [answer] : answer
    const source = this.behaviour.sees ?? peer
    peer.send(wire.response(message, Number(status), { source, headers: headers.map(String) }))
  }
}

/** One INVITE at the trunk. */
export class TestCall {
  readonly invite: wire.Wire
  readonly peer: Peer
  /** The ACKs, repeats included. */
  readonly acks: Array<wire.Wire> = []
  finalStatus = 0
  private last = ""
  private readonly repeating = new Set<NodeJS.Timeout>()
  private readonly acknowledgedTags = new Set<string>()

  constructor(invite: wire.Wire, peer: Peer) {
    this.invite = invite
    this.peer = peer
  }

  get callee(): string {
    return /^sips?:([^@;]+)/.exec(this.invite.uri)?.[1] ?? ""
  }

  /** Sends a response; a final one over and over until its ACK comes. */
  respond(status: number, options: wire.ResponseOptions = {}): void {
    const to = options.tag ?? "callee"
    const text = wire.response(this.invite, status, { source: this.peer, ...options })
    this.last = text
    this.peer.send(text)
    if (status < 200) return
    this.finalStatus = status
    let left = MOST_REPEATS
    const timer = setInterval(() => {
      if (this.acknowledgedTags.has(to) || left-- === 0) clearInterval(timer)
      else this.peer.send(text)
    }, REPEAT)
    this.repeating.add(timer.unref())
  }

  /** A phone that is answered, with a way to reach it. */
  accept(tag = "callee", headers: ReadonlyArray<string> = [`Contact: <sip:callee@127.0.0.1:${this.port}>`]): void {
    this.respond(200, { tag, headers })
  }

  cancelled(): void {
    if (this.finalStatus === 0) this.respond(487)
  }

  repeat(): void {
    if (this.last !== "") this.peer.send(this.last)
  }

  acknowledged(ack: wire.Wire): void {
    this.acks.push(ack)
    this.acknowledgedTags.add(wire.tag(wire.header(ack, "to")))
  }

  stop(): void {
    for (const timer of this.repeating) clearInterval(timer)
  }

  private get port(): string {
    return /:(\d+)/.exec(this.invite.uri.split("@")[1] ?? "")?.[1] ?? "5060"
  }
}
