/**
 * The connections of a server. At the limit, the connection that has been idle for longest makes room, so a stranger
 * who holds connections open keeps no client out.
 */
import { endStream } from "@watchword/server/node"
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

interface Connection {
  /** Responses that are not finished yet. */
  readonly open: Array<ServerResponse>
  /** Whether a request has used the connection since `makeRoom` last passed it. */
  isUsed: boolean
}

export class Connections {
  /** Roughly ordered by when they were opened or last used: `makeRoom` restores the order. */
  private readonly all = new Map<Socket, Connection>()

  get size(): number {
    return this.all.size
  }

  add(socket: Socket): void {
    this.all.set(socket, { open: [], isUsed: false })
    socket.once("close", () => this.all.delete(socket))
  }

  /** Notes that a request has arrived, whose response is still to be written. */
  begin(response: ServerResponse): void {
    const connection = this.all.get(response.req.socket)
    if (connection === undefined) return
    connection.isUsed = true
    connection.open.push(response)
  }

  /** Notes that a response is finished, or that its client has gone. */
  end(response: ServerResponse): void {
    const open = this.all.get(response.req.socket)?.open
    open?.splice(open.indexOf(response), 1)
  }

  /** Closes an idle connection; returns `false` if all are in use. Those move to the end and get another turn. */
  makeRoom(newcomer: Socket): boolean {
    let turns = 2 * this.all.size
    for (const [socket, connection] of this.all) {
      if (turns-- === 0) return false
      const isIdle = connection.open.length === 0 && !connection.isUsed && socket !== newcomer
      this.all.delete(socket)
      if (isIdle) {
        socket.destroy()
        return true
      }
      connection.isUsed = false
      this.all.set(socket, connection)
    }
    return false
  }

  /** Closes idle connections at once and the others after their responses; streams end now. */
  leave(): void {
    for (const [socket, { open }] of this.all) {
      for (const response of open) {
        response.shouldKeepAlive = false
        endStream(response)
      }
      if (open.length === 0) socket.destroy()
    }
  }
}
