// The package `smpp` has no types; these are of its session, which only this rival uses.
declare module "smpp" {
  import type { EventEmitter } from "node:events"
  import type { Socket } from "node:net"

  export class Session extends EventEmitter {
    constructor(options: { readonly host: string; readonly port: number })
    readonly socket: Socket
    send(pdu: PDU, answered?: (answer: PDU) => void): boolean
    destroy(): void
  }

  export interface PDU {
    response(fields?: Readonly<Record<string, unknown>>): PDU
  }
}
