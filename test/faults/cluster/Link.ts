/**
 * A TCP port that leads to a port of another program, and can be cut: bytes are then lost on their way in either
 * direction without a word, as behind a network that has gone.
 */
import { once } from "node:events"
import { type Socket, connect, createServer } from "node:net"

export interface Link {
  readonly cut: () => void
  /** Lets bytes through again: to connections that have outlived the cut, as by retransmission, and to new ones. */
  readonly mend: () => void
  readonly close: () => void
}

export interface Address {
  readonly host: string
  readonly port: number
}

export const openLink = async (at: Address, to: Address): Promise<Link> => {
  const pairs = new Set<Pair>()
  let isCut = false
  const server = createServer((near) => {
    const pair = new Pair(near, to, () => pairs.delete(pair))
    pairs.add(pair)
    if (!isCut) pair.join()
  })
  server.listen(at.port, at.host)
  await once(server, "listening")
  return {
    cut: () => {
      isCut = true
      for (const pair of pairs) pair.part()
    },
    mend: () => {
      isCut = false
      for (const pair of pairs) pair.join()
    },
    close: () => {
      server.close()
      for (const pair of pairs) pair.end()
    }
  }
}

class Pair {
  private readonly near: Socket
  private readonly to: Address
  private readonly ended: () => void
  private far: Socket | null = null
  private isCut = true
  private isOver = false

  constructor(near: Socket, to: Address, ended: () => void) {
    this.near = near
    this.to = to
    this.ended = ended
    this.watch(near)
  }

  join(): void {
    this.isCut = false
    if (this.isOver) return this.end()
    const far = (this.far ??= this.watch(connect(this.to)))
    this.near.pipe(far)
    far.pipe(this.near)
  }

  part(): void {
    this.isCut = true
    if (this.far === null) return
    this.near.unpipe(this.far).pause()
    this.far.unpipe(this.near).pause()
  }

  end(): void {
    this.near.resetAndDestroy()
    this.far?.resetAndDestroy()
    this.ended()
  }

  /** The end of one side is the end of the other, which hears of it no sooner than the link is mended. */
  private watch(socket: Socket): Socket {
    socket.setNoDelay(true)
    socket.on("error", () => {})
    return socket.on("close", () => {
      this.isOver = true
      if (!this.isCut) this.end()
    })
  }
}
