// The types that the package `smpp` lacks, of the parts in use.
declare module "smpp" {
  import type { EventEmitter } from "node:events"
  import type { Server, Socket } from "node:net"

  /** A protocol data unit: made from a command and its fields, or read from a whole frame. */
  export class PDU {
    constructor(command: string, fields?: Readonly<Record<string, unknown>>)
    constructor(frame: Buffer)
    readonly command: string
    readonly command_id: number
    readonly command_status: number
    readonly sequence_number: number;
    readonly [field: string]: unknown
    toBuffer(): Buffer
    response(fields?: Readonly<Record<string, unknown>>): PDU
  }

  /** A session, of a client or of the server; the rival in `bench` and a test of rehearsals use it. */
  export class Session extends EventEmitter {
    constructor(options: { readonly host: string; readonly port: number })
    readonly socket: Socket
    send(pdu: PDU, answered?: (answer: PDU) => void): boolean
    destroy(): void
  }

  const smpp: {
    createServer(connected: (session: Session) => void): Server
    /** Command statuses by name, for example `ESME_RTHROTTLED`. */
    readonly errors: Readonly<Record<string, number>>
    /** The GSM alphabet; table 0 is the default one. */
    readonly gsmCoder: {
      decode(octets: Buffer, table: number): string
    }
  }
  export default smpp
}
