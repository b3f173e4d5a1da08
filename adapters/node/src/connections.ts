/**
 * The connections of a server. Where there are as many as there may be, the one that has been idle for longest makes
 * room: a stranger who holds connections open keeps no other out.
 */
import { endStream } from "@watchword/server/node"
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

interface Connection {
  /** Responses that are still to be written. */
  readonly open: Array<ServerResponse>
  /** Whether a request came on it since it was looked at. */
  isUsed: boolean
}

export class Connections {
  /** Those that were opened or used first come first, more or less: they are put in order when room is made. */
  private readonly all = new Map<Socket, Connection>()

  get size(): number {
    return this.all.size
  }

  add(socket: Socket): void {
    this.all.set(socket, { open: [], isUsed: false })
    socket.once("close", () => this.all.delete(socket))
  }

  /** A request has come, and its response is to be written. */
  begin(response: ServerResponse): void {
    const connection = this.all.get(response.req.socket)
    if (connection === undefined) return
    connection.isUsed = true
    connection.open.push(response)
  }

  /** A response is written, or its client has gone. */
  end(response: ServerResponse): void {
    const open = this.all.get(response.req.socket)?.open
    open?.splice(open.indexOf(response), 1)
  }

  /** Closes an idle connection; false if none is. Those in use go to the end, and have another turn. */
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

  /** Closes those that are idle, and the others behind their responses, of which streams end now. */
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
